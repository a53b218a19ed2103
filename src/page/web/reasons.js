// Why a move is good or bad, in the engine's sentences. Whoever points at one sees its squares on the board.

import { button, make } from "./elements.js";
import { language } from "./words.js";
import { squareOf } from "./rules.js";
import { found, state } from "./state.js";

/** A sentence on a move, see ../../analysis/reasons.rs. @typedef {{ move: string, amazon?: string, squares?: string[], text: Record<string, string> }} Reason */

/** The sentences of a ply. @param {any} ply @returns {Reason[]} */
const reasonsOf = (ply) => ply?.reasons ?? [];

/** The sentences of a ply on a move. @param {any} ply @param {string | null} move */
export const reasonsOn = (ply, move) => reasonsOf(ply).filter((reason) => reason.move === move);

/** What is said where a move leads to: if it was played, why another one was better as well. @param {any} ply @param {string | null} move */
export const reasonsBehind = (ply, move) => (ply?.move === move ? reasonsOf(ply) : reasonsOn(ply, move));

/** Marks squares on the board, and no others. @param {string[]} names */
function mark(names) {
  state.marked = names.map(squareOf);
  found();
}

/** Lists sentences. @param {HTMLElement} list @param {Reason[]} reasons */
export function tellReasons(list, reasons) {
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
