// Line charts as SVG, for curves over a game and over a training.

import { make } from "./dom.js";

const svg = (name, attributes, ...children) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
};

const short = (x) => (Math.abs(x) >= 1e6 ? `${+(x / 1e6).toFixed(1)} M` : Math.abs(x) >= 1e4 ? `${+(x / 1e3).toFixed(0)} k` : String(+x.toPrecision(3)));

/**
 * chart draws series of {name, colour, x, y}; mark is a dashed line's height, here the place of a cursor, range the least
 * and greatest y if they are fixed. It gives elements.
 */
export function chart({ title, series, mark, here, xs, range }) {
  const all = series.flatMap((s) => s.y);
  const allX = xs ?? series.flatMap((s) => s.x);
  const [left, right] = [Math.min(...allX), Math.max(...allX)];
  let [low, high] = range ?? [Math.min(...all), Math.max(...all)];
  if (mark) [low, high] = [Math.min(low, mark), Math.max(high, mark)];
  if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
  const px = (x) => (right > left ? (1000 * (x - left)) / (right - left) : 500);
  const py = (y) => 194 - (188 * (y - low)) / (high - low);
  const lines = [];
  const across = (y, name) => lines.push(svg("line", { x1: 0, x2: 1000, y1: py(y), y2: py(y), class: name }));
  if (low < 0 && high > 0) across(0, "zero");
  if (mark) across(mark, "zero");
  for (const s of series) {
    const line = svg("polyline", { class: "series", points: s.x.map((x, i) => `${px(x).toFixed(1)},${py(s.y[i]).toFixed(1)}`).join(" ") });
    line.style.setProperty("--series", s.colour);
    lines.push(line);
    if (s.x.length === 1) {
      const dot = svg("path", { d: `M ${px(s.x[0])} ${py(s.y[0])} h 0`, class: "series point" }); // round however the picture is stretched
      dot.style.setProperty("--series", s.colour);
      lines.push(dot);
    }
  }
  if (here !== undefined) lines.push(svg("line", { x1: px(here), x2: px(here), y1: 0, y2: 200, class: "here" }));
  const picture = svg("svg", { viewBox: "0 0 1000 200", preserveAspectRatio: "none", role: "img", "aria-label": `${title}: ${series.map((s) => `${s.name} ${s.y.length ? short(s.y.at(-1)) : "–"}`).join(", ")}` }, ...lines);
  return [
    make("div", { class: "ends" }, make("span", {}, all.length ? short(high) : ""), make("span", {}, title)),
    picture,
    make("div", { class: "ends" }, make("span", {}, all.length ? short(low) : ""), make("span", {}, allX.length ? `${short(left)} – ${short(right)}` : "")),
    series.length > 1 || series[0]?.name ? make("ul", { class: "legend" }, ...series.map((s) => {
      const dot = make("i", { class: "series" });
      dot.style.setProperty("--series", s.colour);
      return make("li", {}, dot, s.name);
    })) : null,
  ];
}

/** place is the x of a pointer in a chart that goes from 0 to last. */
export function place(event, picture, last) {
  const box = picture.getBoundingClientRect();
  return Math.round((last * (event.clientX - box.left)) / box.width);
}

/** colours tell series apart for the colour-blind too (Okabe and Ito, Color universal design, 2008). */
export const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f5ab5", "#808080"];
