// Animates moves on the board: first the amazon's walk, then the arrow's flight.

import { squaresOf } from "./rules.js";
import { isFinal } from "./tree.js";
import { game } from "./state.js";
import { playSound } from "./sounds.js";

/** Durations in milliseconds of the two parts of a move's animation: the amazon's move, and then the arrow's flight. */
const [WALK_MS, SHOT_MS] = [230, 200];

/** Media query that matches if the user prefers not to see animations. */
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The current animation:
 * - `since`: time of its start, in milliseconds of `performance.now()`;
 * - `parts`: for each moving piece, the square to which it moves (`at`) and from which it comes (`from`), from 0 (a1)
 *   to 63 (h8), and the delay and duration of its movement in milliseconds.
 * @type {{ since: number, parts: { at: number, from: number, delay: number, duration: number }[] }}
 */
let current = { since: 0, parts: [] };

/**
 * The node that was drawn last, and its 64 cells (letters for the squares, row by row from a1). If the next drawn node
 * is a child of this node, its move is animated.
 * @type {{ node: import("./tree.js").GameNode | null, cells: string }}
 */
let lastDrawn = { node: null, cells: "" };

/**
 * Starts the animation of the change from the node drawn before to `node`. If `node` is its child, animates the move
 * and plays its sounds. If `node` is its parent, animates the amazon's way back. Else starts no animation.
 * @param {import("./tree.js").GameNode} node @param {string} cells the 64 cells drawn now
 */
export function startAnimation(node, cells) {
  const { node: before, cells: old } = lastDrawn;
  lastDrawn = { node, cells };
  if (node === before) return;
  current = { since: performance.now(), parts: [] };
  if (before && node.parent === before && node.move) {
    const [from, to, arrow] = squaresOf(node.move);
    // If the user has entered the move on the board, the amazon is drawn on its destination already. Only the arrow is
    // animated then.
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
 * Applies the current animation to the drawn pieces. The board is redrawn with new SVG elements during an animation;
 * this function continues the animation on them.
 * @param {(at: number) => Element | undefined} pieceAt returns the drawn piece on a square
 * @param {(at: number) => number[]} centre returns the x and y of the centre of a square in SVG units
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
