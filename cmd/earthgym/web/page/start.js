// The start: five covers, a first lesson, a game with seats and opponents, and what is saved.

import { $, make, toast } from "./dom.js";
import { fill } from "./fill.js";
import { daily, puzzles, streak } from "./puzzle.js";
import { startTheme } from "./theme.js";
import { begin, shelf, upload } from "./wire.js";

const levels = ["a beginner", "an occasional player", "a regular player", "an expert", "the best there is"];

const opened = (what) => begin(what).catch((error) => toast(error.message));

function cover(c) {
  const id = `${c.game}-title`;
  const seats = make("select", { id: `${c.game}-seats` }, ...c.sizes.map((s) => make("option", { value: s.seats, selected: s.seats === c.size }, String(s.seats))));
  const level = make("select", { id: `${c.game}-level` }, ...levels.map((text, i) => make("option", { value: `level:${i + 1}`, selected: i === 2 }, `${i + 1}: ${text}`)),
    make("option", { value: "human" }, fill("people at this screen or with links")));
  const play = () => opened({ game: c.sizes.find((s) => s.seats === Number(seats.value)).game, seats: seats.value === "1" ? ["human"] : ["human", level.value] });
  return make("section", { "aria-labelledby": id },
    make("img", { src: `covers/${c.game}.svg`, alt: "" }), make("h2", { id }, c.title), make("p", { class: "aim" }, c.aim),
    make("p", { class: "meta" }, fill("{minutes} minutes · {hard} · {least} to {most} players", { minutes: c.minutes, hard: c.hard, least: c.sizes[0].seats, most: c.sizes.at(-1).seats })),
    make("button", { type: "button", class: "learn", onclick: () => opened({ lesson: c.game }) }, fill("Learn in five minutes")),
    make("div", { class: "with" }, make("label", {}, fill("Players"), seats), make("label", {}, c.game === "earth-rising" ? fill("With") : fill("Against"), level)),
    make("button", { type: "button", class: "go", onclick: play }, fill("Play")));
}

function saved(s) {
  const who = s.seats?.length > 0 ? ` (${s.seats.join(", ")})` : "";
  const state = s.over ? fill("over after {n} decisions", { n: s.decisions }) : fill("{n} decisions so far", { n: s.decisions });
  return make("li", {}, s.over ? null : make("button", { type: "button", onclick: () => opened({ saved: s.name }) }, fill("Go on")),
    s.over ? make("button", { type: "button", onclick: () => opened({ look: s.name }) }, fill("Look at it")) : null, make("span", {}, `${s.title}, ${state}${who}`));
}

/** drawPuzzles offers one puzzle of each game, and tells on how many days in a row one was solved here. */
async function drawPuzzles(covers) {
  const of = daily(await puzzles());
  const { days, solved } = streak();
  $("daily").append(...covers.filter((c) => of.has(c.game)).map((c) => make("button", { type: "button", onclick: () => opened({ puzzle: of.get(c.game) }) }, `${solved.includes(of.get(c.game)) ? "✓ " : ""}${c.title}`)));
  $("streak").textContent = days === 0 ? fill("One move is clearly the best. Solve one a day, and the days are counted here, on this device alone.") : days === 1 ? fill("Solved on one day so far: come back tomorrow.") : fill("Solved on {n} days in a row.", { n: days });
  $("puzzles").hidden = of.size === 0;
}

startTheme();
try {
  const all = await shelf();
  $("games").append(...all.covers.map(cover));
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
