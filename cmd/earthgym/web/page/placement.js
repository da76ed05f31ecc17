// How strong who plays here is: games against levels are kept on this device, and tell which level fits.

import { keep, kept } from "./dom.js";

const least = 3; // games before anything is said
const most = 12; // that count
const apart = 1; // by how much the logarithm of the odds of a win grows from level to level: the median of the levels' matches

/** games are those that count, the newest last: {id, level, seats, won}. */
export function games() {
  try {
    const list = JSON.parse(kept("games") ?? "[]");
    return Array.isArray(list) ? list.filter((g) => g.level >= 1 && g.level <= 5 && g.seats > 1).slice(-most) : [];
  } catch {
    return [];
  }
}

/** finished keeps a game that is over, once, if all others in it were of one level. */
export function finished(about, sight, seat) {
  const others = new Set(sight.seats.filter((_, p) => p !== seat).map((s) => (s.person ? "" : s.name)));
  const level = Number(/^level:([1-5])$/.exec([...others][0] ?? "")?.[1]);
  if (seat === null || about.together || others.size !== 1 || !level || sight.lesson || about.puzzle !== null) return;
  const id = `${about.game} ${sight.decision} ${sight.result.scores}`;
  const all = games();
  if (all.some((g) => g.id === id)) return;
  keep("games", JSON.stringify([...all, { id, level, seats: about.players, won: sight.result.winners.includes(seat) }].slice(-most)));
}

/** fitting is the level at which who has played so would win its share, the likeliest of five; null before enough games. */
export function fitting(all = games()) {
  if (all.length < least) return null;
  const worth = (own) => all.reduce((sum, g) => {
    const win = 1 / (1 + (g.seats - 1) * Math.exp(-apart * (own - g.level)));
    return sum + Math.log(g.won ? win : 1 - win);
  }, -((own - 3) ** 2) / 4.5); // nobody is taken for the best or the worst by a game
  return [1, 2, 3, 4, 5].reduce((best, own) => (worth(own) > worth(best) ? own : best));
}
