// The table without pictures: what happens is read out, and what is typed is a choice or a question.

import { $, insist, leadOn, make, named } from "./dom.js";
import { fill } from "./fill.js";
import { get, key, post, watch } from "./wire.js";

const help = () => [
  fill("A number, or words that only one choice has, choose it."),
  fill("Everything else is a question to the table: hand is your own seat, threats is what may go wrong, sector 3 or a name are the lines that have it."),
  fill("since my last turn: what has happened since; log 10: the last lines of the story."),
  fill("choices WORDS: the choices with these words; try NUMBER: what a choice would bring; why NUMBER or WORDS: why something is not possible."),
  fill("rules: how to play; rules WORDS: the rules with these words."),
  fill("hint: what an agent thinks; undo: takes your last decision back."),
];

let about;
let sight;
let seat = null;
let log = [];

start();

async function start() {
  leadOn("pictures", "table.html");
  if (!key) return banner(fill("This link is cut off: the part behind “#” is missing. Copy the whole link that the program has printed."));
  about = await insist(() => get("table"), banner, fill("The table can't be reached. Trying again …"));
  if (!about) return undefined;
  $("title").textContent = about.title;
  document.title = about.title;
  $("form").addEventListener("submit", (e) => {
    e.preventDefault();
    const line = $("line").value.trim();
    $("line").value = "";
    if (next !== null) sit(next);
    else if (line) follow(line).catch((error) => say(error.message));
  });
  sit(about.seats.length === 1 ? about.seats[0] : null);
  $("line").focus();
}

let stop = () => {};
let next = null; // who is to sit down before anything more is read out

function sit(from) {
  stop();
  [seat, next] = [from, null];
  sight = null;
  log = [];
  stop = watch(from, told, (text) => banner(fill(text)));
}

function banner(text) {
  $("banner").textContent = text;
  $("banner").hidden = !text;
}

/** say reads lines out. */
function say(...lines) {
  for (const line of lines) $("said").append(make("p", {}, line));
  while ($("said").childElementCount > 300) $("said").firstChild.remove();
  $("said").scrollTop = $("said").scrollHeight;
}

/** cover lets nothing stand of what others at this keyboard may read, until the next one is there. */
function cover(p) {
  stop();
  next = p;
  for (const id of ["who", "said", "choices"]) $(id).replaceChildren();
  say(fill("It is the decision of {name}. Press Enter when nobody else looks.", { name: name(p) }));
}

const name = (p) => sight.seats[p].called;
const deciding = () => sight.asked !== null && sight.asked === seat;

function told(now) {
  const before = sight;
  sight = now;
  document.body.dataset.step = now.step;
  const fresh = now.log;
  if (now.logFrom < log.length) say(fill("It is taken back."));
  log = log.slice(0, now.logFrom).concat(fresh);
  if (about.host && now.asked !== null && now.asked !== seat && now.people.includes(now.asked)) return now.people.length > 1 ? cover(now.asked) : sit(now.asked);
  $("who").textContent = seat === null ? fill("looking on") : fill("you are {name}", { name: name(seat) });
  say(...(before ? fresh : fresh.slice(-12)).map((l) => l.text));
  banner(now.trouble);
  if (before?.step === now.step && before.asked === now.asked) return undefined;
  $("choices").replaceChildren(...(deciding() ? now.choices : []).map((c) => make("li", {}, make("button", { type: "button", "data-action": c.action, onclick: () => choose(c) }, named(c)))));
  if (now.lesson && deciding()) say(now.lesson.said, now.lesson.say);
  if (now.result) say(`${fill("The game is over: {why}", now.result)}. ${now.result.scores.map((s, p) => `${name(p)} ${+s.toFixed(2)}${now.result.winners.includes(p) ? ` (${fill("wins")})` : ""}`).join("; ")}.`);
  else if (deciding()) say(`${now.question} ${fill("Choices: {n}.", { n: now.choices.length })}${now.sealed ? ` ${fill("What you choose is sealed: others learn it when all have chosen.")}` : ""}`);
  else say(now.actor >= 0 ? fill("Waiting for {name}", { name: name(now.actor) }) : fill("Waiting: who is asked now is a secret"));
  return undefined;
}

const choose = (c) => post("play", { seat, step: sight.step, action: c.action }).catch((error) => say(error.message));

/** matching are the choices that have all words. */
function matching(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sight.choices.filter((c) => words.every((w) => `${c.what} ${c.which} ${c.text}`.toLowerCase().includes(w)));
}

/** picked is the choice of a number or of words; null if there is none or more than one. */
function picked(text) {
  if (/^\d+$/.test(text)) return sight.choices[Number(text) - 1] ?? null;
  const exact = sight.choices.find((c) => c.text === text);
  const found = matching(text);
  return exact ?? (found.length === 1 ? found[0] : null);
}

const list = (choices) => choices.map((c) => `${sight.choices.indexOf(c) + 1}. ${named(c)}`);

async function follow(line) {
  say(`> ${line}`);
  const [, word, rest] = /^(\S+)\s*(.*)$/.exec(line);
  const own = sight?.viewer >= 0 ? { seat } : {};
  switch (word.toLowerCase()) {
    case "help": case "?":
      return say(...help());
    case "choices": case "list":
      return say(...list(matching(rest)));
    case "undo":
      return void await post("undo", { seat, step: sight.step });
    case "log":
      return say(...log.slice(-(Number(rest) || 20)).map((l) => l.text));
    case "hint": {
      const agent = rest || ["net:", "script:strong", about.agents[0]].find((a) => about.agents.includes(a));
      const h = await post("hint", { seat, step: sight.step, agent });
      const best = h.choices.toSorted((a, b) => b.probability - a.probability).slice(0, 3);
      return say(fill("{agent} would choose: {choice}", { agent, choice: best.filter((c) => c.probability > 0.01).map((c) => `${named(sight.choices.find((x) => x.action === c.action))} (${Math.round(100 * c.probability)} %)`).join("; ") }));
    }
    case "try": {
      const c = picked(rest);
      if (!c) return say(fill("No single choice is “{words}”.", { words: rest }));
      const d = await post("draft", { seat, step: sight.step, actions: [c.action] });
      return say(...d.moves[0].story, ...d.moves[0].perhaps.map((p) => `${Math.round(100 * p.share)} %: ${p.text}`), d.open ? "" : fill("Then {end}.", { end: d.end }));
    }
    case "rules": {
      const { howto, rules } = await (await get("rules")).json();
      const all = rest.toLowerCase().split(/\s+/).filter(Boolean);
      const blocks = (all.length ? `${howto}\n\n${rules.replaceAll("\n|", "\n\n|")}` : howto).split(/\n\n+/).filter((t) => !/^(!\[|<!--)/.test(t) && all.every((w) => t.toLowerCase().includes(w)));
      return say(...(blocks.length ? blocks.slice(0, all.length ? 12 : Infinity).map((t) => t.replaceAll(/[`*#|]/g, "").trim()) : [fill("No rule is about “{words}”.", { words: rest })]));
    }
    case "why": {
      const c = picked(rest);
      const words = rest.toLowerCase().split(/\s+/).filter(Boolean);
      const asked = c ? [c.action] : about.actions.map((text, a) => [text, a]).filter(([text]) => text === rest || (words.length > 0 && words.every((w) => text.split(/[ -]/).includes(w)))).map(([, a]) => a).slice(0, 8);
      if (asked.length === 0) return say(fill("There is no action “{words}”.", { words: rest }));
      const reasons = await (await get("why", new URLSearchParams([...Object.entries(own), ...asked.map((a) => ["action", a])]))).json();
      return say(...asked.map((a) => (reasons[a] ? `${about.actions[a]}: ${reasons[a]}` : fill("{words} can be chosen.", { words: c ? named(c) : about.actions[a] }))));
    }
    default: {
      const c = deciding() ? picked(line) : null;
      if (c) return void await choose(c);
      const lines = await (await get("find", new URLSearchParams({ ...own, question: line }))).json();
      const found = deciding() ? matching(line) : [];
      if (lines.length + found.length === 0) return say(fill("Nothing at the table is “{words}”; help says what can be typed.", { words: line }));
      return say(...lines, ...list(found));
    }
  }
}
