// The board: a picture in which things say which actions they stand for (data-actions). Those that a choice belongs to
// are marked and can be pointed at; one Tab stop leads in, arrow keys go from thing to thing.

import { $, make, named } from "./dom.js";
import { fill } from "./fill.js";

const pen = document.createElement("canvas").getContext("2d"); // measures texts
const letters = new Intl.Segmenter();

/** shortened is a name of so many letters at most. */
function shortened(name, most) {
  const all = [...letters.segment(name)];
  return all.length > most ? `${all.slice(0, most - 1).map((l) => l.segment).join("").trimEnd()}…` : name;
}

/** nameSeats writes the seats' names where a picture numbers them, and counts their pieces from 1, as people do. */
export function nameSeats(svg, called) {
  for (const t of svg.querySelectorAll("text")) {
    if (t.childElementCount > 0) continue;
    const text = t.textContent;
    const piece = t.closest("[data-seat]")?.dataset.seat;
    if (piece === text && /^\d$/.test(text)) t.textContent = String(Number(text) + 1);
    else if (/\bp\d\b/.test(text)) t.textContent = text.replace(/\bp(\d)\b/g, (_, p) => `p${Number(p) + 1}`);
    else if (/(player|seat) \d/i.test(text)) fit(t, (most) => text.replace(/\b(?:player|seat) (\d)\b/gi, (_, p) => shortened(called(Number(p)), most)));
  }
}

/** fit writes what a text says with names as long as they can be in its place, in letters that are up to 8 % narrower. */
function fit(t, say) {
  const room = Number(t.dataset.room ?? Infinity);
  pen.font = `${t.getAttribute("font-weight") ?? ""} ${t.getAttribute("font-size")}px Helvetica, Arial, sans-serif`;
  const width = (most) => pen.measureText(say(most)).width;
  let most = 40;
  while (most > 1 && width(most) > 1.08 * room) most--;
  t.textContent = say(most);
  if (width(most) <= room) return;
  t.setAttribute("textLength", room);
  t.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/** The Board shows pictures; pick is called with the thing's actions (texts) and where it is. */
export class Board {
  constructor(pick, ask, { fills = false, called = null } = {}) {
    Object.assign(this, { pick, ask, fills, called, views: [] }); // fills: the place has a height of its own; called: what seats are called
    this.zoom = null; // until somebody chooses one: as the page needs
    this.pane = "";
    this.choices = new Map(); // of action texts
    this.asking = false;
    const box = $("board");
    box.addEventListener("click", (e) => {
      const thing = e.target.closest?.("[data-actions]");
      if (!thing && this.narrow.matches) this.resize(this.zoom ? 0 : 2, e.clientX, e.clientY);
      this.open(thing, e.clientX, e.clientY);
    });
    box.addEventListener("keydown", (e) => this.key(e));
    box.addEventListener("keyup", (e) => {
      if ((e.key === "Enter" || e.key === " ") && this.pressed === e.target) this.open(e.target);
      this.pressed = null;
    });
    let waiting;
    box.addEventListener("pointerover", (e) => {
      clearTimeout(waiting);
      const thing = e.target.closest?.("[data-actions]");
      if (thing && this.asking && e.pointerType === "mouse") waiting = setTimeout(() => this.hover(thing), 200);
    });
    $("smaller").addEventListener("click", () => this.resize(1 / 1.25));
    $("larger").addEventListener("click", () => this.resize(1.25));
    this.narrow = matchMedia("(max-width: 699px)");
    this.narrow.addEventListener("change", () => { this.turn(); this.crop(); });
    if (fills) new ResizeObserver(() => this.crop()).observe(box);
  }

  /** draw replaces the picture. */
  draw(text) {
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (svg.nodeName !== "svg") {
      $("board").replaceChildren(make("p", {}, fill("This game has no picture; its text is behind the button “Text”.")));
      return;
    }
    this.whole = svg.getAttribute("viewBox");
    this.views = [...svg.querySelectorAll("view")].map((v) => ({ name: v.id, box: v.getAttribute("viewBox") }));
    for (const v of svg.querySelectorAll("view")) v.remove(); // Their ids are not the page's.
    const title = svg.querySelector("title");
    svg.setAttribute("aria-label", title?.textContent ?? fill("Board"));
    svg.setAttribute("role", "group");
    title?.remove(); // It would stand beside the pointer everywhere.
    if (this.called) nameSeats(svg, this.called);
    const at = $("board").contains(document.activeElement) && document.activeElement.dataset.actions;
    this.svg = document.importNode(svg, true);
    $("board").replaceChildren(this.svg);
    this.crop();
    this.mark();
    this.advise(this.advised ?? null);
    if (at) this.things().find((t) => t.dataset.actions === at)?.focus({ preventScroll: true });
  }

  /** offer says what can be chosen, and by whom. */
  offer(choices, asking, last) {
    this.choices = new Map(choices.map((c) => [c.action, c]));
    this.asking = asking;
    this.last = last;
    if (asking) this.turn();
    this.mark();
    this.centre();
  }

  things() {
    return this.svg ? [...this.svg.querySelectorAll("[data-actions]")] : [];
  }

  actionsOf(thing) {
    return thing.dataset.actions.split("; ").map((t) => this.number.get(t));
  }

  mark() {
    if (!this.svg || !this.number) return;
    let first = true;
    for (const thing of this.things()) {
      const actions = this.actionsOf(thing);
      const texts = thing.dataset.actions.split("; ");
      const legal = actions.filter((a) => this.choices.has(a));
      thing.classList.toggle("can", legal.length > 0);
      thing.classList.toggle("last", texts.some((t, i) => this.last?.has(actions[i]) && !/ \+\d/.test(t))); // “+1” is another seat for each that says it.
      thing.classList.toggle("asked", this.asking && legal.length === 0);
      if (legal.length === 0) {
        for (const name of ["tabindex", "role", "aria-label", "aria-haspopup"]) thing.removeAttribute(name);
        continue;
      }
      thing.setAttribute("role", "button");
      thing.setAttribute("aria-haspopup", "dialog");
      thing.setAttribute("tabindex", first ? "0" : "-1");
      thing.setAttribute("aria-label", this.label(legal));
      first = false;
    }
  }

  label(legal) {
    const words = [...new Set(legal.map((a) => named(this.choices.get(a))))];
    return words.length > 3 ? fill("{words}; and {n} more", { words: words.slice(0, 3).join("; "), n: words.length - 3 }) : words.join("; ");
  }

  /** advise marks the things of the action that a hint names. */
  advise(action) {
    this.advised = action;
    for (const thing of this.things()) thing.classList.toggle("advised", action !== null && this.actionsOf(thing).includes(action));
  }

  /** light marks the things of an action while its choice is pointed at. */
  light(action) {
    for (const thing of this.things()) thing.classList.toggle("lit", action !== null && this.actionsOf(thing).includes(action));
  }

  open(thing, x, y) {
    if (!thing || !this.asking) return;
    const actions = this.actionsOf(thing);
    const legal = actions.filter((a) => this.choices.has(a));
    if (x === undefined) {
      const box = thing.getBoundingClientRect();
      x = box.left + box.width / 2;
      y = box.top + box.height / 2;
    }
    if (legal.length > 0) this.pick(legal, x, y, thing);
    else this.ask(actions, x, y, thing);
  }

  async hover(thing) {
    if (thing.querySelector("title")) return;
    const actions = this.actionsOf(thing);
    const legal = actions.filter((a) => this.choices.has(a));
    const text = legal.length > 0 ? this.label(legal) : await this.ask(actions, null);
    if (!text || !thing.isConnected) return;
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = text;
    thing.prepend(title);
  }

  key(e) {
    const thing = e.target.closest?.("[data-actions]");
    if (!thing) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      this.pressed = thing; // It opens when the key is let go, which must not press what has been opened.
    } else if (way) {
      e.preventDefault();
      const next = this.next(thing, way);
      if (next) {
        thing.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      }
    }
  }

  /** next is the thing that lies nearest in a direction. */
  next(thing, [dx, dy]) {
    const middle = (t) => {
      const b = t.getBoundingClientRect();
      return [b.left + b.width / 2, b.top + b.height / 2];
    };
    const [x, y] = middle(thing);
    let best = null;
    let least = Infinity;
    for (const t of this.svg.querySelectorAll(".can")) {
      if (t === thing) continue;
      const [tx, ty] = middle(t);
      const along = (tx - x) * dx + (ty - y) * dy;
      const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      if (along <= 1) continue;
      const far = along + 2 * aside;
      if (far < least) [best, least] = [t, far];
    }
    return best;
  }

  /** resize makes the board larger, on a narrow page at once so large that its letters can be read, or smaller. */
  resize(by, x, y) {
    const before = this.svg?.getBoundingClientRect();
    if (by > 1 && this.zoom === null && this.narrow.matches && before) this.zoom = this.fitting * (11 / 15) / this.svg.getScreenCTM().a;
    else this.zoom = by === 0 ? null : (this.zoom ?? this.fitting) * by;
    if (this.zoom !== null) this.zoom = this.zoom > 1 ? Math.min(4, this.zoom) : null;
    this.crop();
    if (x === undefined || !before) return;
    const [box, after] = [$("board"), this.svg.getBoundingClientRect()];
    const place = box.getBoundingClientRect();
    box.scrollLeft += after.left + (x - before.left) / before.width * after.width - place.left - place.width / 2;
    box.scrollTop += after.top + (y - before.top) / before.height * after.height - place.top - place.height / 2;
  }

  /** centre brings what can be chosen into sight, where the board is larger than its place. */
  centre() {
    const box = $("board");
    const all = [...(this.svg?.querySelectorAll(".can") ?? [])].map((t) => t.getBoundingClientRect()).filter((b) => b.width > 0);
    if (all.length === 0 || (box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1)) return;
    const place = box.getBoundingClientRect();
    for (const [from, to, size, scroll] of [["left", "right", "width", "scrollLeft"], ["top", "bottom", "height", "scrollTop"]]) {
      const least = Math.min(...all.map((b) => b[from]));
      const most = Math.max(...all.map((b) => b[to]));
      box[scroll] += (most - least > place[size] ? all[0][from] + all[0][size] / 2 : (least + most) / 2) - place[from] - place[size] / 2;
    }
  }

  /** turn shows the part of the board that the decision is about, on a narrow page. */
  turn() {
    if (!this.narrow.matches || !this.number || this.views.length === 0) return;
    const counts = this.views.map(({ box }) => {
      const [x, y, width, height] = box.split(" ").map(Number);
      return this.things().filter((t) => {
        if (!this.actionsOf(t).some((a) => this.choices.has(a))) return false;
        const b = t.getBBox();
        const [cx, cy] = [b.x + b.width / 2, b.y + b.height / 2];
        return cx >= x && cx < x + width && cy >= y && cy < y + height;
      }).length;
    });
    const most = Math.max(...counts);
    const at = this.views.findIndex((v) => v.name === this.pane);
    if (most === 0 || counts[at] > 0) return;
    this.pane = this.views[counts.indexOf(most)].name;
    this.crop();
  }

  /** crop shows the part that was chosen, on a narrow page, and the whole elsewhere. */
  crop() {
    if (!this.svg) return;
    const narrow = this.narrow.matches && this.views.length > 0;
    const panes = $("panes");
    if (narrow && !this.views.some((v) => v.name === this.pane)) this.pane = this.views[0].name;
    const view = narrow ? this.views.find((v) => v.name === this.pane) : null;
    const box = view?.box ?? this.whole;
    this.svg.setAttribute("viewBox", box);
    const [, , width, height] = box.split(" ").map(Number);
    if (!this.fills) this.svg.style.setProperty("aspect-ratio", `${width} / ${height}`);
    this.fitting = 1;
    if (narrow && !this.fills) this.fitting = Math.min(2.5, Math.max(1, (0.55 * width) / $("board").clientWidth)); // so that its letters can be read
    const place = $("board").getBoundingClientRect();
    const fit = Math.min(place.width / width, place.height / height);
    if (narrow && this.fills && width < 0.75 * height) this.fitting = Math.max(1, Math.min(1 / fit, place.width / (fit * width))); // a column of words is read line by line
    const zoom = this.zoom ?? this.fitting;
    this.svg.style.setProperty("width", this.fills ? `${Math.floor(fit * zoom * width)}px` : `${100 * zoom}%`);
    if (this.fills) this.svg.style.setProperty("height", `${Math.floor(fit * zoom * height)}px`);
    this.svg.classList.toggle("zoomed", zoom > 1);
    $("board").tabIndex = zoom > 1 ? 0 : -1; // so that keys can move it
    $("smaller").disabled = zoom <= 1;
    $("larger").disabled = zoom >= 4;
    if (panes.childElementCount !== (narrow ? this.views.length : 0)) {
      panes.replaceChildren(...(narrow ? this.views : []).map((v) => make("button", {
        type: "button", "data-pane": v.name, onclick: () => { this.pane = v.name; this.crop(); this.centre(); },
      }, v.name[0].toUpperCase() + v.name.slice(1))));
    }
    for (const b of panes.children) b.setAttribute("aria-pressed", String(b.dataset.pane === this.pane));
  }
}
