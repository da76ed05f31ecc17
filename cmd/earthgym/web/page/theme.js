// Light or dark: as the machine has it, until somebody chooses.

import { $, keep, kept } from "./dom.js";

function set(name) {
  if (!name) return;
  document.documentElement.dataset.theme = name;
  keep("theme", name);
}

export function startTheme() {
  set(kept("theme"));
  $("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    set(now === "dark" ? "light" : "dark");
  });
}
