// The end of a game: why it ended, how it went, what it cost, and what may come next.

import { $, make, seatMark, toast } from "./dom.js";
import { again, begin, get, home, retry, whole } from "./wire.js";
import { chart } from "./chart.js";
import { fill } from "./fill.js";

const reviewer = "mcts:sims=200";

export function drawEnd({ about, sight, seat, seatName, saveRecord, show }) {
  const r = sight.result;
  const order = r.scores.map((_, p) => p).toSorted((a, b) => r.scores[b] - r.scores[a]);
  const seats = sight.seats.map((s) => (s.person ? (s.name ? `human:${s.name}` : "human") : s.name));
  const go = (what) => () => begin(what).catch((e) => toast(e.message));
  const hosts = about.room ? null : home(about);
  const curve = make("figure", { class: "curve" });
  const costs = make("div", {});
  $("result").replaceChildren(
    make("p", { class: "won" }, `${headOf(sight, seat, seatName)}: ${r.why}.`),
    about.together ? make("p", {}, fill("{n} {what}", { n: +r.scores[0].toFixed(2), what: about.points })) : make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, fill("Seat")), make("th", { scope: "col" }, about.points))),
      make("tbody", {}, ...order.map((p) => make("tr", { class: r.winners.includes(p) ? "winner" : null },
        make("th", { scope: "row" }, seatMark(about.colours[p]), `${seatName(p)}${p === seat ? ` (${fill("you")})` : sight.seats[p].person ? "" : ` (${sight.seats[p].name})`}${r.winners.includes(p) ? " ★" : ""}`), make("td", {}, String(+r.scores[p].toFixed(2))))))),
    curve,
    make("div", { class: "buttons" },
      hosts || about.room && seat !== null ? make("button", { type: "button", class: "primary", onclick: go(again(about, seats)) }, fill("Rematch")) : null,
      hosts && seats.length > 1 ? make("button", { type: "button", onclick: go(again(about, [seats.at(-1), ...seats.slice(0, -1)])) }, fill("From the next seat")) : null,
      hosts ? make("button", { type: "button", onclick: go({ look: "" }) }, fill("Look at it move by move")) : null,
      make("button", { type: "button", onclick: saveRecord }, fill("Save the record")),
      whole ? make("button", { type: "button", onclick: () => navigator.clipboard.writeText(location.href).then(() => toast(fill("The link to this game is copied")), () => toast(location.href)) }, fill("Copy the link")) : null),
    seat === null ? "" : make("button", { type: "button", id: "review", onclick: (e) => { e.currentTarget.remove(); review({ about, seat, costs, show, hosts }); } }, fill("What did my decisions cost?")),
    costs,
  );
  draw(curve, about, seatName).catch((e) => toast(e.message));
}

function headOf({ result: r, seats }, seat, seatName) {
  const names = new Intl.ListFormat("en").format(r.winners.map((p) => (p === seat ? fill("you") : seatName(p))));
  if (r.winners.length === 0) return fill("Nobody has won");
  if (r.winners.length === seats.length && seats.length > 1) return fill("All have won");
  if (r.winners.length === 1 && r.winners[0] !== seat) return fill("{names} has won", { names });
  return fill("{names} have won", { names: names[0].toUpperCase() + names.slice(1) });
}

/** draw draws how the scores have gone. */
async function draw(figure, about, seatName) {
  const { film } = await (await get("film")).json();
  const series = film.scores[0].map((_, p) => ({ name: about.together ? "" : seatName(p), colour: about.colours[p], x: film.scores.map((_, n) => n), y: film.scores.map((s) => s[p]) }));
  figure.replaceChildren(make("figcaption", {}, fill("How it went: {what}", { what: about.points })), ...chart({ title: about.points, series: about.together ? series.slice(0, 1) : series, xs: [0, film.decisions], here: film.decisions }).filter(Boolean));
}

/** review has a search value the viewer's decisions, and tells which have cost most, as far as it is surer than its doubt. */
async function review({ about, seat, costs, show, hosts }) {
  const points = [];
  const all = make("p", { role: "status" });
  const list = make("ol", { class: "worst" });
  costs.replaceChildren(make("h3", {}, fill("What cost you most")), all, list);
  const lose = about.players > 1 && !about.together ? -1 / (about.players - 1) : -1;
  const games = (x) => (10 * x / (1 - lose)).toFixed(1);
  for (;;) {
    let more;
    try {
      more = await (await get("curve", new URLSearchParams({ agent: reviewer, as: seat, from: points.length }))).json();
    } catch (error) {
      all.textContent = error.message;
      return;
    }
    points.push(...more.points);
    const worst = points.filter((p) => p.loss !== null && p.error !== null && p.loss > p.error && p.loss >= 0.02).toSorted((a, b) => b.loss - a.loss).slice(0, 3);
    list.replaceChildren(...worst.map((p) => make("li", {},
      make("span", {}, fill("You chose “{chosen}”; “{best}” would have won about {n} more of 10 games (± {error}).", { chosen: p.chosen, best: p.best, n: games(p.loss), error: games(p.error) })), " ",
      make("button", { type: "button", onclick: () => show(async () => (await get("at", new URLSearchParams({ n: p.n, as: seat }))).json(), fill("Before “{chosen}”", p)).catch((e) => toast(e.message)) }, fill("Look")), " ",
      hosts ? make("button", { type: "button", onclick: () => begin(retry(p.n)).catch((e) => toast(e.message)) }, fill("Try again from here")) : null)));
    all.textContent = !more.done ? fill("{n} decisions looked at …", { n: points.length }) : worst.length === 0 ? fill("The search is sure of no mistake among your {n} decisions.", { n: points.length }) : fill("Of {n} decisions; only what the search is surer of than its doubt.", { n: points.length });
    if (more.done) return;
    await new Promise((resume) => setTimeout(resume, 300));
  }
}
