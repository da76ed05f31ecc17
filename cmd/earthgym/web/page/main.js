// The page of a table: it draws what the table says that its viewer sees, and sends what people choose.

import { $, announce, make, startSkips, toast } from "./dom.js";
import { get, key, post, watch } from "./wire.js";
import { Board } from "./board.js";
import { Choices, closeMenu, openMenu, startMenu } from "./choices.js";
import { startTheme } from "./theme.js";
import { fill } from "./fill.js";
import { Plan } from "./plan.js";
import { linked, openBook, ruleID, startBook } from "./book.js";

let about; // what never changes
let sight; // what was told last
let log = [];
let seat = null; // from where the page looks; null as a spectator
let stop = () => {};
let sending = false;
let own = -1; // the last decision of the viewer
let hinted = null;
let board;
let choices;
let plan;
let lessonEnd = Infinity; // the decision at which the lesson ended
let picture = ""; // the board as it is

const hidden = -3;
const seatName = (p) => sight?.seats[p]?.name && sight.seats[p].person ? sight.seats[p].name : fill("Seat {seat}", { seat: p });

start();

async function start() {
  startTheme();
  startSkips();
  $("plainly").href = `plain.html#${key}`;
  startBook();
  startMenu();
  startButtons();
  startKeys();
  if (!key) {
    lost(fill("This link is cut off: the part behind “#” is missing. Copy the whole link that the program has printed."));
    return;
  }
  addEventListener("hashchange", () => location.reload());
  for (let pause = 300; !about; pause = Math.min(2 * pause, 5000)) {
    try {
      about = await (await get("table")).json();
      lost("");
    } catch (error) {
      lost(error.status ? error.message : fill("The table can't be reached. Trying again …"));
      if (error.status === 401) return;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
  $("title").textContent = about.title;
  document.title = about.title;
  board = new Board(pick, askWhy);
  board.number = new Map(about.actions.map((t, i) => [t, i]));
  choices = new Choices(choose, (a) => { board.light(a); plan.preview(a); }, reasons);
  plan = new Plan(() => (sight && deciding() ? { seat, step: sight.step } : null), drawPlanned, (actions) => send("send", { actions }));
  planning(localStorage.getItem("plan") === "on");
  choices.names = about.actions;
  look(about.seats.length === 1 && !about.host ? about.seats[0] : null);
}

/** look follows the table from another seat. */
function look(from) {
  stop();
  seat = from;
  log = [];
  own = -1;
  sight = null;
  $("log").replaceChildren();
  stop = watch(from, told, (text) => lost(fill(text)));
}

function lost(text) {
  $("banner").textContent = text;
  $("banner").hidden = !text;
}

// At one screen

const elsewhere = new Set(JSON.parse(sessionStorage.getItem("elsewhere") ?? "[]"));

/** here are the seats of people at this screen. */
const here = () => sight.people.filter((p) => !elsewhere.has(p));

/** seated says whether the page looks from where it should; otherwise it changes seats, behind a cover where two people share the screen. */
function seated() {
  if (!about.host) return true;
  const people = here();
  const asked = people.includes(sight.asked) ? sight.asked : null;
  if (people.length === 1 && seat !== people[0]) look(people[0]);
  else if (people.length > 1 && asked !== null && seat !== asked) cover(asked);
  else if (seat !== null && !people.includes(seat)) look(null);
  else return true;
  return false;
}

function cover(next) {
  const name = seatName(next);
  $("board").replaceChildren();
  $("text").textContent = "";
  $("choices").replaceChildren();
  $("hints").replaceChildren();
  $("question").textContent = "";
  closeMenu(false);
  look(null);
  $("covertext").textContent = fill("{name} decides. Hand the screen over; what {name} holds is shown behind this cover.", { name });
  $("uncover").textContent = fill("I am {name}", { name });
  $("uncover").onclick = () => {
    $("cover").close();
    look(next);
  };
  if (!$("cover").open) $("cover").showModal();
  announce($("covertext").textContent);
}

// What is told

function told(now) {
  const before = sight;
  sight = now;
  document.body.dataset.step = now.step; // Who drives the page can see when it has caught up.
  const fresh = now.log;
  log = log.slice(0, now.logFrom).concat(fresh);
  if ($("cover").open) {
    if (!here().includes(now.asked) || now.result) $("cover").close();
    else return;
  }
  if (!seated()) return;
  if (before?.step !== now.step) sending = false;
  if (before && before.step !== now.step) {
    hinted = null;
    closeMenu(false);
    $("preview").replaceChildren();
    plan.clear();
  }
  if (now.board !== undefined) picture = now.board;
  drawStatus();
  drawSealed(before, fresh);
  drawLesson();
  if (!plan.draft && (now.board !== undefined || before?.step !== now.step)) board.draw(picture);
  if (!plan.draft) drawChoices();
  plan.draw();
  drawLog(now.logFrom);
  drawHints();
  drawText();
  if ($("table").open) drawTable();
  if (before) announce(fresh.slice(-6).map((l) => l.text).join(" "));
  if (before?.step !== now.step && deciding()) announce(`${now.question}`);
}

const deciding = () => sight.asked !== null && sight.asked === seat;

function drawStatus() {
  const mine = deciding();
  let status;
  if (sight.result) status = fill("The game is over");
  else if (mine) status = fill("Your decision");
  else if (sight.actor === hidden) status = fill("Waiting: who is asked now is a secret");
  else if (sight.thinking) status = fill("{name} ({agent}) is thinking …", { name: seatName(sight.actor), agent: sight.seats[sight.actor].name });
  else status = fill("Waiting for {name}", { name: seatName(sight.actor) });
  $("status").textContent = status;
  $("status").classList.toggle("mine", mine);
  $("who").textContent = seat === null ? fill("looking on") : fill("you are {name}", { name: seatName(seat) });
  const question = plan.draft?.open ? plan.draft.question : sight.question;
  $("question").replaceChildren(...linked(question));
  $("question").hidden = !question;
  document.title = `${mine ? "● " : ""}${about.title}`;
  $("undo").disabled = (!sight.canUndo && plan.actions.length === 0) || sending;
  $("hint").disabled = !mine || about.agents.length === 0 || plan.draft !== null;
  lost(sight.trouble ? sight.trouble : "");
  drawFirst(mine);
  drawResult();
  drawClock();
}

/** drawFirst welcomes whoever has never decided in this game here. */
function drawFirst(mine) {
  $("first").hidden = !mine || sight.lesson !== null || localStorage.getItem(`knows:${about.title}`) !== null;
}

function drawResult() {
  const r = sight.result;
  $("result").hidden = !r;
  if (!r) return;
  const won = r.winners.map(seatName);
  const head = won.length === 0 ? fill("Nobody has won") : won.length === sight.seats.length ? fill("All have won") : won.length > 1 ? fill("{names} have won", { names: won.join(", ") }) : fill("{name} has won", { name: won[0] });
  $("result").replaceChildren(
    make("p", { class: "won" }, `${head} (${r.reason}).`),
    make("table", {}, make("thead", {}, make("tr", {}, ...[fill("Seat"), fill("Score"), fill("Return")].map((t) => make("th", { scope: "col" }, t)))),
      make("tbody", {}, ...r.scores.map((s, p) => make("tr", { class: r.winners.includes(p) ? "winner" : null }, make("th", { scope: "row" }, `${seatName(p)}, ${sight.seats[p].person ? fill("a person") : sight.seats[p].name}${p === seat ? ` (${fill("you")})` : ""}`), make("td", {}, String(+s.toFixed(2))), make("td", {}, r.returns[p].toFixed(2)))))),
    make("button", { type: "button", onclick: saveRecord }, fill("Save the record")),
  );
}

async function saveRecord() {
  try {
    const blob = await (await get("record")).blob();
    const a = make("a", { href: URL.createObjectURL(blob), download: `${about.title.toLowerCase().replace(/[^a-z]+/g, "-")}.jsonl` });
    a.click();
    URL.revokeObjectURL(a.href);
  } catch (error) {
    toast(error.message);
  }
}

let ticking;

function drawClock() {
  clearInterval(ticking);
  const clock = $("clock");
  clock.hidden = sight.left === null;
  if (sight.left === null) return;
  const end = performance.now() + 1000 * sight.left;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    clock.textContent = fill("{time} left", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` });
  };
  tick();
  ticking = setInterval(tick, 500);
}

/** lastMoves are the decisions since the viewer's own last one; a spectator's, the last alone. */
function lastMoves() {
  const moves = log.filter((l) => l.kind === "action" && l.action >= 0 && (seat === null ? l.decision === sight.decision - 1 : l.decision > own));
  return new Set(moves.slice(-6).map((l) => l.action));
}

function drawChoices() {
  for (const l of log) if (l.kind === "action" && l.player === seat) own = Math.max(own, l.decision);
  own = Math.min(own, sight.decision - 1);
  const mine = deciding();
  const list = mine ? offered() : [];
  choices.offer(list, mine);
  board.offer(list, mine, lastMoves());
}

/** offered is what can be chosen now, or after what is planned. */
const offered = () => (plan.draft ? plan.draft.choices : sight.choices);

/** drawPlanned shows the table as the plan would leave it. */
function drawPlanned() {
  drawStatus();
  board.draw(plan.draft?.board || picture);
  drawChoices();
  drawHints();
  drawText();
}

/** drawLesson tells what came of the last decision, and what to do now. */
function drawLesson() {
  const l = sight.lesson;
  $("lesson").hidden = !l || (l.finished && sight.decision > lessonEnd);
  if (!l) return;
  if (!l.finished) lessonEnd = Infinity;
  else if (lessonEnd === Infinity) lessonEnd = sight.decision;
  const told = [$("said").textContent, $("say").textContent].join();
  $("lessonhead").textContent = l.finished ? l.title : fill("{title} ({n} of {all})", { title: l.title, n: Math.min(l.at + 1, l.of), all: l.of });
  $("said").replaceChildren(...linked(l.said));
  $("say").replaceChildren(...linked(l.finished ? fill("The lesson is over: play on as you like.") : l.say));
  $("showme").hidden = l.action < 0;
  if ([$("said").textContent, $("say").textContent].join() !== told) announce(`${l.said} ${l.say}`);
}

/** showMe marks what the lesson wants, on the board and in the list. */
function showMe() {
  const wanted = sight.lesson?.action ?? -1;
  if (wanted < 0) return;
  board.light(wanted);
  const button = $("choices").querySelector(`[data-action="${wanted}"]`);
  button?.scrollIntoView({ block: "nearest" });
  button?.focus();
}

/** drawSealed tells of choices that nobody else sees before all have chosen, and what they were once they are open. */
function drawSealed(before, fresh) {
  const names = sight.envelopes.map((p) => (p === seat ? fill("you") : seatName(p)));
  const parts = [];
  if (sight.sealed && deciding()) parts.push(fill("What you choose is sealed: others learn it when all have chosen."));
  if (names.length > 0) parts.push(fill("Sealed choices so far: {names}.", { names: names.join(", ") }));
  if (sight.sealed && sight.toCome > 0 && !deciding()) parts.push(sight.toCome === 1 ? fill("Waiting for one more seat.") : fill("Waiting for {n} more seats.", { n: sight.toCome }));
  $("sealed").hidden = parts.length === 0;
  $("sealed").textContent = `✉ ${parts.join(" ")}`;
  if (before?.sealed && !sight.sealed) {
    const lines = fresh.filter((l) => l.kind !== "action" || l.action < 0);
    $("revealed").replaceChildren(...lines.map((l) => make("li", {}, ...linked(l.text))));
    $("reveal").hidden = lines.length === 0;
  } else if (sight.sealed) {
    $("reveal").hidden = true;
  }
}

function drawLog(from) {
  const list = $("log");
  const bottom = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  while (list.childElementCount > from) list.lastElementChild.remove();
  list.append(...log.slice(from).map((l) => make("li", { class: `${l.kind}${l.kind === "action" && l.player === seat ? " own" : ""}` }, ...linked(l.text))));
  const last = log.findLastIndex((l) => l.kind === "action" && l.player === seat);
  for (const [i, li] of [...list.children].entries()) li.classList.toggle("fresh", seat !== null && i > last && log[i].decision >= 0);
  if (bottom || from === 0) list.scrollTop = list.scrollHeight;
}

async function drawText() {
  const reading = $("reading").getAttribute("aria-pressed") === "true";
  $("text").hidden = !reading;
  $("board").hidden = reading;
  if (!reading) return;
  if (plan.draft?.text) {
    $("text").textContent = plan.draft.text;
    return;
  }
  try {
    const { text } = await (await get("text", sight?.viewer >= 0 ? `seat=${seat}` : "")).json();
    $("text").textContent = text;
  } catch (error) {
    toast(error.message);
  }
}

// What people do

async function send(path, body) {
  if (sending) return;
  sending = true;
  document.body.classList.add("sending");
  localStorage.setItem(`knows:${about.title}`, "yes");
  try {
    await post(path, { seat, step: sight.step, ...body });
  } catch (error) {
    sending = false;
    toast(error.status ? error.message : fill("The table can't be reached; nothing was played. Try again when the connection stands."));
  } finally {
    document.body.classList.remove("sending");
  }
}

function play(c) {
  closeMenu(true);
  return send("play", { action: c.action });
}

/** choose plays a choice, or adds it to the plan. */
function choose(c) {
  if (!plan.on) return play(c);
  closeMenu(true);
  return plan.add(c.action);
}

function planning(on) {
  $("planning").setAttribute("aria-pressed", String(on));
  localStorage.setItem("plan", on ? "on" : "off");
  plan.turn(on);
  if (sight) drawPlanned();
}

/** pick offers what a thing on the board stands for. */
function pick(actions, x, y, from) {
  const list = offered().filter((c) => actions.includes(c.action));
  openMenu(x, y, from, ...list.map((c) => make("button", { type: "button", "data-action": c.action, onclick: () => choose(c), onfocus: () => plan.preview(c.action), onpointerover: () => plan.preview(c.action) }, c.which && !/^place /.test(c.which) ? make("span", {}, `${c.what}: `, make("b", {}, c.which)) : c.what)));
}

/** reasons says why some actions are not possible. */
async function reasons(actions) {
  try {
    const query = new URLSearchParams(actions.map((a) => ["action", a]));
    query.append("seat", seat);
    for (const a of plan.actions) query.append("after", a);
    if (plan.actions.length > 0) query.append("step", sight.step);
    return await (await get("why", query)).json();
  } catch {
    return null; // It is somebody else's decision by now.
  }
}

/** askWhy tells why nothing can be done with a thing: beside it, or, without a place, as the text that it gives. */
async function askWhy(actions, x, y, from) {
  const all = await reasons(actions.slice(0, 12));
  if (!all) return "";
  const different = [...new Map(actions.slice(0, 12).map((a) => [all[a], `${about.actions[a]}: ${all[a]}`]).filter(([why]) => why)).values()];
  if (x !== null) openMenu(x, y, from, ...different.map((t) => make("p", {}, ...linked(t))));
  return different.join("\n");
}

// Hints

function drawHints() {
  const box = $("hints");
  if (!deciding() || plan.draft) { // An agent is asked about what is decided now.
    box.hidden = true;
    $("hint").setAttribute("aria-expanded", "false");
    return;
  }
  if (box.hidden) return;
  const chosen = box.querySelector("select")?.value ?? localStorage.getItem("hint") ?? (about.agents.includes("script:strong") ? "script:strong" : about.agents.at(-1));
  const select = make("select", { id: "hinter", "aria-label": fill("Agent that is asked") }, ...about.agents.map((a) => make("option", { value: a, selected: a === chosen }, a)));
  box.replaceChildren(make("p", { class: "asker" }, select, make("button", { type: "button", onclick: askHint }, fill("What would it do?"))));
  if (hinted?.step === sight.step) box.append(...hintRows(hinted));
}

function hintRows(h) {
  const names = new Map(sight.choices.map((c) => [c.action, c]));
  const worth = (c) => c.value ?? (c.score > -1e5 ? c.score : null); // Less is a bot's word for never.
  const list = h.choices.toSorted((a, b) => b.probability - a.probability || (worth(b) ?? -Infinity) - (worth(a) ?? -Infinity)).slice(0, 5);
  const values = list.map(worth).filter((v) => v !== null);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const single = list.filter((c) => c.probability > 0).length === 1 && values.length > 0;
  const rows = list.map((c, i) => {
    const name = names.get(c.action);
    const share = single && worth(c) === null ? 0 : single && most > least ? Math.max(0.02, ((worth(c) ?? least) - least) / (most - least)) : c.probability;
    const figure = c.value !== null ? fill("return {x}", { x: c.value.toFixed(2) }) : c.score !== null ? (worth(c) === null ? fill("never") : fill("{x} points", { x: c.score.toFixed(1) })) : `${Math.round(100 * c.probability)} %`;
    return make("li", {}, make("button", { type: "button", class: "bar", style: { "--share": `${Math.round(100 * share)}%` }, "data-action": c.action, onclick: () => choose(name), onpointerover: () => board.light(c.action), onpointerout: () => board.light(null) },
      make("span", {}, `${single && i === 0 ? "★ " : ""}${name.which ? `${name.what}: ${name.which}` : name.what}`), make("span", { class: "figure" }, single || c.value !== null || c.score !== null ? figure : `${Math.round(100 * c.probability)} %`)));
  });
  const out = [make("ol", { class: "bars" }, ...rows)];
  if (h.value !== null) out.push(make("p", {}, fill("It expects a return of {x} for you, between −1 and 1.", { x: h.value.toFixed(2) })));
  if (h.line.length > 1) out.push(make("p", {}, fill("The game may go on so: {line}.", { line: h.line.join("; ") })));
  return out;
}

async function askHint() {
  const agent = $("hinter").value;
  localStorage.setItem("hint", agent);
  const { step } = sight;
  $("hints").append(make("p", { class: "wait" }, fill("{agent} thinks …", { agent })));
  try {
    const h = await post("hint", { seat, step, agent });
    if (h.step !== sight.step) return;
    hinted = h;
    drawHints();
    announce(fill("{agent} would choose: {choice}", { agent, choice: $("hints").querySelector(".bar span")?.textContent }));
  } catch (error) {
    drawHints();
    toast(error.message);
  }
}

// The table: who sits where

function drawTable() {
  const free = new Set(about.seats);
  $("chairs").replaceChildren(make("table", {}, make("tbody", {}, ...sight.seats.map((s, p) => {
    const who = make("th", { scope: "row" }, fill("Seat {seat}", { seat: p }));
    const name = make("td", {}, s.person ? (s.name || fill("a person")) : s.name);
    const cells = [who, name];
    if (free.has(p)) {
      const select = make("select", { "aria-label": fill("Who sits in seat {seat}", { seat: p }) }, make("option", { value: "", selected: s.person }, fill("a person")),
        ...about.agents.map((a) => make("option", { value: a, selected: !s.person && a === s.name }, a)));
      select.addEventListener("change", () => sit({ seat: p, agent: select.value }));
      cells.push(make("td", {}, select));
      const input = make("input", { value: s.person ? s.name : "", placeholder: fill("name"), maxlength: 40, "aria-label": fill("Name of the person in seat {seat}", { seat: p }), disabled: !s.person });
      input.addEventListener("change", () => sit({ seat: p, name: input.value }));
      cells.push(make("td", {}, input));
      if (about.host && s.person && sight.people.length > 1) {
        const box = make("input", { type: "checkbox", checked: !elsewhere.has(p), "aria-label": fill("Seat {seat} plays at this screen", { seat: p }) });
        box.addEventListener("change", () => {
          elsewhere[box.checked ? "delete" : "add"](p);
          sessionStorage.setItem("elsewhere", JSON.stringify([...elsewhere]));
          seated();
        });
        cells.push(make("td", {}, make("label", {}, box, ` ${fill("here")}`)));
      }
    }
    return make("tr", {}, ...cells);
  }))));
  if (!about.links) return;
  const link = (secret) => `${location.origin}${location.pathname}#${secret}`;
  $("links").replaceChildren(make("h3", {}, fill("Links to hand out")), make("p", {}, fill("Who has the link of a seat sees its secrets and decides for it.")),
    ...[...about.links.seats.map((k, p) => [fill("Seat {seat}", { seat: p }), k]), [fill("Looking on"), about.links.watch]].map(([name, k]) => make("p", { class: "link" }, make("span", {}, name), make("input", { readonly: true, value: link(k), "aria-label": fill("Link: {name}", { name }), onfocus: (e) => e.target.select() }),
      make("button", { type: "button", onclick: () => navigator.clipboard.writeText(link(k)).then(() => toast(fill("Copied")), () => toast(fill("Select the link and copy it"))) }, fill("Copy")))));
}

async function sit(body) {
  try {
    await post("sit", body);
  } catch (error) {
    toast(error.message);
    drawTable();
  }
}

// Buttons and keys

function startButtons() {
  $("undo").addEventListener("click", () => (plan.actions.length > 0 ? plan.cut(plan.actions.length - 1) : send("undo", {})));
  $("showme").addEventListener("click", showMe);
  $("begin").addEventListener("click", () => openBook().catch((e) => toast(e.message)));
  $("planning").addEventListener("click", () => planning(!plan.on));
  $("revealclose").addEventListener("click", () => { $("reveal").hidden = true; });
  $("hint").addEventListener("click", () => {
    $("hints").hidden = !$("hints").hidden;
    $("hint").setAttribute("aria-expanded", String(!$("hints").hidden));
    drawHints();
    if (!$("hints").hidden) askHint();
  });
  $("rules").addEventListener("click", () => openBook(ruleID.exec(sight?.question ?? "")?.[0]).catch((e) => toast(e.message)));
  $("people").addEventListener("click", () => {
    drawTable();
    $("table").showModal();
  });
  $("tableclose").addEventListener("click", () => $("table").close());
  $("cover").addEventListener("cancel", (e) => e.preventDefault());
  $("reading").addEventListener("click", (e) => {
    e.currentTarget.setAttribute("aria-pressed", String(e.currentTarget.getAttribute("aria-pressed") !== "true"));
    drawText();
  });
}

function startKeys() {
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.nodeName) || document.querySelector("dialog[open]")) return;
    const button = { u: "undo", h: "hint", r: "rules", t: "reading", p: "planning", s: "plansend", w: "showme", backspace: "planback" }[e.key.toLowerCase()];
    if (e.key === "/") {
      e.preventDefault();
      $("find").focus();
    } else if (button && !$(button).disabled) {
      e.preventDefault();
      $(button).click();
    }
  });
}
