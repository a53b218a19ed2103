// Encodes a game with its variations as the part of the page's address after `#` (`encodeLink`), so that it can be
// shared as a link, and decodes it (`decodeLink`). A move takes three characters.

import { t } from "./texts.js";
import { notify } from "./notice.js";
import { BASE64_DIGITS } from "./findings.js";
import { START, isLegal, isPosition, nameOf, squaresOf } from "./rules.js";
import { ANNOTATION_NAMES, annotationsOf } from "./annotations.js";
import { allNodes, getOrAddChild, isFromStart, lineThrough, mainLine, newGame, parseResult, promote, sgfResult, shortName } from "./tree.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** Maximum length in characters of the part of a link after `#`. Messengers and mail programs cut longer links off. */
const MAX_LINK_CHARS = 8000;

/**
 * Encodes a game and its current node as text for a link, where it follows the `#`. Returns an empty string if the game
 * has no moves and begins with the standard start position. Omits variations that do not fit into `MAX_LINK_CHARS`.
 * @param {Game} game
 */
export const encodeLink = (game) => encodeGame(game, includedNodes(game));

/**
 * Returns the number of moves of a game that `encodeLink` omits because the link would be longer than `MAX_LINK_CHARS`.
 * @param {Game} game
 */
export const countOmittedMoves = (game) => allNodes(game).length - includedNodes(game).size;

/**
 * Returns the nodes of a game that a link to the game includes. Always includes the main line and the variation with
 * the current node, even if these alone make the link longer than `MAX_LINK_CHARS`. Then goes through the other
 * variations in depth-first order, and includes each one that still fits into `MAX_LINK_CHARS`.
 * @param {Game} game
 */
function includedNodes(game) {
  const included = new Set([...mainLine(game), ...lineThrough(game.node)]);
  let room = MAX_LINK_CHARS - encodeGame(game, included).length;
  for (const leaf of allNodes(game).filter(({ children }) => !children.length)) {
    const line = lineThrough(leaf).filter((node) => !included.has(node));
    const notes = encodeAnnotations(line);
    const letters = 3 * line.length + 2 + (notes ? encodeURIComponent(notes).length : 0);
    if (letters > room) continue;
    room -= letters;
    line.forEach((node) => included.add(node));
  }
  return included;
}

/**
 * Encodes a game as the part of a link after `#`, in the format of a query string such as `g=Cqt&p=0`. The parameters
 * are:
 * - `g`: the moves, encoded by `encodeMoves`;
 * - `s`: the position before the first move; missing for the standard start position;
 * - `v`: the current node, if it is in a variation: its number from 1 in the list `order` of `encodeMoves`;
 * - `p`: the current node, if it is on the main line but not at its end: its depth in plies;
 * - `b`, `w`: the players' names, if known;
 * - `r`: the SGF result, if the game was lost by resignation or on time;
 * - `n`: the annotations, encoded by `encodeAnnotations`; missing if the link would be longer than `MAX_LINK_CHARS`.
 * @param {Game} game @param {Set<GameNode>} included the nodes to encode
 */
function encodeGame(game, included) {
  if (isFromStart(game) && !game.root.children.length) return "";
  const { letters, order } = encodeMoves(game.root, included);
  const parts = new URLSearchParams({ g: letters });
  if (!isFromStart(game)) parts.set("s", encodePosition(game.root.position));
  const line = mainLine(game);
  if (!line.includes(game.node)) parts.set("v", String(order.indexOf(game.node) + 1));
  else if (game.node.children.length) parts.set("p", String(game.node.depth));
  if (game.names.black) parts.set("b", game.names.black);
  if (game.names.white) parts.set("w", game.names.white);
  const result = sgfResult(game);
  if (result) parts.set("r", result);
  const bare = parts.toString();
  const notes = encodeAnnotations([game.root, ...order]);
  if (notes) parts.set("n", notes);
  return parts.toString().length > MAX_LINK_CHARS ? bare : parts.toString();
}

/**
 * Encodes the annotations of `nodes` (comments, annotation symbols, marked squares, drawn arrows) as JSON text for a
 * link; `decodeAnnotations` is the inverse. The text is a list that contains one list for each annotated SGF property.
 * First: index of the annotated node in `nodes`; second: name of the property; from the third on: the property's
 * values. Returns an empty text if there are no annotations.
 * @param {GameNode[]} nodes
 */
function encodeAnnotations(nodes) {
  const entries = nodes.flatMap((node, at) => annotationsOf(node).map(([name, values]) => [at, name, ...values]));
  return entries.length ? JSON.stringify(entries) : "";
}

/**
 * Decodes the annotations of a link's game, and adds them to the nodes. Returns false if the text is invalid; some
 * annotations may then have been added.
 * @param {string} text as `encodeAnnotations` returns it
 * @param {GameNode[]} nodes in the same order as when they were encoded
 */
function decodeAnnotations(text, nodes) {
  try {
    return JSON.parse(text).every(([at, name, ...values]) =>
      ANNOTATION_NAMES.includes(name) && values.every((value) => typeof value === "string") && nodes[at].properties.push([name, values]));
  } catch {
    return false;
  }
}

/**
 * Tests if the link to a game includes the annotations of all nodes of the game; false if the game has none.
 * @param {Game} game
 */
export const linkHasAnnotations = (game) => encodeLink(game).includes("&n=") && countOmittedMoves(game) === 0;

/**
 * Encodes the moves after a node as the text `letters`:
 * - A move is three base-64 digits (see `BASE64_DIGITS`): the amazon's origin, its destination, and the arrow's square,
 *   from `A` (a1) to `_` (h8). For example, `Cqt` is `c1 c6 f6`.
 * - A variation is `*`, its moves and `.`. In the text, it stands before the main-line move that it could replace.
 * Returns `letters`, and the list `order` of the encoded nodes, in the order of their moves in the text.
 * @param {GameNode} node @param {Set<GameNode>} included the nodes to encode
 * @returns {{ letters: string, order: GameNode[] }}
 */
function encodeMoves(node, included) {
  const [main, ...others] = node.children.filter((next) => included.has(next));
  const order = [];
  let letters = "";
  for (const next of main ? [...others, main] : []) {
    const rest = encodeMoves(next, included);
    const moves = squaresOf(/** @type {string} */ (next.move)).map((square) => BASE64_DIGITS[square]).join("") + rest.letters;
    letters += next === main ? moves : `*${moves}.`;
    order.push(next, ...rest.order);
  }
  return { letters, order };
}

/**
 * Decodes the game of a link. Returns null if the link contains no game. If the link is invalid, returns null and shows
 * a notice to the user.
 * @param {string} hash the part of a link after `#`, with or without the `#` @returns {import("./tree.js").Game | null}
 */
export function decodeLink(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const code = parts.get("g");
  if (code === null) return null;
  const start = parts.has("s") ? decodePosition(parts.get("s") ?? "") : START;
  const whole = start && (code || start !== START) ? decodeMoves(start, code) : null;
  if (!whole) {
    notify(t("badLink"));
    return null;
  }
  const { game, order } = whole;
  const line = mainLine(game);
  const places = parts.has("v") ? [game.root, ...order] : line;
  const place = parts.get("v") ?? parts.get("p") ?? String(line.length - 1);
  const at = Math.min(Math.max(Math.floor(Number(place)) || 0, 0), places.length - 1);
  game.node = places[at];
  if (place !== String(at)) notify(t("badPlace", shortName(place), places.length - 1));
  game.names = { black: shortName(parts.get("b")), white: shortName(parts.get("w")) };
  game.end = parseResult(parts.get("r"));
  if (parts.has("n") && !decodeAnnotations(parts.get("n") ?? "", [game.root, ...order])) notify(t("badNotes"));
  return game;
}

/**
 * Decodes the moves of a link; inverse of `encodeMoves`. In the text, a move is three base-64 digits, one for each of
 * its squares, from `A` (a1) to `_` (h8): `Cqt` is `c1 c6 f6`. A `*` begins a variation, and `.` ends it. Returns two
 * fields: `game`, and `order`, the game's nodes except the root in the order of their moves in the text. Returns null
 * if a move is illegal, or if a `*` or `.` lacks its counterpart.
 * @param {import("./rules.js").Position} start the position before the first move
 * @param {string} letters the encoded moves
 */
function decodeMoves(start, letters) {
  const game = newGame(start);
  /**
   * The decoded nodes, in the order of their moves in the encoded text. The root is not in the list.
   * @type {GameNode[]}
   */
  const order = [];
  /**
   * Stack of the variations that have begun with `*` and not yet ended with `.`. Each element is the node from which
   * the variation branches off, that is, the node before the variation's first move. An element is undefined only if
   * the encoded text is invalid: an earlier `.` has no `*` before it.
   * @type {(GameNode | undefined)[]}
   */
  const variationStarts = [];
  /**
   * The node after which the next decoded move is played. After a move, it is this move's node. After a `.`, which ends
   * a variation, it is the node from which this variation branched off. Undefined if the encoded text is invalid
   * because a `.` has no `*` before it.
   * @type {GameNode | undefined}
   */
  let node = game.root;
  let isAfterVariation = false;
  for (const word of letters.match(/[*.]|[^*.]{1,3}/g) ?? []) {
    if (word === "*") variationStarts.push(node);
    else if (word === ".") node = variationStarts.pop();
    else {
      const move = [...word].map((letter) => nameOf(BASE64_DIGITS.indexOf(letter))).join(" ");
      if (!node || !isLegal(node.position, move)) return null;
      node = getOrAddChild(node, move);
      // In the encoded text, variations stand before the main-line move that they could replace. If a move directly
      // follows the `.` that ends a variation, it is this main-line move. Its node was added after the variation's
      // node, but the main line must be the first child of its parent.
      if (isAfterVariation) promote(node);
      order.push(node);
    }
    isAfterVariation = word === ".";
  }
  return variationStarts.length || !node ? null : { game, order };
}

/**
 * Encodes a position as text, such as `2b2b10b6b16w6w10w2w2-b` for the standard start position: letters for pieces
 * (`b`, `w`, `x` for an arrow) and numbers for consecutive empty squares, row by row from a1 to h8; then `-b` or `-w`
 * for the side to move.
 */
export function encodePosition({ cells, toMove }) {
  return cells.replace(/\.+/g, (run) => String(run.length)) + (toMove === "black" ? "-b" : "-w");
}

/**
 * Decodes a position from the text in a link, such as `2b2b10b6b16w6w10w2w2-b`; inverse of `encodePosition`. Returns
 * null if the text is malformed or the position is invalid (see `isPosition`).
 * @returns {import("./rules.js").Position | null}
 */
export function decodePosition(text) {
  const match = /^([bwx\d]+)-([bw])$/.exec(text);
  if (!match) return null;
  const cells = match[1].replace(/\d+/g, (run) => ".".repeat(Math.min(Number(run), 64)));
  /**
   * The decoded position; not yet checked for 64 cells and four amazons of each player.
   * @type {import("./rules.js").Position}
   */
  const position = { cells, toMove: match[2] === "b" ? "black" : "white" };
  return isPosition(position) ? position : null;
}

/**
 * Minimum time between two changes of the page's address, in milliseconds. Safari allows 100 changes in 30 seconds, and
 * throws an error at the next.
 */
const ADDRESS_INTERVAL_MS = 350;

/**
 * Time of the last change of the page's address, in milliseconds of `performance.now()`; −∞ before the first change.
 */
let lastAddressChange = -Infinity;

/** Returns the time until the page's address may be changed again, in milliseconds; 0 if it may be changed now. */
export const msUntilAddressChange = () => Math.max(lastAddressChange + ADDRESS_INTERVAL_MS - performance.now(), 0);

/**
 * Replaces the part of the page's address from `#` on, without a new entry in the browser's history.
 * @param {string} hash the new part, beginning with `#`; empty to remove the part
 */
export function setAddress(hash) {
  lastAddressChange = performance.now();
  try {
    // The whole address is passed, because the browser would parse a relative address that begins with two slashes as a
    // host name.
    history.replaceState(null, "", location.href.split("#")[0] + hash);
  } catch {
    // The browser has rejected the change of the page's address, which stays as it is. The game is not lost: the page
    // also saves it in the browser's storage.
  }
}
