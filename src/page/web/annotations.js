// The user's annotations of a game, stored as SGF properties of its nodes: comments, signs of moves such as `??`, marked
// squares and arrows.

import { nameOf, squareOf } from "./rules.js";

/** @typedef {import("./tree.js").GameNode} GameNode */
/** @typedef {import("./tree.js").Properties} Properties */

/** Signs of moves, each with the SGF property and its value, as in ../../record/formats/moves.rs. */
const SIGN_PROPERTIES = /** @type {Record<string, [string, string]>} */ ({
  "!!": ["TE", "2"], "!": ["TE", "1"], "!?": ["IT", ""], "=": ["DM", "1"], "?!": ["DO", ""], "?": ["BM", "1"], "??": ["BM", "2"],
});

/** All signs that the user can give to a move. */
export const SIGNS = Object.keys(SIGN_PROPERTIES);

/** Names of the SGF properties that hold annotations. */
export const ANNOTATION_NAMES = ["C", "TE", "IT", "DM", "DO", "BM", "SQ", "AR"];

/** Returns the values of a node's SGF property; empty if the node lacks the property. @param {GameNode} node @param {string} name */
const valuesOf = ({ properties }, name) => properties.filter(([other]) => other === name).flatMap(([, values]) => values);

/**
 * Replaces the values of an SGF property of a node; an empty list removes the property. The list of properties is replaced as
 * a whole, so that an undo can restore the earlier list.
 * @param {GameNode} node @param {string} name @param {string[]} values
 */
export function setProperty(node, name, values) {
  const others = node.properties.filter(([other]) => other !== name);
  node.properties = values.length ? [...others, [name, values]] : others;
}

/** Returns the comment on a node (SGF property `C`); empty if there is none. @param {GameNode} node */
export const commentOf = (node) => valuesOf(node, "C").join("\n");

/** Returns the sign that the file or the user has given to the move before a node, such as `??`; empty if there is none. */
export function signOf(/** @type {GameNode} */ node) {
  const names = new Set(node.properties.map(([name]) => name));
  if (!ANNOTATION_NAMES.some((name) => names.has(name))) return "";
  const isDouble = (name) => valuesOf(node, name).includes("2");
  return SIGNS.find((sign) => {
    const [name, value] = SIGN_PROPERTIES[sign];
    return names.has(name) && (value === "" || name === "DM" || isDouble(name) === (value === "2"));
  }) ?? "";
}

/** Gives a sign to the move before a node, in place of its present sign; an empty text removes that. */
export function setSign(/** @type {GameNode} */ node, /** @type {string} */ sign) {
  for (const [name] of Object.values(SIGN_PROPERTIES)) setProperty(node, name, []);
  const [name, value] = SIGN_PROPERTIES[sign] ?? [];
  if (name) setProperty(node, name, [value]);
}

/** Returns a square (0 = a1 to 63 = h8) as SGF writes it: letters of the file and of the rank, counted from the top rank 8. */
const pointOf = (/** @type {number} */ square) => nameOf(square)[0] + "hgfedcba"[square >> 3];

/** Parses a square of SGF, such as `ch` for c1; null if the text is no square of the board. @param {string} point */
const squareAt = (point) => (/^[a-h]{2}$/.test(point) ? squareOf(point[0] + String(8 - "abcdefgh".indexOf(point[1]))) : null);

/**
 * Returns the squares that are marked at a node, and the arrows as pairs of squares; squares are numbers from 0 (a1) to 63
 * (h8). Invalid values are left out.
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
 * Adds a mark at a node, or removes it if it is there: an arrow between two squares, or a marked square if both are equal.
 * @param {GameNode} node @param {number} from @param {number} to
 */
export function toggleMark(node, from, to) {
  const [name, value] = from === to ? ["SQ", pointOf(from)] : ["AR", `${pointOf(from)}:${pointOf(to)}`];
  const known = valuesOf(node, name);
  setProperty(node, name, known.includes(value) ? known.filter((other) => other !== value) : [...known, value]);
}

/** Removes all marked squares and arrows of a node. @param {GameNode} node */
export const clearMarks = (node) => ["SQ", "AR"].forEach((name) => setProperty(node, name, []));

/** Returns the annotations among a node's SGF properties. @param {GameNode} node @returns {Properties} */
export const annotationsOf = ({ properties }) => properties.filter(([name]) => ANNOTATION_NAMES.includes(name));
