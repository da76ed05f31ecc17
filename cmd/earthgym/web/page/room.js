// A room: its tables, who sits there, and how one sits down.

import { $, insist, keep, kept, make, refill, seatMark, shown, toast } from "./dom.js";
import { nameSeats } from "./board.js";
import { fill } from "./fill.js";
import { startTheme } from "./theme.js";
import { get, key, post, watchRoom } from "./wire.js";

let about; // what never changes
let tables = [];
const drawn = new Map(); // boards that are shown, by table: the decision and the seats that they are of
const mine = JSON.parse(kept("seats") ?? "{}"); // own seats: keys by "room table"

start();

async function start() {
  startTheme();
  $("boards").addEventListener("click", () => {
    const on = $("boards").getAttribute("aria-pressed") !== "true";
    $("boards").setAttribute("aria-pressed", String(on));
    draw();
  });
  $("invite").addEventListener("click", () => invite().catch((error) => toast(error.message)));
  if (!key) return lost(fill("This link is cut off: the part behind “#” is missing. Copy the whole link."));
  const elsewhere = (error) => { if (error.status === 403) location.replace(`table.html${location.hash}`); throw error; }; // the link of a table
  about = await insist(() => get("lobby").catch(elsewhere), lost, fill("The room can't be reached. Trying again …"));
  if (!about) return;
  if (about.teacher) $("who").textContent = fill("The teacher's view");
  $("name").value = kept("name") ?? "";
  $("name").addEventListener("change", () => keep("name", $("name").value));
  $("game").append(...about.covers.map((c) => make("option", { value: c.game }, c.title)));
  $("game").addEventListener("change", drawGame);
  $("opening").addEventListener("submit", (e) => {
    e.preventDefault();
    openTable().catch((error) => toast(error.message));
  });
  drawGame();
  watchRoom((now) => { tables = now.tables; draw(); }, (text) => lost(fill(text)));
}

/** invite shows the link of the room, which the teacher's page is given too, as a QR code and to be copied. */
async function invite() {
  const place = $("invited");
  place.hidden = !place.hidden;
  $("invite").setAttribute("aria-expanded", String(!place.hidden));
  if (place.hidden || place.childElementCount) return;
  const address = new URL(`./#${about.guest}`, location.href).href;
  place.append(make("p", { class: "qr" }, shown((await post("qr", { link: address })).svg, fill("QR code of the room"))),
    make("input", { readonly: true, value: address, "aria-label": fill("Link of the room"), onfocus: (e) => e.target.select() }));
}

function lost(text) {
  $("banner").textContent = text;
  $("banner").hidden = !text;
}

/** drawGame shows what can be chosen for a game. */
function drawGame() {
  const c = about.covers.find((each) => each.game === $("game").value);
  $("about").textContent = fill("{aim} {minutes} minutes, {hard}.", c);
  $("players").replaceChildren(...c.sizes.map((s) => make("option", { value: s.seats, selected: s.seats === c.size }, String(s.seats))));
  $("others").replaceChildren(make("option", { value: "" }, fill("whoever comes")),
    ...c.characters.map((x) => make("option", { value: x.agent, title: x.manner }, x.agent.startsWith("level:") ? `${x.agent.slice(6)}: ${x.name}, ${x.manner.split(":")[0]}` : x.name)));
  $("variants").replaceChildren(...about.variants.filter((v) => v.startsWith(`${c.game}:`)).map((v) => make("option", { value: v.slice(c.game.length + 1) })));
  $("variant").value = "";
}

async function openTable() {
  const variant = $("variant").value.trim();
  const named = /(?:^|,)(?:players=(\d+)|variant=solo)/.exec(variant); // The variant says how many play.
  const players = named ? Number(named[1] ?? 1) : Number($("players").value);
  const { game } = about.covers.find((c) => c.game === $("game").value).sizes.find((s) => s.seats === players) ?? {};
  const text = named || !game ? `${$("game").value}:${variant}` : `${game}${variant ? `,${variant}` : ""}`;
  const sits = await post("open", { game: text, seats: Array(Math.max(0, players - 1)).fill($("others").value), name: $("name").value });
  go(sits, sits.table);
}

/** go leads to a seat or a table; a seat is remembered, so that who has come back to the room finds it. */
function go({ page, key: seat }, table) {
  if (table) {
    mine[`${key} ${table}`] = seat;
    keep("seats", JSON.stringify(Object.fromEntries(Object.entries(mine).slice(-50))));
  }
  location.href = new URL(`${page}#${seat}`, location.href).href;
}

const join = (table, seat) => post("join", { table, seat, name: $("name").value }).then((sits) => go(sits, table), (error) => toast(error.message));
const teach = (path, what) => post(path, what).catch((error) => toast(error.message));

/** draw brings the list up to date, each table in its place, so that what has the focus keeps it. */
function draw() {
  const list = $("list");
  $("none").hidden = tables.length > 0;
  const old = new Map([...list.children].map((e) => [Number(e.dataset.table), e]));
  refill(list, ...tables.toReversed().map((t) => {
    const e = drawTable(t);
    const before = old.get(t.number)?.querySelector(".small");
    if (before) e.querySelector(".small")?.replaceWith(before);
    return e;
  }));
  if ($("boards").getAttribute("aria-pressed") === "true") for (const t of tables) drawBoard(t);
  else drawn.clear();
}

function button(t, does, text, act) {
  return make("button", { type: "button", "data-does": `${t.number} ${does}`, onclick: act }, text);
}

function drawTable(t) {
  const id = `table-${t.number}`;
  const state = t.trouble || (t.over ? `${t.over}.` : fill("decisions so far: {n}", { n: t.decision }));
  return make("li", { "data-table": t.number, "aria-labelledby": id },
    make("h3", { id }, fill("Table {number}: {title}", t)),
    make("p", { class: "meta" }, `${t.game} · ${state}`),
    $("boards").getAttribute("aria-pressed") === "true" ? make("div", { class: "small board", "aria-hidden": "true" }) : null,
    make("ul", {}, ...t.seats.map((s, p) => make("li", { class: p === t.asked ? "asked" : null },
      seatMark(s.colour),
      make("span", {}, `${s.open ? fill("Seat {n} is free", { n: p + 1 }) : s.called}${s.person || s.open ? "" : ` (${s.name})`}${t.winners.includes(p) ? " ★" : ""}${p === t.asked && !t.over ? ` · ${fill("decides")}` : ""}`),
      t.over ? null : s.open ? button(t, `join ${p}`, fill("Sit down"), () => join(t.number, p)) : s.person ? null : button(t, `join ${p}`, fill("Take over"), () => join(t.number, p)),
      about.teacher && s.person && !s.open ? button(t, `free ${p}`, fill("Free"), () => teach("free", { table: t.number, seat: p })) : null))),
    make("p", { class: "buttons" },
      mine[`${key} ${t.number}`] ? button(t, "back", fill("Back to your seat"), () => go({ page: "table.html", key: mine[`${key} ${t.number}`] })) : null,
      button(t, "watch", t.over ? fill("Look at the end") : fill("Look on"), () => go({ page: "table.html", key: t.watch })),
      about.teacher ? button(t, "close", fill("Close the table"), () => teach("close", { table: t.number })) : null));
}

async function drawBoard(t) {
  const now = JSON.stringify([t.decision, t.seats]);
  if (drawn.get(t.number) === now) return;
  drawn.set(t.number, now);
  try {
    const { board } = await (await get("view", new URLSearchParams({ table: t.number }))).json();
    const place = document.querySelector(`[data-table="${t.number}"] .small`);
    if (!place) return;
    place.replaceChildren(new DOMParser().parseFromString(board, "image/svg+xml").documentElement);
    nameSeats(place, (p) => t.seats[p].called);
  } catch { /* It is closed: the next list says so. */ }
}
