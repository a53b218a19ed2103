// Sound effects of moves, synthesised with the Web Audio API. Sounds are off until the user switches them on.

import { state } from "./state.js";

/**
 * Sound effects, each a list of tones: `step` is played when an amazon moves, `shot` when it shoots, `end` when the
 * game ends. A tone is a list. First: waveform; second: frequency in Hz at the start; third: frequency at the end;
 * fourth: delay in seconds; fifth: duration in seconds; sixth: volume from 0 to 1.
 * @type {Record<"step" | "shot" | "end", [OscillatorType, number, number, number, number, number][]>}
 */
const SOUNDS = {
  step: [["triangle", 210, 120, 0, 0.09, 0.5]],
  shot: [["square", 900, 260, 0, 0.07, 0.06], ["triangle", 160, 90, 0.05, 0.1, 0.5]],
  end: [["triangle", 392, 392, 0, 0.18, 0.3], ["triangle", 523, 523, 0.17, 0.4, 0.3]],
};

/** The audio context in which the sounds are played; null until the first sound. @type {AudioContext | null} */
let audio = null;

/**
 * Plays a sound effect after a delay, unless the user has switched sounds off.
 * @param {keyof typeof SOUNDS} name @param {number} delay in milliseconds
 */
export function playSound(name, delay) {
  // Browsers block sound until the user has clicked or typed on the page (`hasBeenActive`).
  if (!state.hasSound || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  audio.resume();
  for (const [type, high, low, after, length, volume] of SOUNDS[name]) {
    const begin = audio.currentTime + delay / 1000 + after;
    const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
    tone.type = type;
    tone.frequency.setValueAtTime(high, begin);
    tone.frequency.exponentialRampToValueAtTime(low, begin + length);
    loudness.gain.setValueAtTime(volume, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
