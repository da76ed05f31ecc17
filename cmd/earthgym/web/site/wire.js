// What the page asks of its table, which is in a worker of the page itself: the same as wire.js of the server's page.

import { keep as remember, kept } from "./dom.js";

export const key = location.hash.slice(1);

/** A Refusal is what the table answers to what it does not do. */
export class Refusal extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

let worker; // once something is asked: the start needs none
const waiting = new Map();
let last = 0;
let opened;
let failed;
const open = new Promise((done, fail) => { [opened, failed] = [done, fail]; });
open.catch(() => {});

function connect() {
  if (worker) return;
  worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => {
    if (data.ready) worker.postMessage(location.pathname.endsWith("/watch.html") ? { film: key === "record" ? kept("record", "sessionStorage") ?? "" : key } : { open: key });
    else if (data.open) opened();
    else if (data.failed) failed(new Refusal(401, data.failed));
    else if (data.address) keep(data.address);
    else waiting.get(data.id)?.(data);
  };
}

const saved = () => JSON.parse(kept("saved") ?? "[]");

/** keep writes a game as far as it has come into the address, and beside the last others of this machine. */
function keep(address) {
  const [now, then] = [address, location.hash.slice(1)].map((a) => new URLSearchParams(a));
  if (then.has("puzzle") && then.get("moves") === now.get("moves")) return; // Nothing has been played yet.
  history.replaceState(null, "", `#${address}`);
  if (location.pathname.endsWith("/watch.html")) return;
  const seed = new URLSearchParams(address).get("seed");
  remember("saved", JSON.stringify([address, ...saved().filter((a) => new URLSearchParams(a).get("seed") !== seed)].slice(0, 6)));
}

/** shelf tells what can be begun. */
export async function shelf() {
  const covers = await (await fetch("covers.json")).json();
  const titles = new Map(covers.map((c) => [c.game, c.title]));
  const games = saved().map((name) => {
    const q = new URLSearchParams(name);
    const game = q.get("game") ?? "";
    return { name, title: titles.get(game.split(":")[0]) ?? game, decisions: q.get("moves") ? q.get("moves").split(".").length : 0, seats: (q.get("seats") ?? "").split(",").map((s) => s.replaceAll("%2C", ",")), over: q.has("over") };
  });
  return { covers, saved: games, table: "" };
}

/** begin leads to another game. */
export async function begin(what) {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const now = new URLSearchParams(location.hash.slice(1));
  let query = `${new URLSearchParams({ game: what.game, seats: what.seats?.map((s) => s.replaceAll(",", "%2C")).join(","), seed })}`;
  if (what.lesson) query = `${new URLSearchParams({ lesson: 1, game: what.lesson, seats: "human,level:1", seed: 0 })}`;
  else if (what.puzzle !== undefined) {
    const p = (await (await fetch("puzzles.json")).json())[what.puzzle];
    const seats = Array.from({ length: p.players }, (_, i) => (i === p.seat ? "human" : "level:3"));
    query = `${new URLSearchParams({ game: p.game, seats, seed: p.seed, moves: p.moves, puzzle: what.puzzle })}`;
  } else if (what.saved) query = what.saved;
  else if (what.at !== undefined) {
    now.delete("over");
    now.set("moves", now.get("moves").split(".").slice(0, what.at).join("."));
    query = `${now}`;
  }
  const to = new URL(what.look === undefined ? `table.html#${query}` : `watch.html#${what.look || now}`, location.href).href;
  if (to === location.href) location.reload();
  else location.href = to;
}

/** again is what begins the game of a table anew, with these in its seats; retry, what goes on from a decision of it. */
export const again = (about, seats) => ({ game: about.game, seats });
export const retry = (at) => ({ at });

/** puzzleOf is the number of the puzzle for which a table was laid, null of others. */
export const puzzleOf = () => new URLSearchParams(key).get("puzzle");

/** upload shows a file that somebody has. */
export async function upload(file) {
  const text = await file.text();
  if (!text.startsWith("{")) throw new Error("it is no record");
  sessionStorage.setItem("record", text);
  location.href = "watch.html#record";
}

/** whole says that the address of a table holds the whole game. */
export const whole = true;

/** home is the address of the page on which games are begun. */
export const home = () => "./";

/** ask sends a request; piece gets the parts of the answer, and the promise the whole of it. */
async function ask(method, path, body, piece, stopped) {
  connect();
  await open;
  return new Promise((done, fail) => {
    const id = ++last;
    let status = 0;
    let text = "";
    waiting.set(id, (data) => {
      if (data.status) status = data.status;
      if (data.text) {
        text = piece && status === 200 ? "" : text + data.text;
        if (piece && status === 200) piece(data.text);
      }
      if (!data.done) return;
      waiting.delete(id);
      if (status === 200) done(text);
      else fail(new Refusal(status, JSON.parse(text || "{}").error ?? `the table answers ${status}`));
    });
    stopped?.addEventListener("abort", () => worker.postMessage({ cancel: id }));
    worker.postMessage({ id, method, path, body: body ?? "" });
  });
}

export async function get(path, query) {
  const text = await ask("GET", `/api/${path}${query ? `?${query}` : ""}`);
  return new Response(text);
}

export async function post(path, body) {
  return JSON.parse(await ask("POST", `/api/${path}`, JSON.stringify(body)));
}

/** Watch follows the table from a seat (null: as a spectator) until the function that it returns is called. */
export function watch(seat, told, lost) {
  const control = new AbortController();
  let rest = "";
  ask("GET", `/api/events${seat === null ? "" : `?seat=${seat}`}`, "", (text) => {
    const events = (rest + text).split("\n\n");
    rest = events.pop();
    for (const event of events) if (!control.signal.aborted && event.startsWith("data: ")) told(JSON.parse(event.slice(6)));
  }, control.signal).catch((error) => { if (!control.signal.aborted) lost(error.message); });
  return () => control.abort();
}

/** begun is the decision at which a game is looked at first; shown is told of the one that is looked at now. */
export const begun = () => 0;
export const shown = () => {};
