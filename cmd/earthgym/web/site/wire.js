// What the page asks of its table, which is in a worker of the page itself: the same as wire.js of the server's page.

export const key = location.hash.slice(1);

/** A Refusal is what the table answers to what it does not do. */
export class Refusal extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

const worker = new Worker("worker.js");
const waiting = new Map();
let last = 0;
let opened;
let failed;
const open = new Promise((done, fail) => { [opened, failed] = [done, fail]; });
open.catch(() => {});

worker.onmessage = ({ data }) => {
  if (data.ready) worker.postMessage(location.pathname.endsWith("/watch.html") ? { film: key === "record" ? sessionStorage.getItem("record") ?? "" : key } : { open: key });
  else if (data.open) opened();
  else if (data.failed) failed(new Refusal(401, data.failed));
  else if (data.address) history.replaceState(null, "", `#${data.address}`);
  else waiting.get(data.id)?.(data);
};

/** ask sends a request; piece gets the parts of the answer, and the promise the whole of it. */
async function ask(method, path, body, piece, stopped) {
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
