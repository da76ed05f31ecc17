// The worker in which the table is: it hands the page's requests to the program, and what the program says to the page.
importScripts("wasm_exec.js");

const go = new Go();
WebAssembly.instantiateStreaming(fetch("earthgym.wasm"), go.importObject).catch(async () => {
  const bytes = await (await fetch("earthgym.wasm")).arrayBuffer(); // from a server that does not know the type
  return WebAssembly.instantiate(bytes, go.importObject);
}).then(({ instance }) => go.run(instance)).catch((error) => postMessage({ failed: String(error) }));

/** network fetches what comes with the page for a game, where there is one. */
async function network(game) {
  try {
    const response = await fetch(`networks/${game}.packed`);
    if (response.ok) networkPut(game, new Uint8Array(await response.arrayBuffer()));
  } catch { /* The game goes on without it. */ }
}

/** named is the game of an address, or of a record. */
function named(text) {
  const game = text.startsWith("{") ? /"game":"([a-z-]+)/.exec(text)?.[1] : new URLSearchParams(text).get("game")?.split(":")[0];
  return /^[a-z-]+$/.test(game ?? "") ? game : null;
}

onmessage = async ({ data }) => {
  const text = data.open ?? data.film;
  if (text !== undefined && named(text)) await network(named(text));
  if (data.open !== undefined) tableOpen(data.open);
  else if (data.film !== undefined) filmOpen(data.film);
  else if (data.cancel !== undefined) tableCancel(data.cancel);
  else tableRequest(data.id, data.method, data.path, data.body);
};
