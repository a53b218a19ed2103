// Animates moves on the board: first the amazon's walk, then the arrow's flight.

import { squaresOf } from "./rules.js";
import { isFinal } from "./tree.js";
import { game } from "./state.js";
import { playSound } from "./sounds.js";

/**
 * Durations in milliseconds. First: the amazon's move in the animation of a turn; second: the arrow's flight after it.
 */
const [WALK_MS, SHOT_MS] = [230, 200];

/** Media query that matches if the user prefers not to see animations. */
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The animation of the latest change on the board. `since`: time of the animation's start, in milliseconds of
 * `performance.now()`. `parts`: one object for each movement of a piece. In it, `from` and `to` are squares from 0 (a1)
 * to 63 (h8); `delay` (from the animation's start) and `duration` are in milliseconds.
 * @type {{ since: number, parts: { to: number, from: number, delay: number, duration: number }[] }}
 */
let currentAnimation = { since: 0, parts: [] };

/**
 * The node that the board showed at its last drawing, and the 64 cells drawn then (`b`, `w`, `x` or `.`, row by row
 * from a1). If the board next shows a child of this node, the child's move is animated.
 * @type {{ node: import("./tree.js").GameNode | null, cells: string }}
 */
let lastDrawn = { node: null, cells: "" };

/**
 * Starts the animation that leads from the node drawn last (`lastDrawn`) to `node`, and remembers `node` as drawn. If
 * `node` is a child of the last node, animates the amazon and its arrow, and plays the sounds. If `node` is the parent
 * of the last node, animates only the amazon, which moves back. Otherwise starts no animation.
 * @param {import("./tree.js").GameNode} node @param {string} cells the 64 cells drawn for `node`
 */
export function startAnimation(node, cells) {
  const { node: before, cells: old } = lastDrawn;
  lastDrawn = { node, cells };
  if (node === before) return;
  currentAnimation = { since: performance.now(), parts: [] };
  if (before && node.parent === before && node.move) {
    const [from, to, arrow] = squaresOf(node.move);
    // Delay of the arrow's flight in milliseconds. It is 0 if the user has entered the move on the board: the amazon is
    // then drawn on its destination already, and only the arrow's flight is animated.
    const delay = old[to] === "." ? WALK_MS : 0;
    if (delay) {
      currentAnimation.parts.push({ to, from, delay: 0, duration: WALK_MS });
      playSound("step", 0);
    }
    currentAnimation.parts.push({ to: arrow, from: to, delay, duration: SHOT_MS });
    playSound("shot", delay);
    if (isFinal(game(), node)) playSound("end", delay + SHOT_MS);
  } else if (before?.parent === node && before.move) {
    const [from, to] = squaresOf(before.move);
    currentAnimation.parts.push({ to: from, from: to, delay: 0, duration: WALK_MS });
  }
}

/**
 * Applies `currentAnimation`, the animation of the latest change on the board, to the SVG elements of the pieces. Each
 * redrawing of the board creates new elements; this function lets the animation continue on them.
 * @param {(square: number) => Element | undefined} pieceAt returns the element of the piece on a square
 * @param {(square: number) => number[]} centre returns the x and y of a square's centre in SVG units
 */
export function animatePieces(pieceAt, centre) {
  if (reducedMotion.matches) return;
  const passed = performance.now() - currentAnimation.since;
  for (const { to, from, delay, duration } of currentAnimation.parts) {
    if (passed >= delay + duration) continue;
    const [x, y] = centre(from).map((place, axis) => place - centre(to)[axis]);
    const way = [{ translate: `${x}px ${y}px`, opacity: delay ? 0 : 1 }, { opacity: 1, offset: 0.3 }, { translate: "0 0", opacity: 1 }];
    const animation = pieceAt(to)?.animate(way, { delay, duration, easing: "ease-out", fill: "backwards" });
    if (animation) animation.currentTime = passed;
  }
}
