// Sounds: short tones for a move, for one's turn and for the end, none before somebody wants them.

import { $, keep, kept } from "./dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const tones = { move: [330], turn: [440, 660], end: [523, 659, 784] }; // hertz, one after another
let audio;

/** sound plays one of the tones; moves make none for those who want no motion, as they aren't shown one by one. */
export function sound(name) {
  if (kept("sounds") !== "on" || (name === "move" && calm.matches)) return;
  audio ??= new AudioContext();
  for (const [i, pitch] of tones[name].entries()) {
    const [at, wave, volume] = [audio.currentTime + 0.13 * i, audio.createOscillator(), audio.createGain()];
    wave.type = "triangle";
    wave.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.25);
    wave.connect(volume).connect(audio.destination);
    wave.start(at);
    wave.stop(at + 0.25);
  }
}

export function startSounds() {
  $("sounds").checked = kept("sounds") === "on";
  $("sounds").addEventListener("change", () => {
    keep("sounds", $("sounds").checked ? "on" : "off");
    sound("turn");
  });
}
