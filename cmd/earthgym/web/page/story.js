// What happened: sentences, each of which shows the board as it was then, and the moves of others one by one.

import { $, keep, kept, make, seatMark, toast } from "./dom.js";
import { fill } from "./fill.js";
import { sound } from "./sound.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** pace is how long a move of somebody else is shown, in milliseconds; 0, also for those who want no motion, shows what stands now at once. */
const pace = () => Number(kept("pace") ?? (calm.matches ? 0 : 500));

/** extent tells whether the list has been laid out anew. */
const extent = () => `${$("log").clientWidth} ${$("log").clientHeight} ${$("log").scrollHeight}`;

export class Story {
  /** past gives {board} after a decision; show draws a moment {board, action}, or with null what stands now. */
  constructor(past, show, colours) {
    Object.assign(this, { past, show, colours, lines: [], own: -1, elsewhere: false, shown: 0 });
    const list = $("log");
    this.atEnd = true; // Whoever has scrolled away stays there.
    list.addEventListener("scroll", () => {
      // A screen that turns scrolls too, and its event comes before or after that of the new size.
      if (this.atEnd && this.extent !== extent()) this.follow();
      else this.atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    });
    new ResizeObserver(() => this.follow()).observe(list);
    list.addEventListener("click", (e) => {
      const b = e.target.closest("button");
      if (b) this.lookBack(Number(b.dataset.decision));
    });
    list.addEventListener("keydown", (e) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
      if (!by) return;
      e.preventDefault();
      const all = [...list.querySelectorAll("button")];
      const at = all.indexOf(document.activeElement);
      (all[at < 0 ? all.length - 1 : Math.min(all.length - 1, Math.max(0, at + by))])?.focus();
    });
    $("storyopen").addEventListener("click", () => {
      const open = $("story").classList.toggle("open");
      $("storyopen").setAttribute("aria-expanded", String(open));
    });
    $("captionend").addEventListener("click", () => this.present());
    $("pace").value = pace();
    $("pace").addEventListener("change", () => keep("pace", $("pace").value));
  }

  /** forget begins anew, from another seat. */
  forget() {
    this.present();
    Object.assign(this, { lines: [], own: -1, atEnd: true });
    $("log").replaceChildren();
  }

  /** take adds what is told. */
  take(sight) {
    this.lines = this.lines.slice(0, sight.logFrom).concat(sight.log);
  }

  draw(from, seat, name) {
    const list = $("log");
    while (list.childElementCount > from) list.lastElementChild.remove();
    list.append(...this.lines.slice(from).map((l) => make("li", { class: `${l.kind}${l.kind === "action" && l.player === seat ? " own" : ""}` },
      make("button", { type: "button", tabindex: "-1", "data-decision": l.decision }, l.kind === "action" && l.player >= 0 ? seatMark(this.colours[l.player]) : null, l.text))));
    const last = this.lines.findLastIndex((l) => l.kind === "action" && l.player === seat);
    for (const [i, li] of [...list.children].entries()) li.classList.toggle("fresh", seat !== null && i > last && this.lines[i].decision >= 0);
    this.name = name;
    if (from === 0) this.atEnd = true;
    this.follow();
  }

  follow() {
    if (!this.atEnd) return;
    this.extent = extent();
    $("log").scrollTop = $("log").scrollHeight;
  }

  /** lastMoves are the actions since the viewer's own last one; a spectator's, the last alone. */
  lastMoves(seat, decision) {
    for (const l of this.lines) if (l.kind === "action" && l.player === seat) this.own = Math.max(this.own, l.decision);
    this.own = Math.min(this.own, decision - 1);
    const moves = this.lines.filter((l) => l.kind === "action" && l.action >= 0 && (seat === null ? l.decision === decision - 1 : l.decision > this.own));
    return new Set(moves.slice(-6).map((l) => l.action));
  }

  /** play shows the moves that others have made from a decision on, one by one; whoever acts meanwhile sees what stands now. */
  async play(from, seat) {
    const moves = [...new Set(this.lines.filter((l) => l.decision >= from && l.kind === "action" && l.player !== seat && l.player >= 0).map((l) => l.decision))];
    if (pace() === 0 || moves.length < 2 || this.elsewhere) return;
    const longest = 8000; // of all of them together
    const mine = ++this.shown;
    for (const [i, n] of moves.entries()) {
      if (!await this.at(n, mine, fill("{n} of {all}", { n: i + 1, all: moves.length }), fill("Skip"))) return;
      sound("move");
      await new Promise((resume) => setTimeout(resume, Math.min(pace(), longest / moves.length)));
      if (mine !== this.shown) return;
    }
    this.present();
  }

  /** lookBack shows the board after a decision. */
  lookBack(n) {
    return this.at(n, ++this.shown, fill("Looking back"), fill("Back to now"));
  }

  /** lookAt shows a board that load gives, under a caption. */
  async lookAt(load, caption) {
    const mine = ++this.shown;
    const moment = await load();
    if (mine !== this.shown) return;
    this.elsewhere = true;
    $("captiontext").textContent = caption;
    $("captionend").textContent = fill("Back to now");
    $("caption").hidden = false;
    this.show({ board: moment.board, action: -1 });
  }

  async at(n, mine, head, end) {
    let moment;
    try {
      moment = await this.past(n);
    } catch (error) {
      if (mine === this.shown) this.present();
      if (end !== fill("Skip")) toast(error.message);
      return false;
    }
    if (mine !== this.shown) return false;
    this.elsewhere = true;
    const told = this.lines.map((l, i) => [l, i]).filter(([l]) => l.decision === n);
    for (const li of $("log").querySelectorAll("[aria-current]")) li.removeAttribute("aria-current");
    for (const [, i] of told) $("log").children[i]?.querySelector("button").setAttribute("aria-current", "true");
    $("captiontext").textContent = `${head}: ${told.map(([l]) => l.text).join(" ")}${moment.why && end !== fill("Skip") ? ` ${moment.why}` : ""}`;
    $("captionend").textContent = end;
    $("caption").hidden = false;
    this.show({ board: moment.board, action: told.find(([l]) => l.action >= 0)?.[0].action ?? -1 });
    return true;
  }

  /** present shows what stands now. */
  present() {
    this.shown++;
    $("caption").hidden = true;
    if (!this.elsewhere) return;
    this.elsewhere = false;
    for (const li of $("log").querySelectorAll("[aria-current]")) li.removeAttribute("aria-current");
    this.show(null);
  }
}
