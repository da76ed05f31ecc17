// The page of a recorded game, or of a training run: every position as each seat saw it, what agents think of the
// decisions, and how the training is getting on. Where the game is in the page itself (earthgym replay --html), it is
// the same page, without what a program must be asked for.

import { $, announce, keep, kept, make, named, startSkips, toast } from "./dom.js";
import { begun, get, key, post, shown } from "./wire.js";
import { Board } from "./board.js";
import { chart, colours, place } from "./chart.js";
import { forget, linked, openBook, ruleID, startBook } from "./book.js";
import { fill } from "./fill.js";
import { startTheme } from "./theme.js";

let film; // what never changes about the game
let version = 0;
let trained = 0;
let at = 0;
let viewer = ""; // whose eyes the page has, "" those of spectators
let told = []; // what led to each position
let items = [];
let frame;
let board;
let agents = [];
let points = []; // what the agent thinks of each decision
let drawing = 0; // counts the curves that were asked for
let timer = 0;

const called = (p) => film.seats[p].called;
const seatName = (p) => `${called(p)}${film.seats[p].person || !film.seats[p].name ? "" : ` (${film.seats[p].name})`}`;
const whoever = (p) => (String(p) === viewer ? fill("you") : called(p));
const query = (more) => new URLSearchParams({ version, ...(viewer === "" ? {} : { as: viewer }), ...more });

start();

async function start() {
  startTheme();
  startSkips();
  startBook();
  startControls();
  if (!key) {
    banner(fill("This link is cut off: the part behind “#” is missing. Copy the whole link that the program has printed."));
    return;
  }
  board = new Board(() => {}, async () => "", { fills: true, called });
  addEventListener("hashchange", () => location.reload());
  for (;;) {
    try {
      await look();
      banner(film || trained ? "" : fill("There is no game to be seen yet."));
    } catch (error) {
      banner(error.status ? error.message : fill("The program can't be reached. Trying again …"));
      if (error.status === 401) return;
    }
    await new Promise((resume) => setTimeout(resume, 2000));
  }
}

function banner(text) {
  $("banner").textContent = text;
  $("banner").hidden = !text;
}

/** look takes what has changed since the last look: another game, more of it, or more of the training. */
async function look() {
  const now = await (await get("film", `version=${version}`)).json();
  $("more").hidden = !now.more;
  if (now.film) {
    const same = film && film.seed === now.film.seed && film.game === now.film.game && film.decisions <= now.film.decisions;
    const atEnd = film && at === film.decisions;
    version = now.version;
    if (!same) forget();
    film = now.film;
    agents = film.agents;
    await drawFilm(same && !atEnd ? at : same ? film.decisions : begun());
    if (!same && now.more) toggle(true);
  }
  if (now.trained !== trained) {
    drawTraining(await (await get("run")).json());
    trained = now.trained;
  }
}

// The game

async function drawFilm(n) {
  $("title").textContent = film.title;
  document.title = film.title;
  $("who").replaceChildren(film.seed ? fill("{game}, seed {seed}", film) : film.game);
  const made = document.querySelector("meta[name=generator]");
  const up = document.querySelector("link[rel=up]");
  if (made) $("who").append(` · ${made.content}`);
  if (up) $("who").append(" · ", make("a", { href: up.getAttribute("href") }, fill("the report")));
  for (const id of ["rules", "reading", "getjson", "getscenario", "getrecord"]) $(id).hidden = film.alone;
  for (const id of ["thoughts", "mistakes"]) $(id).hidden = agents.length === 0;
  $("agent").parentElement.hidden = agents.length === 0;
  $("course").hidden = !film.scores;
  board.number = new Map(film.actions.map((t, i) => [t, i]));
  if (film.eyes) viewer = String(film.eyes[0]);
  $("viewer").replaceChildren(film.eyes ? "" : make("option", { value: "" }, fill("spectators")), ...(film.eyes ?? film.seats.map((_, p) => p)).map((p) => make("option", { value: p, selected: String(p) === viewer }, seatName(p))));
  const chosen = $("agent").value || kept("watch-agent");
  $("agent").replaceChildren(...agents.map((a) => make("option", { value: a, selected: a === chosen }, a)));
  const kind = $("kind").value || "scores";
  $("kind").replaceChildren(...[["scores", fill("scores")], ["value", fill("expected return")], ["probability", fill("probability of what was chosen")], ["loss", fill("loss by what was chosen")]].map(([v, text]) => make("option", { value: v, selected: v === kind }, text)));
  $("slider").max = film.decisions;
  drawResult();
  if ($("worst").childElementCount === 0) drawMistakes(true);
  await tellStory();
  await show(n, true);
  think();
  if (film.scores) drawCurve();
  if (kind !== "scores") follow();
}

function drawResult() {
  const r = film.result;
  $("result").hidden = !r;
  if (!r) return;
  $("result").replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...[fill("Seat"), fill("Score"), fill("Return")].map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...r.scores.map((s, p) => make("tr", { class: r.winners.includes(p) ? "winner" : null }, make("th", { scope: "row" }, seatName(p) + (r.winners.includes(p) ? " ★" : "")), make("td", {}, String(+s.toFixed(2))), make("td", {}, r.returns[p].toFixed(2)))))));
}

async function tellStory() {
  told = await (await get("story", query())).json();
  drawStory();
}

function drawStory() {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  items = [];
  $("log").replaceChildren(...told.flatMap((sentences, n) => {
    if (sentences.length === 0 || !words.every((w) => sentences.join(" ").toLowerCase().includes(w))) return [];
    items[n] = make("button", { type: "button", onclick: () => go(n) }, make("span", { class: "figure" }, String(n)), make("span", {}, ...sentences.map((s) => make("span", {}, s))));
    return [make("li", {}, items[n])];
  }));
  markStory();
}

function markStory() {
  $("log").querySelector("[aria-current]")?.removeAttribute("aria-current");
  let n = at;
  while (n > 0 && !items[n]) n--;
  if (!items[n]) return;
  items[n].setAttribute("aria-current", "step");
  const list = $("log").getBoundingClientRect();
  const item = items[n].getBoundingClientRect();
  if (item.top < list.top || item.bottom > list.bottom) $("log").scrollTop += item.top - list.top - list.height / 3;
}

let asked = 0;

async function show(n, anew) {
  n = Math.max(0, Math.min(film.decisions, n));
  if (n === at && !anew) return;
  at = n;
  const mine = ++asked;
  const next = await (await get("at", query({ n }))).json();
  if (mine !== asked) return;
  frame = next;
  if (frame.board) board.draw(frame.board);
  board.offer([], false, new Set([frame.last]));
  $("text").textContent = frame.text;
  $("slider").value = n;
  $("slider").setAttribute("aria-valuetext", fill("decision {n} of {all}", { n, all: film.decisions }));
  $("place").textContent = fill("{n} of {all}", { n, all: film.decisions });
  const over = n === film.decisions && film.result;
  $("status").textContent = over ? fill("The game is over: {why}", film.result) : String(frame.actor) === viewer ? fill("You decide") : frame.actor >= 0 ? fill("{name} decides", { name: seatName(frame.actor) }) : fill("It is a secret who decides");
  $("question").replaceChildren(...linked(frame.question, true, film.alone));
  $("happened").replaceChildren(...told[n].map((s) => make("li", {}, s)));
  $("result").hidden = !over;
  for (const [id, end] of [["first", 0], ["back", 0], ["forth", film.decisions], ["last", film.decisions]]) $(id).disabled = n === end;
  markStory();
  drawHere();
  shown(n);
}

/** go shows a position, and what the agent thinks of it. */
async function go(n) {
  try {
    await show(n);
    think();
  } catch (error) {
    toast(error.message);
  }
}

// What an agent thinks

let thinking = 0;

function think() {
  clearTimeout(thinking);
  const n = at;
  if (n === film.decisions || agents.length === 0) return void $("bars").replaceChildren();
  $("bars").setAttribute("aria-busy", "true");
  thinking = setTimeout(async () => {
    const agent = $("agent").value;
    let rows;
    try {
      rows = bars(await (await get("think", query({ n, agent }))).json());
    } catch (error) {
      rows = [make("p", {}, error.message)];
    }
    if (n !== at || agent !== $("agent").value) return;
    $("bars").replaceChildren(...rows);
    $("bars").removeAttribute("aria-busy");
  }, 150);
}

function bars(t) {
  const worth = (c) => c.value ?? (c.score > -1e5 ? c.score : null);
  const sorted = t.choices.toSorted((a, b) => b.probability - a.probability || (worth(b) ?? -Infinity) - (worth(a) ?? -Infinity));
  const list = sorted.filter((c, i) => i < 6 || c.played);
  const rows = list.map((c) => make("li", {}, make("div", { class: c.played ? "bar played" : "bar", style: { "--share": `${Math.round(100 * c.probability)}%` } },
    make("span", {}, named(c), c.played ? make("b", {}, ` (${fill("chosen")})`) : null),
    make("span", { class: "figure" }, `${Math.round(100 * c.probability)} %${c.value !== null ? `, ${c.value.toFixed(2)}` : c.score !== null && c.score > -1e5 ? `, ${fill("{x} points", { x: c.score.toFixed(1) })}` : ""}`))));
  const out = [make("ol", { class: "bars" }, ...rows)];
  if (t.value !== null) out.push(make("p", {}, fill("It expects a return of {x} for {seat}, between −1 and 1.", { x: t.value.toFixed(2), seat: whoever(t.seat) })));
  if (t.line.length > 1) out.push(make("p", {}, fill("The game may go on so: {line}.", { line: t.line.join("; ") })));
  return out;
}

/** follow asks an agent about every decision, and draws what it says as it comes. */
async function follow() {
  const mine = ++drawing;
  const agent = $("agent").value;
  const of = version;
  points = [];
  for (;;) {
    let more;
    try {
      more = await (await get("curve", new URLSearchParams({ version: of, agent, from: points.length }))).json();
    } catch (error) {
      if (mine === drawing) $("progress").textContent = error.message;
      return;
    }
    if (mine !== drawing || of !== version) return;
    points.push(...more.points);
    $("progress").textContent = more.done ? "" : fill("{n} of {all} decisions", { n: points.length, all: film.decisions });
    if (more.points.length > 0 || more.done) {
      drawCurve();
      drawMistakes(more.done);
    }
    if (more.done) return;
    await new Promise((resume) => setTimeout(resume, 300));
  }
}

function drawMistakes(done) {
  const list = points.filter((p) => p.loss !== null && p.loss >= 0.02).toSorted((a, b) => b.loss - a.loss).slice(0, 12);
  const searches = points.some((p) => p.loss !== null);
  $("worst").replaceChildren(...list.map((p) => make("li", {}, make("button", { type: "button", onclick: () => go(p.n) }, fill("{n}: {who} chose “{chosen}”, which loses {loss}; better: “{best}”", { ...p, who: String(p.seat) === viewer ? fill("You") : called(p.seat), loss: p.loss.toFixed(2) })))));
  if (!searches && done) $("worst").replaceChildren(make("li", { class: "none" }, fill("Only a search values single actions: choose one, such as mcts:sims=200.")));
  else if (list.length === 0 && done) $("worst").replaceChildren(make("li", { class: "none" }, fill("It finds none.")));
}

function curveOf(kind) {
  if (kind === "scores") return film.seats.map((_, p) => ({ name: seatName(p), colour: film.colours[p], x: film.scores.map((_, n) => n), y: film.scores.map((s) => s[p]) }));
  return film.seats.map((_, p) => {
    const own = points.filter((q) => q.seat === p && q[kind] !== null);
    return { name: seatName(p), colour: film.colours[p], x: own.map((q) => q.n), y: own.map((q) => q[kind]) };
  });
}

function drawCurve() {
  const kind = $("kind").value;
  const series = curveOf(kind);
  const range = { scores: undefined, value: [-1, 1], probability: [0, 1], loss: undefined }[kind];
  $("curve").replaceChildren(...chart({ title: $("kind").selectedOptions[0].textContent, series, xs: [0, film.decisions], here: at, range }).filter(Boolean));
  const picture = $("curve").querySelector("svg");
  const scrub = (e) => { stop(); go(place(e, picture, film.decisions)); };
  picture.addEventListener("pointerdown", (e) => {
    picture.setPointerCapture(e.pointerId);
    scrub(e);
  });
  picture.addEventListener("pointermove", (e) => { if (e.buttons) scrub(e); });
}

function drawHere() {
  const line = $("curve").querySelector(".here");
  const x = film.decisions ? (1000 * at) / film.decisions : 0;
  line?.setAttribute("x1", x);
  line?.setAttribute("x2", x);
}

function choosing() {
  keep("watch-agent", $("agent").value);
  if ($("kind").value === "scores") $("kind").value = "value";
  $("worst").replaceChildren();
  think();
  drawCurve();
  follow();
}

// The training

function drawTraining(t) {
  $("training").hidden = false;
  $("trained").textContent = t.status;
  $("charts").replaceChildren(...t.charts.map((c) => make("figure", {}, make("h3", {}, c.title),
    ...chart({ title: "", mark: c.mark, series: c.series.map((s, i) => ({ ...s, colour: colours[i % colours.length] })) }).filter(Boolean), make("figcaption", {}, c.help))));
}

// Downloads

async function save(blob, name) {
  const a = make("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

const fileName = (end) => `${film.game.replace(/[^a-z0-9]+/gi, "-")}-${film.seed}-${at}.${end}`;

async function download(form, end) {
  try {
    if (film.alone) return void save(new Blob([frame.board], { type: "image/svg+xml" }), fileName(end));
    save(await (await get("file", query({ n: at, form }))).blob(), fileName(end));
  } catch (error) {
    toast(error.message);
  }
}

/** png draws the board as it was sent, not as the page marks it. */
async function png() {
  const picture = new Image();
  const address = URL.createObjectURL(new Blob([frame.board], { type: "image/svg+xml" }));
  picture.src = address;
  try {
    await picture.decode();
    const [, , width, height] = board.whole.split(" ").map(Number);
    const scale = Math.max(1, 1600 / width);
    const canvas = make("canvas", { width: Math.round(scale * width), height: Math.round(scale * height) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    save(await new Promise((done) => canvas.toBlob(done, "image/png")), fileName("png"));
  } catch (error) {
    toast(error.message);
  } finally {
    URL.revokeObjectURL(address);
  }
}

// Controls

function stop() {
  clearInterval(timer);
  timer = 0;
  $("play").setAttribute("aria-pressed", "false");
  $("play").setAttribute("aria-label", fill("Play"));
}

function toggle(on) {
  if (timer) stop();
  if (!on) return;
  $("play").setAttribute("aria-pressed", "true");
  $("play").setAttribute("aria-label", fill("Pause"));
  timer = setInterval(() => {
    if (at < film.decisions) return void go(at + 1);
    stop();
    if (!$("more").hidden) setTimeout(another, 3000);
  }, 700);
}

/** another shows the next game of the newest network. */
async function another() {
  $("more").disabled = true;
  try {
    await post("next", {});
    await look();
    announce(fill("Another game has begun."));
  } catch (error) {
    toast(error.message);
  } finally {
    $("more").disabled = false;
  }
}

function startControls() {
  const move = (n) => { stop(); if (film) go(n()); };
  for (const [id, n] of [["first", () => 0], ["back", () => at - 1], ["forth", () => at + 1], ["last", () => film.decisions]]) $(id).addEventListener("click", () => move(n));
  $("slider").addEventListener("input", () => move(() => Number($("slider").value)));
  $("play").addEventListener("click", () => {
    const on = !timer;
    if (on && at === film.decisions) go(0);
    toggle(on);
  });
  $("viewer").addEventListener("change", async () => {
    viewer = $("viewer").value;
    await tellStory();
    await show(at, true);
  });
  $("agent").addEventListener("change", choosing);
  $("kind").addEventListener("change", () => {
    drawCurve();
    if ($("kind").value !== "scores" && points.length === 0) follow();
  });
  $("find").addEventListener("input", drawStory);
  new ResizeObserver(() => markStory()).observe($("log"));
  $("more").addEventListener("click", another);
  $("getpng").addEventListener("click", png);
  for (const [form, end] of [["svg", "svg"], ["json", "json"], ["scenario", "toml"], ["record", "jsonl"]]) $(`get${form}`).addEventListener("click", () => download(form, end));
  $("rules").addEventListener("click", () => openBook(ruleID.exec(frame?.question ?? "")?.[0]).catch((e) => toast(e.message)));
  $("reading").addEventListener("click", () => {
    const on = $("reading").getAttribute("aria-pressed") !== "true";
    $("reading").setAttribute("aria-pressed", String(on));
    $("text").hidden = !on;
    $("board").hidden = on;
  });
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.nodeName) || document.querySelector("dialog[open]") || !film) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: film.decisions }[e.key];
    const button = { r: "rules", t: "reading", g: "more" }[e.key.toLowerCase()];
    if (to !== undefined) move(() => to);
    else if (e.key === " " && e.target.nodeName !== "BUTTON") $("play").click();
    else if (e.key === "/") $("find").focus();
    else if (button && !$(button).hidden) $(button).click();
    else return;
    e.preventDefault();
  });
}
