"use strict";
(async () => {
  const element = id => document.getElementById(id);
  const board = element("board"), slider = element("slider"), place = element("place"), now = element("now");
  const log = element("log"), viewer = element("viewer"), curve = element("curve"), scores = element("scores"), play = element("play");
  const make = (tag, text) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; return e; };
  const draw = (tag, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    return e;
  };

  let game;
  try {
    const bytes = Uint8Array.from(atob(element("data").textContent.trim()), c => c.charCodeAt(0));
    game = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  } catch (error) {
    element("trouble").textContent = "This browser cannot unpack the game: " + error.message;
    element("trouble").hidden = false;
    return;
  }

  // Each board is an edit of the one before it.
  for (const view of game.views) {
    let lines = [];
    view.lines = view.boards.map(edit => {
      if (edit?.all) lines = edit.all;
      else if (edit?.set) {
        lines = lines.slice();
        for (let i = 0; i < edit.set.length; i += 2) lines[edit.set[i]] = edit.set[i + 1];
      }
      return lines;
    });
  }
  const last = game.views[0].boards.length - 1;
  let view = game.views[0], at = -1, timer = 0, items = [];
  const seatName = p => "Player " + p + (game.seats[p] ? " (" + game.seats[p] + ")" : "");

  for (const [i, v] of game.views.entries()) {
    const option = make("option", v.viewer < 0 ? "spectators" : seatName(v.viewer));
    option.value = i;
    viewer.append(option);
  }
  viewer.parentElement.hidden = game.views.length === 1;
  slider.max = last;

  function tellStory() {
    log.replaceChildren();
    items = [];
    view.story.forEach((sentences, n) => {
      if (!sentences.length) return;
      const item = make("li"), button = make("button"), text = make("span");
      for (const sentence of sentences) text.append(make("span", sentence));
      button.append(make("span", n), text);
      button.addEventListener("click", () => show(n));
      item.append(button);
      log.append(item);
      items[n] = button;
    });
  }

  function show(n, quietly) {
    n = Math.max(0, Math.min(last, n));
    if (n === at && !quietly) return;
    at = n;
    board.innerHTML = view.lines[n].map(k => game.lines[k]).join("");
    board.setAttribute("aria-label", board.querySelector("title")?.textContent ?? "The board");
    slider.value = n;
    const actor = view.actors[n];
    place.textContent = n + " of " + last;
    slider.setAttribute("aria-valuetext", "decision " + n + " of " + last);
    now.replaceChildren(...view.story[n].map(sentence => make("span", sentence)));
    if (actor >= 0) now.append(make("span", "Player " + actor + " decides."));
    log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    let told = n;
    while (told > 0 && !items[told]) told--;
    if (items[told]) {
      items[told].setAttribute("aria-current", "step");
      const offset = items[told].offsetTop - log.offsetTop;
      if (offset < log.scrollTop || offset > log.scrollTop + log.clientHeight - 40) log.scrollTop = offset - log.clientHeight / 3;
    }
    for (const [id, end] of [["first", 0], ["back", 0], ["next", last], ["last", last]]) element(id).disabled = n === end;
    if (game.scores) {
      const x = last ? 1000 * n / last : 0;
      curve.querySelector("line")?.remove();
      curve.append(draw("line", { x1: x, x2: x, y1: 0, y2: 120 }));
      scores.replaceChildren(...game.scores[n].map((score, p) => {
        const span = make("span"), dot = make("i");
        dot.style.background = game.colours[p];
        span.append(dot, seatName(p) + ": " + Math.round(100 * score) / 100);
        return span;
      }));
    }
    history.replaceState(null, "", "#" + n);
  }

  function drawScores() {
    if (!game.scores) { curve.remove(); scores.remove(); return; }
    const all = game.scores.flat(), low = Math.min(...all), high = Math.max(...all), span = high - low || 1;
    game.seats.forEach((_, p) => {
      const points = game.scores.map((s, n) => (last ? 1000 * n / last : 0).toFixed(1) + "," + (116 - 112 * (s[p] - low) / span).toFixed(1));
      const line = draw("polyline", { points: points.join(" ") });
      line.style.stroke = game.colours[p];
      curve.append(line);
    });
    curve.addEventListener("click", event => {
      const box = curve.getBoundingClientRect();
      show(Math.round(last * (event.clientX - box.left) / box.width));
    });
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.setAttribute("aria-pressed", "false");
    play.setAttribute("aria-label", "Play");
  }
  function toggle() {
    if (timer) return stop();
    if (at === last) show(0);
    play.setAttribute("aria-pressed", "true");
    play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => at === last ? stop() : show(at + 1), 700);
  }

  element("first").addEventListener("click", () => show(0));
  element("back").addEventListener("click", () => show(at - 1));
  element("next").addEventListener("click", () => show(at + 1));
  element("last").addEventListener("click", () => show(last));
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => { stop(); show(+slider.value); });
  viewer.addEventListener("change", () => { view = game.views[viewer.value]; tellStory(); show(at, true); });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === viewer || event.target === slider) return;
    const go = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: last }[event.key];
    if (go !== undefined) { stop(); show(go); event.preventDefault(); }
    if (event.key === " " && event.target.tagName !== "BUTTON") { toggle(); event.preventDefault(); }
  });
  window.addEventListener("hashchange", () => show(+location.hash.slice(1) || 0));

  element("replay").hidden = false;
  drawScores();
  tellStory();
  show(+location.hash.slice(1) || 0);
})();
