// The worker in which the table is: it hands the page's requests to the program, and what the program says to the page.
importScripts("wasm_exec.js");

const go = new Go();
WebAssembly.instantiateStreaming(fetch("earthgym.wasm"), go.importObject).catch(async () => {
  const bytes = await (await fetch("earthgym.wasm")).arrayBuffer(); // from a server that does not know the type
  return WebAssembly.instantiate(bytes, go.importObject);
}).then(({ instance }) => go.run(instance)).catch((error) => postMessage({ failed: String(error) }));

onmessage = ({ data }) => {
  if (data.open !== undefined) tableOpen(data.open);
  else if (data.cancel !== undefined) tableCancel(data.cancel);
  else tableRequest(data.id, data.method, data.path, data.body);
};
