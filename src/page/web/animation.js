// Animates moves on the board: first the amazon's walk, then the arrow's flight.

import { squaresOf } from "./rules.js";
import { isFinal } from "./tree.js";
import { game } from "./state.js";
import { playSound } from "./sounds.js";

/** Durations of the animation in milliseconds: of the amazon's move, and of the arrow's shot that follows. */
const [WALK_MS, SHOT_MS] = [230, 200];

/** Media query for the user's preference not to see animations. */
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The current animation: its start time (milliseconds of `performance.now()`), and for each moving piece its
 * destination (`at`) and origin squares, from 0 (a1) to 63 (h8), and its delay and duration in milliseconds.
 * @type {{ since: number, parts: { at: number, from: number, delay: number, duration: number }[] }}
 */
let current = { since: 0, parts: [] };

/**
 * The node and the 64 cells that were drawn last. A move is animated if it leads from this node to the new one.
 * @type {{ node: import("./tree.js").GameNode | null, cells: string }}
 */
let lastDrawn = { node: null, cells: "" };

/**
 * Starts the animation and the sounds of a move, if the drawn node is one move after the node drawn before; if it is
 * one move before, animates the amazon's way back.
 * @param {import("./tree.js").GameNode} node @param {string} cells the 64 cells drawn now
 */
export function startAnimation(node, cells) {
  const { node: before, cells: old } = lastDrawn;
  lastDrawn = { node, cells };
  if (node === before) return;
  current = { since: performance.now(), parts: [] };
  if (before && node.parent === before && node.move) {
    const [from, to, arrow] = squaresOf(node.move);
    // If the user entered the move on the board, the amazon already stands on its destination: only the arrow is
    // animated.
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
 * Continues the current animation on pieces that were drawn anew.
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
