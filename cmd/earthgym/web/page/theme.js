// Light or dark: as the machine has it, until somebody chooses.

import { $ } from "./dom.js";

function set(name) {
  if (!name) return;
  document.documentElement.dataset.theme = name;
  localStorage.setItem("theme", name);
}

export function startTheme() {
  set(localStorage.getItem("theme"));
  $("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    set(now === "dark" ? "light" : "dark");
  });
}
