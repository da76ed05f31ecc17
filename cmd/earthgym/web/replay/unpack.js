(async () => {
  try {
    const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0));
    window.replay = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  } catch (error) {
    document.getElementById("banner").textContent = "This browser cannot unpack the game: " + error.message;
    document.getElementById("banner").hidden = false;
    return;
  }
  for (const [name, text] of [["style", replay.style], ["script", replay.script]]) {
    const element = document.createElement(name);
    element.textContent = text;
    document.head.append(element);
  }
})();
