// The user's annotations of a game, stored as SGF properties of its nodes: comments, annotation symbols of moves such
// as `??`, marked squares and arrows.

import { nameOf, squareOf } from "./rules.js";

/** @typedef {import("./tree.js").GameNode} GameNode */
/** @typedef {import("./tree.js").Properties} Properties */

/**
 * SGF encoding of the annotation symbols of moves: the key is the symbol, such as `??`; the value is a pair of the SGF
 * property's name and its value. The engine's parser in ../../record/formats/moves.rs uses the same encoding, but does
 * not know `=`.
 */
const SYMBOL_PROPERTIES = /** @type {Record<string, [string, string]>} */ ({
  "!!": ["TE", "2"], "!": ["TE", "1"], "!?": ["IT", ""], "=": ["DM", "1"], "?!": ["DO", ""], "?": ["BM", "1"], "??": ["BM", "2"],
});

/** All annotation symbols that the user can give a move, such as `!` and `??`. */
export const SYMBOLS = Object.keys(SYMBOL_PROPERTIES);

/**
 * Names of the SGF properties that hold the user's annotations of a node:
 * - `C`: comment
 * - `TE`: annotation symbol `!` or `!!` of the move that led to the node
 * - `IT`: annotation symbol `!?`
 * - `DM`: annotation symbol `=`
 * - `DO`: annotation symbol `?!`
 * - `BM`: annotation symbol `?` or `??`
 * - `SQ`: marked squares
 * - `AR`: drawn arrows
 */
export const ANNOTATION_NAMES = ["C", "TE", "IT", "DM", "DO", "BM", "SQ", "AR"];

/**
 * Returns the values of an SGF property of a node; an empty list if the node does not have the property.
 * @param {GameNode} node @param {string} name the property's name
 */
const valuesOf = ({ properties }, name) => properties.filter(([other]) => other === name).flatMap(([, values]) => values);

/**
 * Replaces the values of an SGF property of a node; an empty list removes the property. Replaces the list
 * `node.properties` as a whole, so that an undo can restore the earlier list.
 * @param {GameNode} node @param {string} name @param {string[]} values
 */
export function setProperty(node, name, values) {
  const others = node.properties.filter(([other]) => other !== name);
  node.properties = values.length ? [...others, [name, values]] : others;
}

/**
 * Returns the comment on a node (SGF property `C`); an empty text if the node has no comment.
 * @param {GameNode} node
 */
export const commentOf = (node) => valuesOf(node, "C").join("\n");

/**
 * Returns the annotation symbol, such as `??`, with which the file or the user has annotated the move that led to a
 * node. Returns an empty text if the move has no annotation symbol.
 */
export function symbolOf(/** @type {GameNode} */ node) {
  const names = new Set(node.properties.map(([name]) => name));
  if (!ANNOTATION_NAMES.some((name) => names.has(name))) return "";
  const isDouble = (name) => valuesOf(node, name).includes("2");
  return SYMBOLS.find((symbol) => {
    const [name, value] = SYMBOL_PROPERTIES[symbol];
    return names.has(name) && (value === "" || name === "DM" || isDouble(name) === (value === "2"));
  }) ?? "";
}

/**
 * Annotates the move that led to a node with a symbol such as `??`, in place of the annotation symbol that it has
 * already. An empty text removes the symbol.
 */
export function setSymbol(/** @type {GameNode} */ node, /** @type {string} */ symbol) {
  for (const [name] of Object.values(SYMBOL_PROPERTIES)) setProperty(node, name, []);
  const [name, value] = SYMBOL_PROPERTIES[symbol] ?? [];
  if (name) setProperty(node, name, [value]);
}

/**
 * Returns a square (0 = a1 to 63 = h8) in the notation of SGF, such as `ch` for c1: the first letter is the file from a
 * to h, the second the rank, from `a` for rank 8 to `h` for rank 1.
 */
const pointOf = (/** @type {number} */ square) => nameOf(square)[0] + "hgfedcba"[square >> 3];

/**
 * Parses a square in the notation of SGF, such as `ch` for c1, to its number from 0 (a1) to 63 (h8); null if the text
 * is no square of the board.
 * @param {string} point
 */
const squareAt = (point) => (/^[a-h]{2}$/.test(point) ? squareOf(point[0] + String(8 - "abcdefgh".indexOf(point[1]))) : null);

/**
 * Returns the annotations that the board draws at a node: the marked squares (SGF property `SQ`), and the drawn arrows
 * (`AR`) as pairs of squares. Squares are numbers from 0 (a1) to 63 (h8). Leaves out invalid values.
 * @param {GameNode} node @returns {{ squares: number[], arrows: number[][] }}
 */
export function marksOf(node) {
  if (!node.properties.length) return { squares: [], arrows: [] };
  const parsed = (name) => valuesOf(node, name).map((value) => value.split(":").map(squareAt)).filter((found) => !found.includes(null));
  return {
    squares: /** @type {number[][]} */ (parsed("SQ")).filter(({ length }) => length === 1).flat(),
    arrows: /** @type {number[][]} */ (parsed("AR")).filter(({ length }) => length === 2),
  };
}

/**
 * Adds a drawn arrow from one square to another to the annotations of a node, or a marked square if `from` equals `to`.
 * Removes the arrow or mark instead if the node has it already.
 * @param {GameNode} node @param {number} from @param {number} to squares from 0 (a1) to 63 (h8)
 */
export function toggleMark(node, from, to) {
  const [name, value] = from === to ? ["SQ", pointOf(from)] : ["AR", `${pointOf(from)}:${pointOf(to)}`];
  const known = valuesOf(node, name);
  setProperty(node, name, known.includes(value) ? known.filter((other) => other !== value) : [...known, value]);
}

/** Removes all marked squares and drawn arrows from the annotations of a node. @param {GameNode} node */
export const clearMarks = (node) => ["SQ", "AR"].forEach((name) => setProperty(node, name, []));

/**
 * Returns those SGF properties of a node that are annotations by the user (see `ANNOTATION_NAMES`).
 * @param {GameNode} node @returns {Properties}
 */
export const annotationsOf = ({ properties }) => properties.filter(([name]) => ANNOTATION_NAMES.includes(name));
