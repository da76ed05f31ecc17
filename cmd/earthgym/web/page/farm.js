// A hub: the work that is asked for there, with standings, curves and games to watch, and the workers.

import { chart, colours } from "./chart.js";
import { $, make } from "./dom.js";
import { startTheme } from "./theme.js";
import { get, key } from "./wire.js";

const pause = 2000; // milliseconds between two looks
let last = "";

startTheme();
look();

async function look() {
  for (;;) {
    try {
      const text = await (await get("farm")).text();
      if (text !== last && !document.querySelector("main a:hover")) { // Nothing is taken away from under a pointer.
        last = text;
        draw(JSON.parse(text));
      }
      lost("");
    } catch (error) {
      lost(error.status ? error.message : "The hub can't be reached. Trying again …");
      if (error.status === 401) return;
    }
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

function lost(text) {
  $("banner").textContent = text;
  $("banner").hidden = !text;
}

const entries = (o) => Object.entries(o ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
const some = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const rate = (x) => (x > 0 ? `${+x.toPrecision(3)} a second` : "");
const signed = (x, digits = 0) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits);
const lasts = (s) => (s < 90 ? `${Math.round(s)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`);
const sentence = (...parts) => make("p", { class: "meta" }, parts.filter(Boolean).join(" · "));

function draw(hub) {
  const jobs = hub.jobs.filter((j) => !j.adds);
  $("who").textContent = `A hub: ${some(hub.backlog, "bundle waits", "bundles wait")}, ${hub.taken} being done, ${some(hub.workers.length, "worker")}`;
  $("nojobs").hidden = jobs.length > 0;
  $("noworkers").hidden = hub.workers.length > 0;
  const focus = document.activeElement?.getAttribute("href");
  $("jobs").replaceChildren(...jobs.map(job));
  $("workers").replaceChildren(...hub.workers.map(worker));
  if (focus) document.querySelector(`a[href="${CSS.escape(focus)}"]`)?.focus();
}

function job(j) {
  const item = make("li", {}, make("h3", {}, j.says ?? ""));
  const done = j.done ?? 0;
  item.append(make("progress", { value: done, max: j.total || 1, "aria-label": "Done" }),
    sentence(`${done} of ${some(j.total ?? 0, "piece")}`, rate(j.rate), j.left > 0 && `${lasts(j.left)} left`, j.lag > 1 && `the oldest bundle was offered ${lasts(j.lag)} ago`));
  if (j.standings) item.append(standings(j.standings));
  const games = entries(j.games).reverse();
  if (games.length) item.append(make("p", { class: "links" }, "Watch:", ...games.map(([name, hash]) => make("a", { href: `watch/${hash}/#${key || "open"}` }, name.replace(/^.*[/\\]0*(?=\d)|\.jsonl$/g, "")))));
  for (const why of j.parked ?? []) item.append(make("p", { class: "alarm" }, `Parked: ${why}`));
  for (const [who, why] of entries(j.aside)) item.append(make("p", { class: "alarm" }, `Not by ${who}: ${why}`));
  return item;
}

function standings(list) {
  const head = ["agent", "rating", "95 %", "return", "seats"];
  return make("table", {}, make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...list.map((s) => make("tr", {}, make("td", {}, ...s.agent.split(/(?<=[:/,])/).flatMap((part) => [part, make("wbr")])), make("td", {}, s.rated ? signed(s.rating) : "–"),
      make("td", {}, s.rated ? `${signed(s.low)} to ${signed(s.high)}` : "–"), make("td", {}, signed(s.return, 3)), make("td", {}, String(s.games))))));
}

function worker(w) {
  return make("li", {}, make("h3", {}, w.who),
    sentence(`${(w.bundles ?? []).length} of ${w.slots} at work`, `${w.parts ?? 0} games or runs done`, rate(w.rate), w.class),
    ...entries(w.doing).flatMap(([, said]) => [make("p", { class: "meta" }, said.split("\n")[0]), ...curve(said.split("\n"))]));
}

/** curve draws the strength of a run by what it has said, the last line first: how strong it is after how many decisions. */
function curve(lines) {
  const [x, y] = [[], []];
  let decisions;
  for (const line of lines.reverse()) {
    decisions = /\b(\d+) decisions/.exec(line)?.[1] ?? decisions;
    const strength = /^strength: ([-+]\d+\.\d+)/.exec(line)?.[1];
    if (strength && decisions) {
      x.push(+decisions);
      y.push(+strength);
    }
  }
  return x.length ? chart({ title: "strength over decisions", series: [{ name: "", colour: colours[0], x, y }] }).filter(Boolean) : [];
}
