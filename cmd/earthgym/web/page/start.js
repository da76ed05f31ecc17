// The start: five covers, a first lesson, a game with seats and opponents, and what is saved.

import { $, make, toast } from "./dom.js";
import { fill } from "./fill.js";
import { daily, puzzles, streak } from "./puzzle.js";
import { startTheme } from "./theme.js";
import { face } from "./face.js";
import { fitting } from "./placement.js";
import { begin, shelf, upload } from "./wire.js";

const opened = (what) => begin(what).catch((error) => toast(error.message));

function cover(c) {
  const id = `${c.game}-title`;
  const seats = make("select", { id: `${c.game}-seats` }, ...c.sizes.map((s) => make("option", { value: s.seats, selected: s.seats === c.size }, String(s.seats))));
  const fits = `level:${(c.game !== "earth-rising" && fitting()) || 3}`;
  const option = (x) => make("option", { value: x.agent, selected: x.agent === fits }, x.agent.startsWith("level:") ? `${x.agent.slice(6)}: ${x.name}, ${x.manner.split(":")[0]}` : x.name);
  const tempers = c.characters.filter((x) => !x.agent.startsWith("level:"));
  const level = make("select", { id: `${c.game}-level`, onchange: () => meet() }, ...c.characters.filter((x) => !tempers.includes(x)).map(option),
    tempers.length > 0 ? make("optgroup", { label: fill("With a temper of their own") }, ...tempers.map(option)) : null,
    make("option", { value: "human" }, fill("people at this screen or with links")));
  const met = make("p", { class: "met" });
  const meet = () => {
    const who = c.characters.find((x) => x.agent === level.value);
    met.replaceChildren(...(who ? [face(who.agent, who.name), make("span", {}, make("b", {}, who.name), ` ${who.manner}`)] : []));
  };
  meet();
  const play = () => opened({ game: c.sizes.find((s) => s.seats === Number(seats.value)).game, seats: seats.value === "1" ? ["human"] : ["human", level.value] });
  return make("section", { "aria-labelledby": id },
    make("img", { src: `covers/${c.game}.svg`, alt: "" }), make("h2", { id }, c.title), make("p", { class: "aim" }, c.aim),
    make("p", { class: "meta" }, fill("{minutes} minutes · {hard} · {least} to {most} players", { minutes: c.minutes, hard: c.hard, least: c.sizes[0].seats, most: c.sizes.at(-1).seats })),
    make("button", { type: "button", class: "learn", onclick: () => opened({ lesson: c.game }) }, fill("Learn in five minutes")),
    make("div", { class: "with" }, make("label", {}, fill("Players"), seats), make("label", {}, c.game === "earth-rising" ? fill("With") : fill("Against"), level)), met,
    make("button", { type: "button", class: "go", onclick: play }, fill("Play")));
}

function saved(s) {
  const who = s.seats?.length > 0 ? ` (${s.seats.join(", ")})` : "";
  const state = s.over ? fill("over after {n} decisions", { n: s.decisions }) : fill("decisions so far: {n}", { n: s.decisions });
  return make("li", {}, s.over ? null : make("button", { type: "button", onclick: () => opened({ saved: s.name }) }, fill("Go on")),
    s.over ? make("button", { type: "button", onclick: () => opened({ look: s.name }) }, fill("Look at it")) : null, make("span", {}, `${s.title}, ${state}${who}`));
}

/** drawPuzzles offers one puzzle of each game, and tells on how many days in a row one was solved here. */
async function drawPuzzles(covers) {
  const of = daily(await puzzles());
  const { days, solved } = streak();
  $("daily").append(...covers.filter((c) => of.has(c.game)).map((c) => make("button", { type: "button", "data-puzzle": of.get(c.game), onclick: () => opened({ puzzle: of.get(c.game) }) }, `${solved.includes(of.get(c.game)) ? "✓ " : ""}${c.title}`)));
  $("streak").textContent = days === 0 ? fill("One move is clearly the best. Solve one a day, and the days are counted here, on this device alone.") : days === 1 ? fill("Solved on one day so far: come back tomorrow.") : fill("Solved on {n} days in a row.", { n: days });
  $("puzzles").hidden = of.size === 0;
}

startTheme();
try {
  const all = await shelf();
  $("games").append(...all.covers.map(cover));
  const fits = fitting();
  $("fits").hidden = fits === null;
  if (fits !== null) {
    const who = all.covers[0].characters[fits - 1];
    $("fits").append(face(who.agent, who.name), make("span", {}, fill("After your last games, {name} (level {level}) fits you: against {name} you would win about your share.", { name: who.name, level: fits })));
  }
  await drawPuzzles(all.covers);
  $("saved").hidden = all.saved.length === 0;
  $("savedlist").append(...all.saved.map(saved));
  if (all.table) {
    $("going").append(make("span", {}, fill("{title} lies on the table.", { title: all.table })), make("a", { href: `table.html${location.hash}` }, fill("Back to it")));
    $("going").hidden = false;
  }
} catch (error) {
  if (error.status === 403) location.replace(`table.html${location.hash}`); // the link of a seat
  $("banner").textContent = error.message;
  $("banner").hidden = false;
}

if (upload) {
  $("upload").hidden = false;
  $("record").addEventListener("change", async (e) => {
    const [file] = e.target.files;
    if (file) await upload(file).catch((error) => toast(fill("This file can't be shown: {why}", { why: error.message })));
  });
}
