// Lists the engine's sentences on why a move is good or bad. Hovering over a sentence highlights its squares on the board.

import { button, make } from "./elements.js";
import { language } from "./words.js";
import { squareOf } from "./rules.js";
import { found, state } from "./state.js";

/**
 * A sentence (`text` by language) on why a move is good or bad, and the amazon and squares that it mentions; see
 * ../../analysis/reasons.rs.
 * @typedef {{ move: string, amazon?: string, squares?: string[], text: Record<string, string> }} Reason */

/** Returns all sentences in the analysis of a ply; empty if there is no analysis. @param {any} ply @returns {Reason[]} */
const reasonsOf = (ply) => ply?.reasons ?? [];

/** Returns the sentences about one move in the analysis of a ply. @param {any} ply @param {string | null} move */
export const reasonsOn = (ply, move) => reasonsOf(ply).filter((reason) => reason.move === move);

/**
 * Returns the sentences to show after a move. If the game analysed in `ply` continued with this move, they also say why another
 * move was better.
 * @param {any} ply analysis of the position before the move @param {string | null} move
 */
export const reasonsBehind = (ply, move) => (ply?.move === move ? reasonsOf(ply) : reasonsOn(ply, move));

/** Highlights exactly the given squares on the board. @param {string[]} names such as `c6` */
function mark(names) {
  state.marked = names.map(squareOf);
  found();
}

/**
 * Fills a list with sentences as buttons, which highlight their squares when focused or hovered.
 * @param {HTMLElement} list @param {Reason[]} reasons
 */
export function renderReasons(list, reasons) {
  list.hidden = !reasons.length;
  list.replaceChildren(...reasons.map(({ text, amazon, squares = [] }) => {
    const sentence = button({ class: "reason" }, text[language()]);
    const show = () => mark(amazon ? [amazon, ...squares] : squares);
    sentence.onpointerenter = sentence.onfocus = sentence.onclick = show;
    sentence.onblur = () => mark([]);
    sentence.onpointerleave = () => document.activeElement !== sentence && mark([]);
    return make("li", {}, sentence);
  }));
}
