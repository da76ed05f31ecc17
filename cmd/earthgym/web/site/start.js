// The shelf: which game, how many seats, who plays against the one at the screen.

import { make } from "./dom.js";

const games = [
  ["resilience-earth", "Resilience Earth", [2, 3, 4], 3, "A climate tower that all build and nobody wants to topple."],
  ["one-earth", "One Earth", [1, 2, 3, 4, 5], 4, "Prosper on a warming planet, with votes, sanctions and secret bids."],
  ["earth-rising", "Earth Rising", [2, 3, 4, 5, 6], 2, "Together: turn six sectors of society over before the years run out."],
  ["new-earth", "New Earth", [2, 3, 4], 3, "Zones, hidden hands, catastrophes and secret elections."],
  ["earthmans-burden", "The Earthman’s Burden", [2, 3, 4, 5, 6], 3, "Expansion into space, with a world to leave behind."],
];
const levels = ["a beginner", "an occasional player", "a regular player", "an expert", "the best there is"];

/** networks are the games for which a network comes with the page. */
const networks = await fetch("networks/networks.json").then((r) => r.json()).catch(() => []);

document.getElementById("games").append(...games.map(([name, title, sizes, size, about]) => {
  const seats = make("select", { id: `${name}-seats` }, ...sizes.map((n) => make("option", { value: n, selected: n === size }, `${n} ${n === 1 ? "seat" : "seats"}`)));
  const level = make("select", { id: `${name}-level` }, ...levels.map((text, i) => make("option", { value: i + 1, selected: i === 2 }, `level ${i + 1}: ${text}`)),
    ...(networks.includes(name) ? [make("option", { value: "net:" }, "a neural network that was trained for it")] : []));
  return make("section", { "aria-labelledby": `${name}-title` }, make("h2", { id: `${name}-title` }, title), make("p", {}, about),
    make("p", {}, make("label", {}, "Seats ", seats)), make("p", {}, make("label", {}, "Against ", level)),
    make("button", { type: "button", onclick: () => {
      const [seed] = crypto.getRandomValues(new BigUint64Array(1));
      const query = new URLSearchParams({ game: `${name}:players=${seats.value}`, seats: `human,${/^\d$/.test(level.value) ? `level:${level.value}` : level.value}`, seed });
      location.href = `table.html#${query}`;
    } }, "Play"),
    make("button", { type: "button", class: "first", onclick: () => {
      location.href = `table.html#${new URLSearchParams({ lesson: 1, game: name, seats: "human,level:1", seed: 0 })}`;
    } }, "A first lesson"));
}));

// A recorded game, to be looked at.
document.getElementById("record").addEventListener("change", async (e) => {
  const [file] = e.target.files;
  if (!file) return;
  try {
    sessionStorage.setItem("record", await file.text());
    location.href = "watch.html#record";
  } catch (error) {
    document.getElementById("recordtrouble").textContent = `This file can't be shown: ${error.message}`;
  }
});
