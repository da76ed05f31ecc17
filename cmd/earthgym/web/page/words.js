// The page's own words: English, unless the table has others for them. What the game says comes from the game.

import { get } from "./wire.js";

let labels = {};

/** tr is a text of the page in the table's words, with its places {name} filled. */
export function tr(text, args = {}) {
  return (labels[text] ?? text).replace(/\{(\w+)\}/g, (place, name) => args[name] ?? place);
}

/** loadWords fetches the table's words, and puts what stands on the page into them. */
export async function loadWords() {
  const words = await (await get("labels")).json();
  labels = words.page;
  document.documentElement.lang = words.language;
  if (Object.keys(labels).length === 0) return;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.data.trim();
    if (labels[text]) node.data = node.data.replace(text, () => labels[text]);
  }
  for (const e of document.querySelectorAll("[title], [aria-label], [placeholder], [data-empty]")) {
    for (const name of ["title", "aria-label", "placeholder", "data-empty"]) {
      const text = labels[e.getAttribute(name)];
      if (text) e.setAttribute(name, text);
    }
  }
}
