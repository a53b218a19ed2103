// Lists the engine's sentences on why a move is good or bad. Hovering over a sentence highlights its squares on the board.

import { makeButton, makeElement } from "./dom.js";
import { language } from "./texts.js";
import { squareOf } from "./rules.js";
import { emitFindings, state } from "./state.js";

/**
 * A sentence (`text` by language) on why a move is good or bad, and the amazon and squares that it mentions; see
 * ../../analysis/reasons.rs.
 * @typedef {{ move: string, amazon?: string, squares?: string[], text: Record<string, string> }} Reason */

/** Returns all sentences in the analysis of a ply; empty if there is no analysis. @param {any} ply @returns {Reason[]} */
const reasonsOf = (ply) => ply?.reasons ?? [];

/** Returns the sentences about one move in the analysis of a ply. @param {any} ply @param {string | null} move */
export const reasonsAbout = (ply, move) => reasonsOf(ply).filter((reason) => reason.move === move);

/**
 * Returns the sentences to show after a move. If the game analysed in `ply` continued with this move, they also say why another
 * move was better.
 * @param {any} ply analysis of the position before the move @param {string | null} move
 */
export const reasonsToShow = (ply, move) => (ply?.move === move ? reasonsOf(ply) : reasonsAbout(ply, move));

/** Highlights exactly the given squares on the board. @param {string[]} names such as `c6` */
function highlight(names) {
  state.highlighted = names.map(squareOf);
  emitFindings();
}

/**
 * Fills a list with sentences as buttons, which highlight their squares when focused or hovered.
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
