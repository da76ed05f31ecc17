// A plan: decisions of one seat in a row, composed on the page, with what would come of them by all that the seat knows;
// nothing is played before it is sent. A form is a plan of one move, begun by a choice of which more is asked: it gathers
// the answers, to be confirmed once. The same tells, beside a choice, what it would bring.

import { $, announce, make, named, toast } from "./dom.js";
import { linked } from "./book.js";
import { fill } from "./fill.js";
import { post } from "./wire.js";

const percent = (share) => (share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`);

/** outcome is what a move of a draft brings, as rows. */
function outcome(move) {
  const rows = move.story.map((text) => make("li", {}, ...linked(text)));
  for (const p of move.perhaps) rows.push(make("li", { class: "perhaps" }, make("span", { class: "figure" }, percent(p.share)), " ", ...linked(p.text)));
  return rows;
}

/** place lays the preview beside what it is about: the menu on the board, or the list of choices. */
function place(box, action) {
  const { width, height } = box.getBoundingClientRect();
  const menu = $("menu").hidden ? null : $("menu").getBoundingClientRect();
  const list = $("sheet").getBoundingClientRect();
  const on = (menu ? $("menu") : $("choices")).querySelector(`[data-action="${action}"]`)?.getBoundingClientRect() ?? list;
  const board = $("place").getBoundingClientRect();
  const beside = list.left > board.left + 100;
  let left = menu ? menu.right + 8 : beside ? list.left - width - 8 : board.left + 4;
  if (menu && left + width > innerWidth) left = menu.left - width - 8;
  const top = menu ? menu.top : beside ? on.top - 8 : board.bottom - height - 4;
  box.style.setProperty("left", `${Math.max(4, left)}px`);
  box.style.setProperty("top", `${Math.max(4, Math.min(top, innerHeight - height - 6))}px`);
}

export class Plan {
  /** at gives {seat, step} of the decision that is asked for, or null; changed is called when the plan has changed; send plays it. */
  constructor(at, changed, send) {
    Object.assign(this, { at, changed, send, actions: [], draft: null, boards: [], on: false, form: false, asked: 0 });
    $("plansend").addEventListener("click", () => this.actions.length && send(this.actions));
    $("planback").addEventListener("click", () => this.cut(this.actions.length - 1));
    $("plandrop").addEventListener("click", () => this.cut(0));
    $("plansame").addEventListener("click", () => this.try([...this.actions, ...Array(this.draft.same).fill(this.actions.at(-1))]));
  }

  /** turn begins to plan, or stops it. */
  turn(on) {
    this.on = on;
    this.clear();
    this.draw();
  }

  /** clear forgets what was planned. */
  clear() {
    this.asked++;
    this.form = false;
    this.actions = [];
    this.draft = null;
    this.boards = [];
  }

  /** board is the picture after what is planned: where chance or others would decide next, the last that is sure; "" before. */
  get board() {
    return this.boards.findLast((b) => b) ?? "";
  }

  add(action) {
    return this.try([...this.actions, action]);
  }

  /** begin opens a form with its first answer. */
  begin(action) {
    this.form = true;
    return this.try([action]);
  }

  /** whole says whether a form has all its answers. */
  get whole() {
    return this.form && this.draft !== null && !(this.draft.open && this.draft.inside);
  }

  cut(n) {
    if (n < 0) return;
    if (n === 0) {
      this.clear();
      this.draw();
      this.changed();
    } else {
      this.try(this.actions.slice(0, n));
    }
  }

  async try(actions) {
    const at = this.at();
    if (!at) return;
    const asked = ++this.asked;
    try {
      const draft = await post("draft", { ...at, actions });
      if (asked !== this.asked || this.at()?.step !== at.step) return;
      this.actions = actions;
      this.draft = draft;
      this.boards = [...this.boards.slice(0, actions.length - 1), draft.board];
      if (this.whole && actions.length === 1) return this.send(actions); // Nothing more is asked after all.
      this.draw();
      this.changed();
      if (this.whole) $("plansend").focus({ preventScroll: true });
      const last = draft.moves.at(-1);
      announce([...last.story, draft.open ? draft.question : fill("Then {end}.", { end: draft.end })].join(". "));
    } catch (error) {
      if (this.actions.length === 0) this.form = false;
      toast(error.message);
    }
  }

  draw() {
    const d = this.draft;
    const asking = this.form && !this.whole;
    document.body.classList.toggle("forming", this.form && d !== null);
    $("plan").hidden = !(this.on || (this.form && d)) || !this.at();
    if ($("plan").hidden) return;
    $("planhead").textContent = this.form ? fill("Your move") : fill("Your plan");
    $("planned").replaceChildren(...(d?.moves ?? []).map((m, i) => make("li", {}, make("div", { class: "planmove" }, make("span", {}, this.form ? make("small", {}, linked(m.asked, true)[0]) : null, make("b", {}, named(m))),
      make("button", { type: "button", "aria-label": fill("Back to before {choice}", { choice: named(m) }), title: fill("Back to before this"), onclick: () => this.cut(i) }, "×")), asking ? null : make("ul", {}, ...outcome(m)))));
    $("planend").hidden = asking;
    $("plansame").hidden = !asking || d.same < 2;
    $("plansame").textContent = fill("The same for all {n} that follow", { n: d?.same });
    const words = [];
    if (d?.changes.length) words.push(make("b", {}, `${fill("In all:")} `), d.changes.join(", "), ". ");
    if (!d) words.push(fill("Choose as you would play: nothing is sent before you say so."));
    else if (!d.open) words.push(fill("Then {end}.", { end: d.end }));
    $("planend").replaceChildren(...words);
    const n = this.actions.length;
    $("plandrop").textContent = this.form ? fill("Cancel") : fill("Begin anew");
    $("plansend").textContent = this.form ? fill("Confirm") : n === 1 ? fill("Send this decision") : n > 1 ? fill("Send {n} decisions", { n }) : fill("Send");
    for (const id of ["plansend", "planback", "plandrop"]) $(id).disabled = n === 0;
    if (asking) $("plansend").disabled = true;
    $("planned").lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** preview tells what a choice would bring, after what is planned; null tells nothing. */
  preview(action) {
    clearTimeout(this.waiting);
    if (action === null || !this.at()) {
      this.previews++;
      this.waiting = setTimeout(() => { $("preview").hidden = true; }, 150);
      return;
    }
    this.waiting = setTimeout(async () => {
      const at = this.at();
      const actions = [...this.actions, action];
      const asked = ++this.previews;
      try {
        const draft = await post("draft", { ...at, actions });
        if (asked !== this.previews || this.at()?.step !== at.step) return;
        const last = draft.moves.at(-1);
        const box = $("preview");
        box.replaceChildren(make("p", {}, make("b", {}, named(last))), make("ul", {}, ...outcome(last)), ...(draft.open ? [] : [make("p", {}, fill("Then {end}.", { end: draft.end }))]));
        box.hidden = false;
        place(box, action);
      } catch { /* It can't be chosen any more. */ }
    }, 250);
  }

  previews = 0;
}
