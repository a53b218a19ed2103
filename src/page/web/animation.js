// Animates moves on the board: first the amazon's walk, then the arrow's flight.

import { squaresOf } from "./rules.js";
import { isFinal } from "./tree.js";
import { game } from "./state.js";
import { playSound } from "./sounds.js";

/** Durations of the animations in milliseconds: the amazon's walk, and then the arrow's flight. */
const [WALK_MS, SHOT_MS] = [230, 200];

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The current animation: its start time in milliseconds, and for each moving piece the destination and origin squares, the
 * delay and the duration in milliseconds.
 * @type {{ since: number, parts: { at: number, from: number, delay: number, duration: number }[] }}
 */
let current = { since: 0, parts: [] };

/**
 * The node and cells that were drawn last, to detect a move.
 * @type {{ node: import("./tree.js").GameNode | null, cells: string }}
 */
let lastDrawn = { node: null, cells: "" };

/**
 * Starts an animation and its sounds if the new node is one move after or before the node drawn last.
 * @param {import("./tree.js").GameNode} node @param {string} cells
 */
export function startAnimation(node, cells) {
  const { node: before, cells: old } = lastDrawn;
  lastDrawn = { node, cells };
  if (node === before) return;
  current = { since: performance.now(), parts: [] };
  if (before && node.parent === before && node.move) {
    const [from, to, arrow] = squaresOf(node.move);
    // If the user moved the amazon, it already stands on its destination and needs no animation.
    const delay = old[to] === "." ? WALK_MS : 0;
    if (delay) {
      current.parts.push({ at: to, from, delay: 0, duration: WALK_MS });
      playSound("step", 0);
    }
    current.parts.push({ at: arrow, from: to, delay, duration: SHOT_MS });
    playSound("shot", delay);
    if (isFinal(game(), node)) playSound("end", delay + SHOT_MS);
  } else if (before?.parent === node && before.move) {
    const [from, to] = squaresOf(before.move);
    current.parts.push({ at: from, from: to, delay: 0, duration: WALK_MS });
  }
}

/**
 * Continues the current animation on newly drawn pieces.
 * @param {(at: number) => Element | undefined} pieceAt returns the drawn piece on a square
 * @param {(at: number) => number[]} centre returns the centre of a square in SVG units
 */
export function animatePieces(pieceAt, centre) {
  if (reducedMotion.matches) return;
  const passed = performance.now() - current.since;
  for (const { at, from, delay, duration } of current.parts) {
    if (passed >= delay + duration) continue;
    const [x, y] = centre(from).map((place, axis) => place - centre(at)[axis]);
    const way = [{ translate: `${x}px ${y}px`, opacity: delay ? 0 : 1 }, { opacity: 1, offset: 0.3 }, { translate: "0 0", opacity: 1 }];
    const animation = pieceAt(at)?.animate(way, { delay, duration, easing: "ease-out", fill: "backwards" });
    if (animation) animation.currentTime = passed;
  }
}
