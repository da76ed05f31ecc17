// What the page asks of the table, and the stream of what it sees. The key stands behind "#" in the link and goes into
// a header: no address that is sent holds it.

import { forgetSeat } from "./dom.js";

export const key = decodeURIComponent(location.hash.slice(1));

/** A Refusal is what the table answers to what it does not do. */
export class Refusal extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function answer(response) {
  if (response.ok) return response;
  if (response.status === 401) forgetSeat(key);
  let text = `the table answers ${response.status}`;
  try {
    text = (await response.json()).error;
  } catch { /* not from the table itself: a proxy, perhaps */ }
  throw new Refusal(response.status, text);
}

/** ask sends a request; what the browser says of a program that does not answer is no text for people. */
async function ask(path, more) {
  const response = await fetch(`api/${path}`, { ...more, headers: { ...more.headers, Authorization: `Bearer ${key}` } })
    .catch(() => { throw new Error("The program can't be reached."); });
  return answer(response);
}

export const get = (path, query) => ask(`${path}${query ? `?${query}` : ""}`, {});

export const post = async (path, body) =>
  (await ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();

/**
 * Watch follows the table from a seat (null: as a spectator) until the function that it returns is called. told gets each
 * sight, lost is told that the connection is lost (a text), or stands again ("").
 */
export const watch = (seat, told, lost) => listen(`events${seat === null ? "" : `?seat=${seat}`}`, told, lost);

/** watchRoom follows the list of the tables in a room. */
export const watchRoom = (told, lost) => listen("room", told, lost);

function listen(path, told, lost) {
  const control = new AbortController();
  follow();
  return () => control.abort();

  async function follow() {
    let pause = 300;
    while (!control.signal.aborted) {
      try {
        const response = await answer(await fetch(`api/${path}`, {
          headers: { Authorization: `Bearer ${key}` }, signal: control.signal, cache: "no-store",
        }));
        pause = 300;
        lost("");
        await read(response.body);
      } catch (error) {
        if (control.signal.aborted) return;
        if (error instanceof Refusal && (error.status === 401 || error.status === 403)) {
          lost(error.message);
          return;
        }
      }
      if (control.signal.aborted) return;
      lost("The connection to the table is lost. Trying again …");
      await new Promise((resume) => setTimeout(resume, pause));
      pause = Math.min(pause * 2, 5000);
    }
  }

  function tell(sight) {
    try {
      told(sight);
    } catch (error) {
      reportError(error); // a fault of the page, not of the connection
    }
  }

  async function read(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done || control.signal.aborted) return;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop();
      for (const event of events) {
        if (control.signal.aborted) return;
        if (event.startsWith("data: ")) tell(JSON.parse(event.slice(6)));
      }
    }
  }
}

/** shelf tells what can be begun. */
export const shelf = async () => (await get("start")).json();

/** begin begins another game, or opens a saved one, and leads there. */
export async function begin(what) {
  const { page } = await post("begin", what);
  const to = new URL(`${page}#${key}`, location.href).href;
  if (to === location.href) location.reload();
  else location.href = to;
}

/** again is what begins the game of a table anew, with these in its seats; retry, what goes on from a decision of it. */
export const again = (about, seats) => ({ game: about.game, seats });
export const retry = (at) => ({ at });

/** puzzleOf is the number of the puzzle for which a table was laid, null of others. */
export const puzzleOf = (about) => about.puzzle;

/** upload shows a file that somebody has: a server shows those in its folder. */
export const upload = null;

/** whole says that the address of a table holds the whole game. */
export const whole = false;

/** home is the address of the page on which games are begun, for those who may, or of the room that the table is in. */
export const home = (about) => (about.home || about.room ? `./#${about.home || about.room}` : null);

/** begun is the decision at which a game is looked at first; shown is told of the one that is looked at now. */
export const begun = () => 0;
export const shown = () => {};
