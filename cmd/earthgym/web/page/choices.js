// The choices as a list: grouped by what they do, in the game's words, with a field to find one, or to ask why
// something is not possible.

import { $, make, named } from "./dom.js";
import { linked } from "./book.js";
import { fill } from "./fill.js";

export class Choices {
  /** play is called with a choice, light with an action (or null), why with actions and gives reasons. */
  constructor(play, light, why) {
    Object.assign(this, { play, light, why, list: [], names: [], asking: false });
    const box = $("choices");
    box.addEventListener("keydown", (e) => this.key(e));
    for (const [event, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
      box.addEventListener(event, (e) => {
        const b = e.target.closest?.("[data-action]");
        this.light(b && on ? Number(b.dataset.action) : null);
      });
    }
    $("find").addEventListener("input", () => this.draw());
    $("find").addEventListener("keydown", (e) => {
      if (e.key === "ArrowDown" || e.key === "Enter") {
        e.preventDefault();
        const b = this.buttons();
        if (e.key === "Enter" && b.length === 1) b[0].click();
        else b[0]?.focus();
      } else if (e.key === "Escape") {
        e.target.value = "";
        this.draw();
      }
    });
  }

  /** offer shows a decision's choices, none if the viewer is not asked, and beside one of them what a hint says of it. */
  offer(list, asking, hint) {
    const at = document.activeElement;
    const inside = $("plan").contains(at) || ($("choices").contains(at) && at !== $("choices"));
    if (list.length > 0 && $("find").value) $("find").value = "";
    this.list = list;
    this.hint = hint;
    this.asking = asking;
    this.draw();
    $("choosing").hidden = !asking;
    $("choosing").classList.toggle("few", list.length <= 6);
    if (inside) (this.buttons()[0] ?? $("choices")).focus({ preventScroll: true });
  }

  buttons() {
    return [...$("choices").querySelectorAll("button[data-action]")];
  }

  button(c, text, more) {
    return make("button", {
      type: "button", class: `${more}${c.action === this.hint?.best ? " advised" : ""}${c.more ? " more" : ""}`, "data-action": c.action, "aria-label": c.which ? named(c) : null, tabindex: "-1", onclick: () => this.play(c),
    }, text);
  }

  draw() {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (text) => words.every((w) => text.toLowerCase().includes(w));
    const groups = new Map();
    for (const c of this.list) {
      if (!fits(`${c.what} ${c.which} ${c.text}`)) continue;
      if (!groups.has(c.what)) groups.set(c.what, []);
      groups.get(c.what).push(c);
    }
    const rows = [];
    for (const [what, list] of groups) {
      if (list.length === 1) {
        const c = list[0];
        if (!rows.at(-1)?.classList.contains("singles")) rows.push(make("div", { class: "singles" }));
        rows.at(-1).append(this.button(c, named(c), "row"));
      } else {
        rows.push(make("div", { class: "group", role: "group", "aria-label": what }, make("h3", {}, what), make("div", { class: "chips" }, ...list.map((c) => this.button(c, c.which || c.text, "chip")))));
      }
      if (this.hint?.why.length > 0 && list.some((c) => c.action === this.hint.best)) rows.push(make("p", { class: "advice" }, ...linked(`${this.hint.why.join(". ")}.`)));
    }
    $("choices").replaceChildren(...rows);
    this.buttons()[0]?.setAttribute("tabindex", "0");
    if (words.join("").length > 1 && this.asking) this.drawIllegal(fits);
  }

  /** drawIllegal lists what is not possible now, with the reasons. */
  async drawIllegal(fits) {
    const legal = new Set(this.list.map((c) => c.action));
    const found = this.names.map((text, action) => ({ text, action })).filter((a) => !legal.has(a.action) && fits(a.text)).slice(0, 8);
    if (found.length === 0) {
      if (this.buttons().length === 0) $("choices").append(make("p", { class: "none" }, fill("There is nothing of that name.")));
      return;
    }
    const drawn = $("find").value;
    const reasons = await this.why(found.map((a) => a.action));
    if ($("find").value !== drawn || !reasons) return;
    $("choices").append(make("div", { class: "not" }, make("h3", {}, fill("Not possible now")), ...found.map((a) => make("p", {}, make("b", {}, a.text), ": ", ...linked(reasons[a.action] ?? "")))));
  }

  key(e) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[e.key];
    const list = this.buttons();
    let i = list.indexOf(document.activeElement);
    if (e.key === "Home") i = 0;
    else if (e.key === "End") i = list.length - 1;
    else if (by && i >= 0) i = (i + by + list.length) % list.length;
    else return;
    e.preventDefault();
    for (const b of list) b.setAttribute("tabindex", "-1");
    list[i]?.setAttribute("tabindex", "0");
    list[i]?.focus();
  }
}

/** openMenu shows some choices where somebody has pointed; the first lies under the pointer, so that a second click takes it. */
export function openMenu(x, y, from, ...rows) {
  const menu = $("menu");
  menu.replaceChildren(...rows);
  menu.hidden = false;
  const box = menu.getBoundingClientRect();
  const left = Math.max(6, Math.min(x - 24, innerWidth - box.width - 6));
  const top = Math.max(6, Math.min(y - 20, innerHeight - box.height - 6));
  menu.style.setProperty("left", `${left}px`);
  menu.style.setProperty("top", `${top}px`);
  menu.from = from;
  (menu.querySelector("button") ?? menu).focus({ preventScroll: true });
}

export function closeMenu(back) {
  const menu = $("menu");
  if (menu.hidden) return;
  menu.hidden = true;
  if (back && menu.from?.isConnected) menu.from.focus({ preventScroll: true });
}

export function startMenu() {
  const menu = $("menu");
  document.addEventListener("pointerdown", (e) => {
    if (!menu.contains(e.target)) closeMenu(false);
  });
  menu.addEventListener("keydown", (e) => {
    const list = [...menu.querySelectorAll("button")];
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.key === "Escape") closeMenu(true);
    else if (e.key === "Tab") closeMenu(true);
    else if (by && list.length) list[(list.indexOf(document.activeElement) + by + list.length) % list.length].focus();
    else return;
    e.preventDefault();
  });
}
