// The rules: Markdown as RULES.md uses it (headings, tables, lists, fences, paragraphs), made into elements, and opened
// at the rule that something names.

import { $, make } from "./dom.js";
import { get } from "./wire.js";
import { fill } from "./fill.js";

export const ruleID = /\b[A-Z]{2}-\d[\d.]*\d\b|\b[A-Z]{2}-\d\b/;

let texts;
let part = "rules";

/** forget closes the book of another game. */
export function forget() {
  texts = undefined;
  delete $("pages").dataset.part;
  $("pages").replaceChildren();
}

/** openBook shows the rules, at a rule if one is named. */
export async function openBook(rule) {
  texts ??= forReaders(await (await get("rules")).json());
  if (rule) [part, $("bookfind").value] = ["rules", ""];
  else if (!$("pages").childElementCount) part = texts.howto ? "howto" : "rules";
  show();
  if (!$("book").open) $("book").showModal();
  if (rule) find(rule);
}

/** forReaders leaves out of the introduction what is for those at a command line. */
function forReaders(t) {
  const howto = t.howto.replaceAll(/\s+\(`earthgym [^)]*\)/g, "").replaceAll(/\s*`earthgym replay[^`]*`\s+draws\s+any\s+position\s+of\s+a\s+record\./g, "")
    .replaceAll(/\s*\[RULES\.md\]\([^)]*\)\s+is\s+the\s+specification;\s+`earthgym[^`]*`\s+searches\s+it\./g, "");
  return { ...t, howto };
}

function show() {
  const parts = [["howto", fill("How to play")], ["rules", fill("The rules")]].filter(([p]) => texts[p]);
  $("bookparts").replaceChildren(...parts.map(([p, name]) => make("button", {
    type: "button", "aria-pressed": String(p === part), onclick: () => { part = p; show(); },
  }, name)));
  const pages = $("pages");
  if (pages.dataset.part !== part) {
    pages.dataset.part = part;
    pages.replaceChildren(...render(texts[part]));
    pages.scrollTop = 0;
  }
  search();
}

/** search leaves what has the words that are looked for, under its headings. */
function search() {
  const words = $("bookfind").value.toLowerCase().split(/\s+/).filter(Boolean);
  const below = Array(7).fill(false); // whether anything stands below a heading of each level
  for (const e of [...$("pages").children].reverse()) {
    const level = Number(/^H(\d)$/.exec(e.nodeName)?.[1] ?? 0);
    const parts = [...e.querySelectorAll("tbody tr, p, li")];
    for (const part of parts.concat(e)) {
      const text = part.textContent.toLowerCase();
      part.hidden = !words.every((w) => text.includes(w));
    }
    if (words.length > 0 && level > 0) e.hidden = !below[level];
    else if (parts.length > 0) e.hidden = parts.every((part) => part.hidden);
    if (!e.hidden) below.fill(true);
    if (level > 0) below.fill(false, level);
  }
}

function find(rule) {
  const at = document.getElementById(`rule-${rule}`);
  for (const e of $("pages").querySelectorAll(".here")) e.classList.remove("here");
  if (!at) return;
  at.classList.add("here");
  at.scrollIntoView({ block: "center" });
}

export function startBook() {
  $("bookclose").addEventListener("click", () => $("book").close());
  $("bookfind").addEventListener("input", search);
}

const item = /^( *)([-*]|\d+\.) +/;

/** render makes elements of Markdown: what is indented below an item of a list belongs to it. */
export function render(text) {
  const out = [];
  const lines = text.split("\n");
  const block = (of) => {
    const from = i;
    while (i < lines.length && of(lines[i])) i++;
    return lines.slice(from, i);
  };
  let i = 0;
  while (i < lines.length) {
    const line = lines[i];
    const heading = /^(#{1,5}) +(.*)/.exec(line);
    const picture = /^!\[([^\]]*)\]\([^)]*\)$/.exec(line);
    if (/^<!--.*-->$/.test(line) || !/\S/.test(line)) { // The mark of what a program writes into the file.
      i++;
    } else if (picture) {
      out.push(make("img", { src: `covers/${texts.game}.svg`, alt: picture[1] }));
      i++;
    } else if (heading) {
      out.push(make(`h${Math.min(6, heading[1].length + 1)}`, {}, ...inline(heading[2])));
      i++;
    } else if (line.startsWith("```")) {
      i++;
      out.push(make("pre", { tabindex: "0" }, block((l) => !l.startsWith("```")).join("\n")));
      i++;
    } else if (line.startsWith("|")) {
      out.push(make("div", { class: "wide", tabindex: "0" }, table(block((l) => l.startsWith("|")))));
    } else if (item.test(line)) {
      const list = make(/^ *\d/.test(line) ? "ol" : "ul");
      const ordered = list.nodeName === "OL";
      while (i < lines.length && item.test(lines[i]) && /^ *\d/.test(lines[i]) === ordered) {
        const [head] = item.exec(lines[i]);
        const first = lines[i++].slice(head.length);
        const rest = block((l) => l.startsWith(" ".repeat(head.length)) || (!/\S/.test(l) && (lines[i + 1] ?? "").startsWith(" ".repeat(head.length))));
        const parts = render([first, ...rest.map((l) => l.slice(head.length))].join("\n"));
        if (parts[0]?.nodeName === "P") parts.splice(0, 1, ...parts[0].childNodes);
        list.append(make("li", {}, ...parts));
      }
      out.push(list);
    } else {
      out.push(make("p", {}, ...inline(block((l) => /\S/.test(l) && (l === line || !(/^(#|\||```|<!--)/.test(l) || item.test(l)))).join(" "))));
    }
  }
  return out;
}

function table(lines) {
  const rows = lines.map((l) => l.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|")));
  const body = make("tbody");
  for (const cells of rows.slice(2)) {
    const row = make("tr", {}, ...cells.map((c) => make("td", {}, ...inline(c))));
    const id = ruleID.exec(cells[0]);
    if (id && id[0] === cells[0].replaceAll("*", "")) row.id = `rule-${id[0]}`;
    body.append(row);
  }
  return make("table", {}, make("thead", {}, make("tr", {}, ...rows[0].map((c) => make("th", { scope: "col" }, ...inline(c))))), body);
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|(?<![\w*])\*[^*\s][^*]*\*(?!\w)|\[[^\]]+\]\([^)]+\))/).filter(Boolean).map((part) => {
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return make("code", {}, part.slice(1, -1));
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return make("strong", {}, ...inline(part.slice(2, -2)));
    if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return make("em", {}, ...inline(part.slice(1, -1)));
    const link = /^\[([^\]]+)\]\(/.exec(part);
    return link ? link[1] : part;
  });
}

/** ruleMark is a button that opens the book at a rule. */
const ruleMark = (id, text) => make("button", { type: "button", class: "rule", title: fill("Read this rule: {id}", { id }), "aria-label": text === id ? null : fill("Rule {id}", { id }), onclick: (e) => { e.stopPropagation(); openBook(id); } }, text);

/** linked is a text in which rules' ids open the book; where brief is set, marks at its end stand for them. Without a book
 *  they are left out. */
export function linked(text, brief, bookless) {
  const id = `(?:${ruleID.source})`;
  if (brief || bookless) {
    const ids = bookless ? [] : [...text.matchAll(new RegExp(ruleID.source, "g"))].map((m) => m[0]);
    const plain = text.replace(new RegExp(`\\s*\\(?${id}(?:(?:,| and)? ${id})*\\)?`, "g"), "");
    const last = plain.trimEnd().lastIndexOf(" ") + 1;
    return [plain.slice(0, last), make("span", { class: "whole" }, plain.slice(last), ...ids.flatMap((rule) => [" ", ruleMark(rule, "§")]))].filter((p) => p !== "");
  }
  const parts = [];
  let from = 0;
  for (const m of text.matchAll(new RegExp(`(\\(?)(${id})([).,;:]*)`, "g"))) {
    parts.push(text.slice(from, m.index), make("span", { class: "whole" }, m[1], ruleMark(m[2], m[2]), m[3]));
    from = m.index + m[0].length;
  }
  parts.push(text.slice(from));
  return parts.filter((p) => p !== "");
}
