// The page of a table: it draws what the table says that its viewer sees, and sends what people choose.

import { $, announce, forgetSeat, insist, keep, kept, leadOn, make, named, refill, seatMark, shown, startSkips, toast } from "./dom.js";
import { begin, get, home, key, post, puzzleOf, watch, whole } from "./wire.js";
import { Board } from "./board.js";
import { Choices, closeMenu, openMenu, startMenu } from "./choices.js";
import { startTheme } from "./theme.js";
import { fill } from "./fill.js";
import { Plan } from "./plan.js";
import { Puzzle } from "./puzzle.js";
import { sound, startSounds } from "./sound.js";
import { Story } from "./story.js";
import { drawEnd } from "./end.js";
import { linked, openBook, ruleID, startBook } from "./book.js";

let about; // what never changes
let sight; // what was told last
let story;
let seat = null; // from where the page looks; null as a spectator
let stop = () => {};
let sending = false;
let hinted = null; // what an agent has said of the decision that is asked for, with its preview
let board;
let choices;
let plan;
let puzzle = null; // that is to be solved before the game goes on
let lessonEnd = Infinity; // the decision at which the lesson ended
let picture = ""; // the board as it is

const hidden = -3;
/** character is who an agent in a seat is, if it has one. */
const character = (p) => about.characters.find((x) => x.agent === sight.seats[p].name);
const seatName = (p) => sight?.seats[p]?.called ?? fill("Player {n}", { n: p + 1 });

start();

async function start() {
  startTheme();
  startSkips();
  leadOn("plainly", "plain.html");
  startBook();
  startSounds();
  startMenu();
  if (!key) {
    lost(fill("This link is cut off: the part behind “#” is missing. Copy the whole link that the program has printed."));
    return;
  }
  addEventListener("hashchange", () => location.reload());
  about = await insist(() => get("table"), lost, fill("The table can't be reached. Trying again …"));
  if (!about) return;
  $("title").textContent = about.title;
  document.title = about.title;
  $("aim").textContent = about.aim;
  $("aim").hidden = !about.aim;
  const to = home(about);
  $("home").hidden = !to;
  $("home").href = to ?? "";
  if (about.room) {
    $("home").title = fill("All tables of the room");
    $("home").lastElementChild.textContent = ` ${fill("Room")}`;
  }
  $("learn").hidden = !to || Boolean(about.room);
  board = new Board(pick, askWhy, { fills: true, called: seatName });
  board.number = new Map(about.actions.map((t, i) => [t, i]));
  choices = new Choices(choose, (a) => { board.light(a); plan.preview(a); }, reasons);
  story = new Story(past, back, about.colours);
  plan = new Plan(() => (sight && deciding() && !sending ? { seat, step: sight.step } : null), drawPlanned, (actions) => send("send", { actions }));
  planning(kept("plan") === "on");
  choices.names = about.actions;
  startButtons();
  startKeys();
  look(about.seats.length === 1 && !about.host ? about.seats[0] : null);
}

/** look follows the table from another seat. */
function look(from) {
  stop();
  seat = from;
  sight = null;
  plan.clear(); // It is of whoever sat here.
  $("preview").hidden = true;
  story.forget();
  stop = watch(from, told, (text) => lost(fill(text)));
}

function lost(text) {
  $("banner").textContent = text;
  $("banner").hidden = !text;
}

// At one screen

const elsewhere = new Set(JSON.parse(kept("elsewhere", "sessionStorage") ?? "[]"));

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
  if (now.table !== about.table) return location.reload(); // Another game has been begun.
  const before = sight;
  sight = now;
  hear(now.said ?? [], !before);
  document.body.dataset.step = now.step; // Who drives the page can see when it has caught up.
  const fresh = now.log;
  story.take(now);
  if ($("cover").open) {
    if (!here().includes(now.asked) || now.result) $("cover").close();
    else return;
  }
  if (!seated()) return;
  const same = (of) => JSON.stringify(before?.[of]) === JSON.stringify(now[of]);
  const anew = before?.step !== now.step || before.asked !== now.asked; // Otherwise a name has changed, or something was said.
  if (before?.step !== now.step) sending = false;
  if (before && before.step !== now.step) {
    hinted = null;
    $("hints").hidden = true; // Nobody has been asked about the next one.
    closeMenu(false);
    plan.preview(null);
    $("preview").hidden = true; // at once: what it is about can't be chosen any more
    plan.clear();
  }
  const drawn = picture;
  if (now.board !== undefined) picture = now.board;
  drawStatus();
  drawSealed(before, fresh);
  drawLesson();
  if (!plan.draft && !story.elsewhere && (picture !== drawn || before?.step !== now.step || !same("seats"))) board.draw(picture);
  plan.draw();
  if (anew) drawHints();
  if (anew && !plan.draft) drawChoices();
  story.draw(now.logFrom, seat, seatName);
  drawText();
  if (before && before.step !== now.step) story.play(before.decision, seat);
  if ($("table").open && !(same("seats") && same("people"))) drawTable();
  if (!before && puzzle === null && puzzleOf(about) !== null && deciding()) drawPuzzle();
  if (before) announce(fresh.slice(-6).map((l) => l.text).join(" "));
  if (before && before.step !== now.step) sound(now.result ? "end" : deciding() ? "turn" : "move");
  if (before?.step !== now.step && deciding()) announce(`${now.question}`);
}

const deciding = () => sight.asked !== null && sight.asked === seat;

function drawStatus() {
  const mine = deciding();
  let status;
  if (sight.result) status = fill("The game is over");
  else if (mine) status = fill("Your decision");
  else if (sight.actor === hidden) status = fill("Waiting: who is asked now is a secret");
  else if (sight.thinking) status = fill("{name} ({agent}) is thinking …", { name: seatName(sight.actor), agent: character(sight.actor)?.name ?? sight.seats[sight.actor].name });
  else status = fill("Waiting for {name}", { name: seatName(sight.actor) });
  $("status").textContent = status;
  $("status").classList.toggle("mine", mine);
  $("who").textContent = seat === null ? fill("looking on") : fill("you are {name}", { name: seatName(seat) });
  const question = plan.draft?.open ? plan.draft.question : sight.question;
  $("question").replaceChildren(...linked(question, true));
  $("question").hidden = !question || sight.result !== null;
  drawStanding();
  document.title = `${mine ? "● " : ""}${about.title}`;
  $("undo").disabled = (!sight.canUndo && plan.actions.length === 0) || sending || solving();
  $("planning").disabled = solving() || sight.result !== null;
  $("hint").disabled = !mine || about.agents.length === 0 || plan.draft !== null || solving();
  lost(sight.trouble ? sight.trouble : "");
  drawFirst(mine);
  drawThought();
  drawResult();
  drawClock();
}

/** drawStanding says where everybody stands. */
function drawStanding() {
  const of = sight.standing ?? [];
  $("standing").hidden = of.length === 0 || sight.result !== null;
  const all = of.length > 0 && about.together;
  $("standing").replaceChildren(...(all ? [fill("{n} {what}", { n: +of[0].toFixed(2), what: about.points })]
    : [`${about.points[0].toUpperCase()}${about.points.slice(1)}:`, ...of.map((x, p) => make("span", { class: "seat" }, seatMark(about.colours[p]), make("bdi", {}, p === seat ? fill("you") : seatName(p)), make("b", {}, String(+x.toFixed(2)))))]));
}

/** drawFirst welcomes whoever has never decided in this game here. */
function drawFirst(mine) {
  $("first").hidden = !mine || sight.lesson !== null || solving() || kept(`knows:${about.title}`) !== null;
}

function drawResult() {
  const r = sight.result;
  $("result").hidden = !r;
  document.body.classList.toggle("over", r !== null);
  if (!r) $("result").replaceChildren();
  else if (!$("result").childElementCount) {
    import("./placement.js").then(({ finished }) => finished(about, sight, seat));
    drawEnd({ about, sight, seat, seatName, saveRecord, show: (load, caption) => story.lookAt(load, caption) });
  }
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

let pondered; // what is waited for

/** drawThought shows how far an agent that searches is, once that takes a moment. */
function drawThought() {
  const mine = sight.searching ? `${sight.step}` : null;
  if (pondered === mine) return;
  pondered = mine;
  $("pondering").hidden = true;
  if (mine === null) return;
  $("movenow").hidden = seat === null;
  const look = async () => {
    if (pondered !== mine) return;
    try {
      const { thought } = await (await get("thought", seat === null ? "" : `seat=${seat}`)).json();
      if (pondered !== mine) return;
      $("pondering").hidden = false;
      $("thought").value = thought;
    } catch { /* The table can't be reached, as is said elsewhere. */ }
    setTimeout(look, 250);
  };
  setTimeout(look, 300);
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

function drawChoices() {
  const mine = deciding();
  const list = mine ? offered() : [];
  choices.offer(list, mine && !plan.whole, hinted?.step === sight.step && !plan.draft ? hinted : null);
  board.offer(story.elsewhere ? [] : list, mine && !story.elsewhere, story.lastMoves(seat, sight.decision));
  board.advise(hinted?.step === sight.step && !plan.draft ? hinted.best : null);
}

/** offered is what can be chosen now, or after what is planned. */
const offered = () => (plan.whole ? [] : plan.draft ? plan.draft.choices : sight.choices);

/** drawPlanned shows the table as the plan would leave it. */
function drawPlanned() {
  drawStatus();
  board.draw(plan.board || picture);
  drawHints();
  drawChoices();
  drawText();
}

/** past is the board after a decision, as the viewer saw it. */
async function past(decision) {
  const query = { decision };
  if (sight.viewer >= 0) query.seat = seat;
  return (await get("past", new URLSearchParams(query))).json();
}

/** back shows what was, with a sentence of it, or (null) what stands now. */
function back(moment) {
  board.draw(moment ? moment.board : plan.board || picture);
  if (moment) board.offer([], false, new Set([moment.action]));
  else drawChoices();
}

/** drawPuzzle asks for the move that is best, unless the game has gone on. */
async function drawPuzzle() {
  const mark = (action) => { hinted = { step: sight.step, best: action, why: [] }; drawChoices(); showMe(action); };
  puzzle = new Puzzle(Number(puzzleOf(about)), about, seat, { nameOf, mark, end: () => { hinted = null; drawStatus(); drawChoices(); } });
  if (plan.on) planning(false); // What is chosen is the answer.
  try {
    await puzzle.load();
    if (puzzle.choices.length !== sight.choices.length || !puzzle.choices.every((c) => nameOf(c.action))) puzzle.close();
  } catch (error) {
    toast(error.message);
  }
  drawStatus();
}

const solving = () => puzzle?.open ?? false;

/** drawLesson tells what came of the last decision, and what to do now. */
function drawLesson() {
  const l = sight.lesson;
  if (solving()) return;
  $("lesson").hidden = !l || (l.finished && sight.decision > lessonEnd);
  document.body.classList.toggle("learning", l !== null && !l.finished);
  if (!l) return;
  if (!l.finished) lessonEnd = Infinity;
  else if (lessonEnd === Infinity) lessonEnd = sight.decision;
  const told = [$("came").textContent, $("say").textContent].join();
  $("lessonhead").textContent = l.finished ? l.title : fill("{title} ({n} of {all})", { title: l.title, n: Math.min(l.at + 1, l.of), all: l.of });
  $("came").replaceChildren(...linked(l.said));
  $("say").replaceChildren(...linked(l.finished ? fill("The lesson is over: play on as you like.") : l.say));
  $("showme").hidden = l.action < 0;
  if ([$("came").textContent, $("say").textContent].join() !== told) announce(`${l.said} ${l.say}`);
}

/** showMe marks a choice that is wanted, on the board and in the list. */
function showMe(wanted) {
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
  story.present();
  keep(`knows:${about.title}`, "yes");
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

/** choose plays a choice, adds it to the plan, or begins a form with it; a lesson goes step by step. */
function choose(c) {
  if (solving()) {
    closeMenu(true);
    return puzzle.answer(c.action);
  }
  if (!plan.on && !plan.form && (!c.more || document.body.classList.contains("learning"))) return play(c);
  closeMenu(true);
  return plan.on || plan.form ? plan.add(c.action) : plan.begin(c.action);
}

function planning(on) {
  $("planning").setAttribute("aria-pressed", String(on));
  keep("plan", on ? "on" : "off");
  document.body.classList.toggle("planning", on);
  plan.turn(on);
  if (sight) drawPlanned();
}

/** pick offers what a thing on the board stands for. */
function pick(actions, x, y, from) {
  const list = offered().filter((c) => actions.includes(c.action));
  openMenu(x, y, from, ...list.map((c) => make("button", { type: "button", "data-action": c.action, onclick: () => choose(c), onfocus: () => plan.preview(c.action), onpointerover: () => plan.preview(c.action) }, named(c))));
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

/** adviser is the agent that is asked: the one that was chosen last, or the strongest that answers at once. */
const adviser = () => [kept("hint"), "net:", "script:strong", about.agents.at(-1)].find((a) => about.agents.includes(a));

function drawHints() {
  const box = $("hints");
  if (!deciding() || plan.draft) box.hidden = true; // An agent is asked about what is decided now.
  $("hint").setAttribute("aria-expanded", String(!box.hidden));
  if (box.hidden) return;
  const of = hinted?.step === sight.step ? hinted : null;
  const select = make("select", { id: "hinter", "aria-label": fill("Agent that is asked"), onchange: () => { keep("hint", select.value); askHint(); } }, ...about.agents.map((a) => make("option", { value: a, selected: a === adviser() }, a)));
  const open = box.querySelector("details")?.open;
  const chance = of && of.value !== null && !about.together ? fill(" You would win about {n} of 10 from here.", { n: Math.round(10 * chanceOf(of.value)) }) : "";
  box.replaceChildren(make("details", { open }, make("summary", {}, !of ? fill("{agent} thinks …", { agent: adviser() }) : make("span", {}, make("b", {}, `★ ${named(nameOf(of.best))}.`), chance)), ...(of ? hintRows(of) : []), make("p", { class: "asker" }, fill("Asked: "), select)));
}

const nameOf = (action) => sight.choices.find((c) => c.action === action);

/** chanceOf is how likely a win is of which a return is expected, as far as games are won or lost. */
function chanceOf(value) {
  const lose = about.players > 1 ? -1 / (about.players - 1) : -1;
  return Math.min(1, Math.max(0, (value - lose) / (1 - lose)));
}

const worth = (c) => c.value ?? (c.score > -1e5 ? c.score : null); // Less is a bot's word for never.
const ranked = (list) => list.toSorted((a, b) => b.probability - a.probability || (worth(b) ?? -Infinity) - (worth(a) ?? -Infinity));

function hintRows(h) {
  const list = ranked(h.choices).slice(0, 5);
  const values = list.map(worth).filter((v) => v !== null);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const single = list.filter((c) => c.probability > 0).length === 1 && values.length > 0;
  const rows = list.map((c) => {
    const share = single && worth(c) === null ? 0 : single && most > least ? Math.max(0.02, ((worth(c) ?? least) - least) / (most - least)) : c.probability;
    return make("li", {}, make("button", { type: "button", class: "bar", style: { "--share": `${Math.round(100 * share)}%` }, "data-action": c.action, onclick: () => choose(nameOf(c.action)), onpointerover: () => board.light(c.action), onpointerout: () => board.light(null) },
      make("span", {}, named(nameOf(c.action))), single ? null : make("span", { class: "figure" }, `${Math.round(100 * c.probability)} %`)));
  });
  const out = [make("ol", { class: "bars" }, ...rows)];
  if (h.line.length > 1) out.push(make("p", {}, fill("The game may go on so: {line}.", { line: h.line.join("; ") })));
  return out;
}

async function askHint() {
  const agent = adviser();
  const { step } = sight;
  hinted = null;
  drawHints();
  try {
    const h = await post("hint", { seat, step, agent });
    h.best = ranked(h.choices)[0].action;
    const move = (await post("draft", { seat, step, actions: [h.best] })).moves[0]; // what it would bring: the reason
    h.why = [...move.story, ...move.perhaps.slice(0, 2).map((p) => `${Math.round(100 * p.share)} %: ${p.text}`)];
    if (step !== sight.step) return;
    hinted = h;
    drawHints();
    drawChoices();
    $("choices").querySelector(".advised")?.scrollIntoView({ block: "nearest" });
    announce(fill("{agent} would choose: {choice}", { agent, choice: [named(nameOf(h.best)), ...h.why].join(". ") }));
  } catch (error) {
    if (step !== sight.step) return;
    $("hints").hidden = true;
    toast(error.message);
  }
}

// The table: who sits where

/** portrait is the face of a character, whose drawing the first sight of the table does without. */
function portrait({ agent, name }) {
  const place = make("span", { class: "face" });
  import("./face.js").then(({ face }) => place.replaceWith(face(agent, name)));
  return place;
}

function drawTable() {
  const free = new Set(about.seats);
  refill($("chairs"), make("table", {}, make("tbody", {}, ...sight.seats.map((s, p) => {
    const who = make("th", { scope: "row" }, seatName(p));
    const met = s.person ? null : character(p);
    const name = make("td", {}, met ? make("span", { class: "met", title: met.agent }, portrait(met), make("span", {}, make("b", {}, met.name), ` ${met.manner}`)) : s.person ? (s.name || fill("a person")) : s.name);
    const cells = [who, name];
    if (free.has(p)) {
      const select = make("select", { "data-does": `agent ${p}`, "aria-label": fill("Who plays as {name}", { name: seatName(p) }) }, make("option", { value: "", selected: s.person }, fill("a person")),
        s.person || about.agents.includes(s.name) ? null : make("option", { value: s.name, selected: true, disabled: true }, met?.name ?? s.name),
        ...about.agents.map((a) => make("option", { value: a, selected: !s.person && a === s.name }, a)));
      select.addEventListener("change", () => sit({ seat: p, agent: select.value }));
      cells.push(make("td", {}, select));
      const input = make("input", { "data-does": `name ${p}`, value: s.person ? s.name : "", placeholder: fill("name"), maxlength: 40, "aria-label": fill("Name of {name}", { name: seatName(p) }), disabled: !s.person });
      input.addEventListener("change", () => sit({ seat: p, name: input.value }));
      cells.push(make("td", {}, input));
      if (about.host && s.person && sight.people.length > 1) {
        const box = make("input", { type: "checkbox", "data-does": `here ${p}`, checked: !elsewhere.has(p), "aria-label": fill("{name} plays at this screen", { name: seatName(p) }) });
        box.addEventListener("change", () => {
          elsewhere[box.checked ? "delete" : "add"](p);
          keep("elsewhere", JSON.stringify([...elsewhere]), "sessionStorage");
          seated();
        });
        cells.push(make("td", {}, make("label", {}, box, ` ${fill("here")}`)));
      }
    }
    return make("tr", {}, ...cells);
  }))));
  if (about.room && seat !== null) drawRoom();
  if (!about.links) return;
  if (whole) {
    const address = location.href;
    $("links").replaceChildren(make("h3", {}, fill("A link to this game")), make("p", {}, fill("It holds the whole game as far as it has come: whoever opens it goes on from here.")), linkRow(fill("This game"), address));
    return;
  }
  const link = (secret) => `${location.origin}${location.pathname}#${secret}`;
  $("links").replaceChildren(make("h3", {}, fill("Links to hand out")), make("p", {}, fill("Who has the link of a seat sees its secrets and decides for it.")),
    ...[...about.links.seats.map((k, p) => [seatName(p), k]), [fill("Looking on"), about.links.watch]].map(([name, k]) => linkRow(name, link(k))));
}

/** linkRow is a link to be copied. */
function linkRow(name, address) {
  return make("p", { class: "link" }, make("span", {}, name), make("input", { readonly: true, value: address, "aria-label": fill("Link: {name}", { name }), onfocus: (e) => e.target.select() }),
    make("button", { type: "button", onclick: () => navigator.clipboard.writeText(address).then(() => toast(fill("Copied")), () => toast(fill("Select the link and copy it"))) }, fill("Copy")),
    whole ? null : make("button", { type: "button", onclick: (e) => drawLink(e.currentTarget.parentElement, name, address), "aria-label": fill("{name}: as a QR code", { name }) }, "QR"));
}

/** drawLink shows a link as a QR code below its row, or takes it away. */
async function drawLink(row, name, address) {
  if (row.nextElementSibling?.matches(".qr")) return void row.nextElementSibling.remove();
  try {
    row.after(make("p", { class: "qr" }, shown((await post("qr", { link: address })).svg, fill("QR code: {name}", { name }))));
  } catch (error) {
    toast(error.message);
  }
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

// In a room

let heard = 0; // the number of the phrase that was heard last

/** hear shows what others have said since. */
function hear(said, first) {
  for (const s of said) {
    if (s.number <= heard) continue;
    heard = s.number;
    if (first) continue;
    const text = fill("{name}: “{phrase}”", { name: s.player === seat ? fill("You") : seatName(s.player), phrase: s.phrase });
    toast(text);
    announce(text);
  }
}

/** drawRoom shows what can be said, and the way out. */
function drawRoom() {
  const away = (error) => { $("table").close(); toast(error.message); };
  $("links").replaceChildren(make("h3", {}, fill("Say to the table")),
    make("p", { class: "phrases" }, ...about.phrases.map((phrase, i) => make("button", { type: "button", onclick: () => post("say", { say: i }).then(() => $("table").close(), away) }, phrase))),
    make("p", {}, make("button", { type: "button", id: "leave", onclick: () => post("leave", {}).then(() => { forgetSeat(key); location.href = home(about); }, away) }, fill("Leave the table")), " ",
      fill("Your seat is then free for whoever comes.")));
}

function startButtons() {
  $("undo").addEventListener("click", () => (plan.actions.length > 0 ? plan.cut(plan.actions.length - 1) : send("undo", {})));
  $("showme").addEventListener("click", () => (solving() ? puzzle.show() : showMe(sight.lesson?.action ?? -1)));
  $("learn").addEventListener("click", () => begin({ lesson: about.name }).catch((e) => toast(e.message)));
  $("begin").addEventListener("click", () => openBook().catch((e) => toast(e.message)));
  $("movenow").addEventListener("click", () => post("now", { seat, step: sight.step }).catch((e) => toast(e.message)));
  $("planning").addEventListener("click", () => planning(!plan.on));
  $("revealclose").addEventListener("click", () => { $("reveal").hidden = true; });
  $("hint").addEventListener("click", () => {
    $("hints").hidden = !$("hints").hidden;
    $("hint").setAttribute("aria-expanded", String(!$("hints").hidden));
    if (!$("hints").hidden) return void askHint();
    hinted = null;
    drawChoices();
  });
  for (const [id, to] of [["raise", { low: "", "": "up", up: "up" }], ["lower", { up: "", "": "low", low: "low" }]]) {
    $(id).addEventListener("click", () => { document.body.dataset.sheet = to[document.body.dataset.sheet ?? ""]; board.crop(); });
  }
  $("rules").addEventListener("click", () => openBook(ruleID.exec(sight?.question ?? "")?.[0]).catch((e) => toast(e.message)));
  $("people").addEventListener("click", () => {
    if (sight) drawTable();
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
    const button = { u: "undo", h: "hint", r: "rules", t: "reading", p: "planning", s: "plansend", w: "showme", l: "storyopen", backspace: "planback" }[e.key.toLowerCase()];
    if (e.key === "Escape" && story.elsewhere) {
      e.preventDefault();
      story.present();
    } else if (e.key === "Escape" && plan.form) {
      e.preventDefault();
      plan.cut(0);
    } else if (e.key === "/") {
      e.preventDefault();
      $("find").focus();
    } else if (button && !$(button).disabled) {
      e.preventDefault();
      $(button).click();
    }
  });
}
