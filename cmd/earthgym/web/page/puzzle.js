// Find the move: a position in which a search is sure of what is best, on each day one of each game.

import { $, announce, keep, kept, make, named } from "./dom.js";
import { fill } from "./fill.js";

/** puzzles are all that there are. */
export const puzzles = async () => (await fetch("puzzles.json")).json();

/** today is the number of the day, where the viewer is. */
const today = () => Math.floor((Date.now() / 60000 - new Date().getTimezoneOffset()) / 1440);

/** daily are the numbers of the puzzles of the day, by game. */
export function daily(all) {
  const of = Map.groupBy(all.keys(), (i) => all[i].game.split(":")[0]);
  return new Map([...of].map(([game, list]) => [game, list[today() % list.length]]));
}

/** streak is how many days in a row a puzzle was solved, and those of today. It stands on this device alone. */
export function streak() {
  const s = { day: 0, days: 0, solved: [], ...JSON.parse(kept("puzzles") ?? "{}") };
  if (s.day < today()) s.solved = [];
  if (s.day < today() - 1) s.days = 0;
  return s;
}

function solve(number) {
  const s = streak();
  if (s.solved.includes(number)) return;
  keep("puzzles", JSON.stringify({ day: today(), days: s.day === today() ? s.days : s.days + 1, solved: [...s.solved, number] }));
}

export class Puzzle {
  /** number is that of the puzzle, about and seat those of the table; nameOf gives a choice, mark shows one, end goes on with the game. */
  constructor(number, about, seat, { nameOf, mark, end }) {
    Object.assign(this, { number, seat, nameOf, mark, end, open: false });
    this.games = (x) => (10 * x / (about.players > 1 && !about.together ? 1 + 1 / (about.players - 1) : 2)).toFixed(1);
  }

  /** load makes the puzzle known; it is open until the game goes on. */
  async load() {
    const all = await puzzles();
    Object.assign(this, all[this.number]);
    this.counts = [...daily(all).values()].includes(this.number);
    this.open = true;
    $("lessonhead").textContent = fill("Find the move");
    $("came").textContent = "";
    $("say").textContent = this.right > 1 ? fill("{n} of these {all} are clearly better than all others: which?", { n: this.right, all: this.choices.length }) : fill("One of these {all} is clearly better than all others: which?", { all: this.choices.length });
    $("showme").hidden = false;
    $("showme").after(make("button", { type: "button", id: "playon", onclick: () => this.close() }, fill("Play on from here")));
    $("lesson").hidden = false;
    document.body.classList.add("learning", "puzzling");
    announce(`${$("lessonhead").textContent}. ${$("say").textContent}`);
  }

  close() {
    this.open = false;
    $("lesson").hidden = true;
    $("playon").remove();
    document.body.classList.remove("learning", "puzzling");
    this.end();
  }

  /** answer says what the search thinks of a choice. */
  answer(action) {
    const [next, i] = [this.choices[this.right], this.choices.findIndex((c) => c.action === action)];
    const c = this.choices[i];
    const choice = named(this.nameOf(action));
    if (i < this.right) {
      if (!this.shown && this.counts) solve(this.number);
      $("came").textContent = fill("✓ “{choice}” wins about {n} more of 10 games (± {error}) than the next best, “{next}”.", { choice, n: this.games(next.loss), next: named(this.nameOf(next.action)), error: this.games(next.error) });
      const { days } = streak();
      $("say").textContent = this.shown || !this.counts ? "" : days > 1 ? fill("Solved on {n} days in a row.", { n: days }) : fill("Solved today.");
    } else {
      $("came").textContent = fill("✗ “{choice}” wins about {n} fewer of 10 games (± {error}) than the best.", { choice, n: this.games(c.loss), error: this.games(c.error) });
      $("say").textContent = fill("Try another one, or have it shown.");
    }
    announce(`${$("came").textContent} ${$("say").textContent}`);
  }

  /** show shows the best move. */
  show() {
    this.shown = true;
    const best = this.choices[0].action;
    this.answer(best);
    this.mark(best);
  }
}
