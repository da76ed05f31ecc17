// Small helpers to make elements without markup in texts.

export const $ = (id) => document.getElementById(id);

/** make("button", {class: "x", onclick: f}, "text", child…) */
export function make(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) {
    if (v === null || v === undefined || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (k === "style") for (const [p, x] of Object.entries(v)) e.style.setProperty(p, x);
    else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

/** refill replaces what is in an element; what has the focus there keeps it, found again by its data-does. */
export function refill(box, ...children) {
  const held = box.contains(document.activeElement) && document.activeElement.dataset.does;
  box.replaceChildren(...children);
  if (held) box.querySelector(`[data-does="${CSS.escape(held)}"]`)?.focus();
}

/** kept and keep remember a text on this machine, or in this window alone ("sessionStorage"), where the browser lets them. */
export function kept(name, where = "localStorage") {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

export function keep(name, text, where = "localStorage") {
  try {
    window[where].setItem(name, text);
  } catch { /* It is forgotten with the page. */ }
}

/** forgetSeat takes a key from those of own seats that a room remembers. */
export function forgetSeat(key) {
  const seats = Object.entries(JSON.parse(kept("seats") ?? "{}"));
  if (seats.some(([, seat]) => seat === key)) keep("seats", JSON.stringify(Object.fromEntries(seats.filter(([, seat]) => seat !== key))));
}

/** leadOn has a link lead to another page of the table, also where the address says how far the game has come. */
export function leadOn(id, page) {
  const lead = () => { $(id).href = page + location.hash; };
  lead();
  $(id).addEventListener("click", lead);
}

/** insist loads what a page begins with until it has come, or is refused (null); lost is told why it has not. */
export async function insist(load, lost, away) {
  for (let pause = 300; ; pause = Math.min(2 * pause, 5000)) {
    try {
      const answer = await (await load()).json();
      lost("");
      return answer;
    } catch (error) {
      lost(error.status ? error.message : away);
      if (error.status === 401 || error.status === 403) return null;
    }
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

let fading;

/** toast shows a text for a while. */
export function toast(text) {
  const t = $("toast");
  t.textContent = text;
  t.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { t.hidden = true; }, 7000);
}

/** announce tells those who listen. */
export function announce(text) {
  if (!text) return;
  const live = $("live");
  live.append(make("p", {}, text));
  while (live.childElementCount > 20) live.firstChild.remove();
}

/** startSkips lets links to a part of the page lead there; the address keeps what stands behind its "#". */
export function startSkips() {
  for (const link of document.querySelectorAll('a.skip[href^="#"]')) {
    link.addEventListener("click", (e) => {
      e.preventDefault();
      const to = $(link.getAttribute("href").slice(1));
      (to.querySelector('[tabindex="0"], button') ?? to).focus();
    });
  }
}

/** named is a choice in words. Where it lies in a row is left out, which the board shows, and a word that has been said. */
export const named = (c) => (c.which && !/^place /.test(c.which) && !c.what.toLowerCase().split(/\W+/).includes(c.which) ? `${c.what}: ${c.which}` : c.what);

/** shown makes an image of what comes as SVG. */
export function shown(svg, label) {
  const e = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  e.setAttribute("role", "img");
  e.setAttribute("aria-label", label);
  return e;
}

/** seatMark is a point in a seat's colour. */
export const seatMark = (colour) => make("i", { class: "dot", style: { "--seat": colour }, "aria-hidden": "true" });
