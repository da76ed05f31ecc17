// The faces of opponents, drawn here: each is a few numbers, and who has none of their own gets one by its text.

import { shown } from "./dom.js";

// ground, skin, hair, its style, how far brows fall towards the nose, how far the mouth smiles, and what else there is
const faces = {
  "level:1": ["#f6c667", "#f3cfae", "#b5651d", "tuft", -2, 4, "freckles"],
  "level:2": ["#8fc1b5", "#c98f62", "#3a2218", "bun", -1, 3, ""],
  "level:3": ["#9db4d8", "#efc9a6", "#6b4a2b", "short", 0, 2, "glasses"],
  "level:4": ["#c9a2c6", "#8d5b3d", "#1d1714", "bob", 1, 1, ""],
  "level:5": ["#b9b9a4", "#efc9a6", "#e8e6e0", "bald", 2, 0, "glasses beard"],
  "background:steward": ["#a9cf8e", "#c98f62", "#4d3320", "short", -1, 2, "leaf"],
  "background:grabber": ["#d98b73", "#efc9a6", "#2b2b2b", "sleek", 4, 3, "teeth"],
  "background:trader": ["#e0b874", "#8d5b3d", "#1d1714", "cap", 0, 3, "beard"],
  "background:green": ["#8fc08a", "#f3cfae", "#a33b20", "bun", -1, 2, "leaf"],
  "background:industrial": ["#a7a7ad", "#efc9a6", "#5a5a5a", "helmet", 2, -1, ""],
  "background:anxious": ["#b7cfe3", "#f3cfae", "#6b4a2b", "bob", -4, -3, ""],
  "background:hasty": ["#f0a86b", "#c98f62", "#3a2218", "tuft", 1, 3, "teeth"],
  "background:dove": ["#d5dbe8", "#8d5b3d", "#e8e6e0", "bob", -2, 3, "leaf"],
  "background:hawk": ["#b9705e", "#efc9a6", "#3a2218", "sleek", 5, -2, "beak"],
};

const styles = {
  tuft: "M12 20q-1-12 12-12q13 0 12 12q-3-6-7-6l2-9q-5 2-6 6l-3-7q-2 3-1 8q-6 1-9 8z",
  bun: "M11 24q-1-15 13-15q14 0 13 15q-3-8-13-8q-10 0-13 8zM19 8a5 5 0 1 1 10 0z",
  short: "M12 21q-1-12 12-12q13 0 12 12q-2-6-6-7q-8 2-12 0q-4 1-6 7z",
  bob: "M10 34q-3-26 14-26q17 0 14 26q-4 1-5-1l1-13q-8-1-11-5q-3 5-8 6l1 12q-2 2-6 1z",
  bald: "M11 25q-2-4 1-8q0 5 1 8zM37 25q2-4-1-8q0 5-1 8z",
  sleek: "M11 22q-1-14 13-14q14 0 13 14q-2-7-4-9q-10 1-20-1q-1 4-2 10z",
  cap: "M11 19q0-11 13-11q13 0 13 11l4 1q1 2-2 2h-28z",
  helmet: "M10 19q0-12 14-12q14 0 14 12h2v3h-32v-3zM22 6h4v8h-4z",
};

/** face is the face of an agent, by its text. */
export function face(agent, name) {
  const of = faces[agent] ?? guess(agent);
  const [ground, skin, hair, style, brow, smile, more] = of;
  const has = (what) => more.split(" ").includes(what);
  const stroke = (d, width = 1.6, colour = "#2b1d16") => `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`;
  return shown(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" class="face"><rect width="48" height="48" fill="${ground}"/><path d="M8 50q1-11 16-11q15 0 16 11z" fill="${style === "helmet" ? "#d9772b" : hair}" opacity=".85"/>
<path d="M20 34h8v7q-4 3-8 0z" fill="${skin}"/><ellipse cx="24" cy="25" rx="12" ry="14" fill="${skin}"/><circle cx="12" cy="26" r="2.4" fill="${skin}"/><circle cx="36" cy="26" r="2.4" fill="${skin}"/>
${has("beard") ? `<path d="M12 28q1 14 12 14q11 0 12-14q-4 5-12 4q-8 1-12-4z" fill="${hair}"/>` : ""}
<path d="${styles[style]}" fill="${style === "helmet" ? "#f2c230" : hair}"/>
${stroke(`M16 ${21 - brow / 2}L21 ${21 + brow / 2}M27 ${21 + brow / 2}L32 ${21 - brow / 2}`, 1.8)}
<circle cx="19" cy="25" r="1.8" fill="#2b1d16"/><circle cx="29" cy="25" r="1.8" fill="#2b1d16"/>
${stroke(has("beak") ? "M23 25q4 3 2 6l-3-1" : "M24 26l1 3h-2", 1.3)}
${has("teeth") ? `<path d="M18 33q6 ${2 * smile} 12 0q-1 5-6 5q-5 0-6-5z" fill="#fff" stroke="#2b1d16" stroke-width="1.2"/>` : stroke(`M19 34q5 ${1.6 * smile} 10 0`)}
${has("glasses") ? stroke("M15 25a4 4 0 1 0 8 0a4 4 0 1 0-8 0M25 25a4 4 0 1 0 8 0a4 4 0 1 0-8 0M23 25h2", 1.3) : ""}
${has("freckles") ? '<g fill="#b5651d"><circle cx="16" cy="29" r=".7"/><circle cx="18" cy="30.5" r=".7"/><circle cx="30" cy="30.5" r=".7"/><circle cx="32" cy="29" r=".7"/></g>' : ""}
${has("leaf") ? '<path d="M31 12q1-8 10-8q0 9-8 10z" fill="#3c8a3f" stroke="#245a28"/>' : ""}</svg>`, name);
}

/** guess makes a face of a text. */
function guess(text) {
  let n = 7;
  for (const c of text) n = (31 * n + c.charCodeAt(0)) % 9973;
  const all = Object.values(faces);
  return all[0].map((_, i) => all[(n + 5 * i) % all.length][i]);
}
