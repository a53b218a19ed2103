// Lists the engine's sentences on why a move is good or bad. Hovering over a sentence highlights its squares on the
// board.

import { makeButton, makeElement } from "./dom.js";
import { language } from "./texts.js";
import { squareOf } from "./rules.js";
import { emitFindings, state } from "./state.js";

/**
 * A sentence on why `move` is good or bad: its `text` by language, and the amazon's square and other squares to
 * highlight (names such as `c6`). The sentences come from ../../analysis/reasons.rs.
 * @typedef {{ move: string, amazon?: string, squares?: string[], text: Record<string, string> }} Reason
 */

/**
 * Returns all sentences in the analysis of a position; empty if there is no analysis.
 * @param {any} ply @returns {Reason[]}
 */
const reasonsOf = (ply) => ply?.reasons ?? [];

/**
 * Returns the sentences about one move in the analysis of a position.
 * @param {any} ply analysis of the position before the move @param {string | null} move
 */
export const reasonsAbout = (ply, move) => reasonsOf(ply).filter((reason) => reason.move === move);

/**
 * Returns the sentences to show after a move. For the move that was played in the analysed game, these include the
 * sentences on why the best move was better.
 * @param {any} ply analysis of the position before the move @param {string | null} move
 */
export const reasonsToShow = (ply, move) => (ply?.move === move ? reasonsOf(ply) : reasonsAbout(ply, move));

/** Highlights the given squares on the board, and no others. @param {string[]} names of the squares, such as `c6` */
function highlight(names) {
  state.highlighted = names.map(squareOf);
  emitFindings();
}

/**
 * Shows sentences as the buttons of a list; hides an empty list. Focusing or hovering a button highlights its squares
 * on the board.
 * @param {HTMLElement} list @param {Reason[]} reasons
 */
export function renderReasons(list, reasons) {
  list.hidden = !reasons.length;
  list.replaceChildren(...reasons.map(({ text, amazon, squares = [] }) => {
    const sentence = makeButton({ class: "reason" }, text[language()]);
    const show = () => highlight(amazon ? [amazon, ...squares] : squares);
    sentence.onpointerenter = sentence.onfocus = sentence.onclick = show;
    sentence.onblur = () => highlight([]);
    sentence.onpointerleave = () => document.activeElement !== sentence && highlight([]);
    return makeElement("li", {}, sentence);
  }));
}
