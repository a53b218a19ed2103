// How a move goes over the board: the amazon first, then the arrow.

import { squaresOf } from "./rules.js";
import { isFinal } from "./tree.js";
import { game } from "./state.js";
import { sound } from "./sounds.js";

/** Milliseconds of the amazon's way, and of the arrow's behind it. */
const [WALK, SHOT] = [230, 200];

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * What moves since when: the square of a piece, the one that it comes from, how long it waits and how long it takes.
 * @type {{ since: number, parts: { at: number, from: number, delay: number, duration: number }[] }}
 */
let motion = { since: 0, parts: [] };

/** What was shown last. @type {{ node: import("./tree.js").GameNode | null, cells: string }} */
let last = { node: null, cells: "" };

/**
 * Notes what is shown now; one move on or back from what was shown before, pieces move.
 * @param {import("./tree.js").GameNode} node @param {string} cells
 */
export function noteMotion(node, cells) {
  const { node: before, cells: old } = last;
  last = { node, cells };
  if (node === before) return;
  motion = { since: performance.now(), parts: [] };
  if (before && node.parent === before && node.move) {
    const [from, to, arrow] = squaresOf(node.move);
    // An amazon that was set down by hand stands there already.
    const delay = old[to] === "." ? WALK : 0;
    if (delay) {
      motion.parts.push({ at: to, from, delay: 0, duration: WALK });
      sound("step", 0);
    }
    motion.parts.push({ at: arrow, from: to, delay, duration: SHOT });
    sound("shot", delay);
    if (isFinal(game(), node)) sound("end", delay + SHOT);
  } else if (before?.parent === node && before.move) {
    const [from, to] = squaresOf(before.move);
    motion.parts.push({ at: from, from: to, delay: 0, duration: WALK });
  }
}

/** Lets the drawn pieces go on with their way. @param {(at: number) => Element | undefined} pieceAt @param {(at: number) => number[]} centre */
export function move(pieceAt, centre) {
  if (stillness.matches) return;
  const passed = performance.now() - motion.since;
  for (const { at, from, delay, duration } of motion.parts) {
    if (passed >= delay + duration) continue;
    const [x, y] = centre(from).map((place, axis) => place - centre(at)[axis]);
    const way = [{ translate: `${x}px ${y}px`, opacity: delay ? 0 : 1 }, { opacity: 1, offset: 0.3 }, { translate: "0 0", opacity: 1 }];
    const animation = pieceAt(at)?.animate(way, { delay, duration, easing: "ease-out", fill: "backwards" });
    if (animation) animation.currentTime = passed;
  }
}
