// A game with variations as a tree of positions; the first child of each node continues the main line.

import { START, isLegal, isOver, opponentOf, positionAfter } from "./rules.js";
import { packFindings, unpackFindings, validSummary } from "./findings.js";

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./rules.js").Player} Player */
/**
 * The engine's findings on a position: an analysed ply (fields as in ../../analysis/ply.rs), or the interim results of
 * a search.
 * @typedef {Record<string, any>} Findings
 */
/**
 * SGF properties of a node: pairs of a name, such as `C` for a comment, and a list of values.
 * @typedef {[string, string[]][]} Properties
 */
/**
 * A node of a game's tree: a position and the move that led to it (null at the root), which took `ms` milliseconds.
 * `depth` is in plies; `spent` is the time in milliseconds that the side to move has used so far. `ply` is the saved
 * analysis, `findings` the results of a running or finished search.
 * @typedef {{ id: number, move: string | null, parent: GameNode | null, children: GameNode[], position: Position,
 *   depth: number, ms: number, spent: number, ply: Findings | null, findings: Findings | null, properties: Properties }} GameNode
 */
/**
 * A game with variations; `node` is the current node. `end` is the result (in the "Study" tab only of games lost by
 * resignation or time). `summary` is the result of a review, and `reviewed` the nodes of the reviewed line. `isOwn` is
 * true if the user made or opened the game.
 * @typedef {{ root: GameNode, node: GameNode, names: Record<Player, string | null>, title: string,
 *   summary: Findings | null, reviewed: GameNode[], end: { winner: Player, ending: string } | null, isOwn: boolean }} Game
 */

/** Maximum length in characters of a player's name and of a game's title. Longer ones are truncated. */
const MAX_NAME_CHARS = 200;

/** Id of the node that was created last. Ids are unique within the page. */
let lastId = 0;

/**
 * Creates a node for the position after a move; `parent` and `move` are null for the root. The caller must add the node
 * to the children of `parent`.
 * @param {GameNode | null} parent @param {string | null} move @param {Position} position @returns {GameNode}
 */
function newNode(parent, move, position) {
  lastId += 1;
  const depth = parent ? parent.depth + 1 : 0;
  return { id: lastId, move, parent, children: [], position, depth, ms: 0, spent: 0, ply: null, findings: null, properties: [] };
}

/**
 * Creates a game without moves.
 * @param {Position} [position] the first position; by default the standard start position @returns {Game}
 */
export function newGame(position = START) {
  const root = newNode(null, null, position);
  return { root, node: root, names: { black: null, white: null }, title: "", summary: null, reviewed: [], end: null, isOwn: false };
}

/**
 * Creates a game with the given moves. Its current position is the one before the first move. Throws an error if a move
 * is illegal.
 * @param {string[]} moves @param {Position} [position] the first position; by default the standard start position
 */
export function gameFromMoves(moves, position) {
  const game = newGame(position);
  let node = game.root;
  for (const move of moves) node = getOrAddChild(node, move);
  return game;
}

/**
 * Returns the child of `node` to which `move` leads. If there is none, adds it as the last child; throws an error if
 * the move is illegal.
 * @param {GameNode} node @param {string} move such as `c1 c6 f6`
 */
export function getOrAddChild(node, move) {
  const known = node.children.find((other) => other.move === move);
  if (known) return known;
  if (!isLegal(node.position, move)) throw new Error(`illegal: ${move}`);
  const created = newNode(node, move, positionAfter(node.position, move));
  node.children.push(created);
  return created;
}

// ---- Reading and writing records

/**
 * SGF properties that only this page uses, by name. Their values are JSON texts:
 * - `MS`: milliseconds that the player took for the move before the node;
 * - `SP`: milliseconds that the side to move has used so far for the next move;
 * - `PLY`: analysis of the position, packed by `packFindings`;
 * - `REVIEW`: summary of the game's review, at the last node of the reviewed line.
 * `write` returns the value of a property, or a falsy value to omit the property. `read` validates a value and stores
 * it in the node; it returns a falsy value if the value is invalid.
 * @type {Record<string, { write: (node: GameNode, game: Game) => any, read: (node: GameNode, value: any, game: Game) => any }>}
 */
const OWN_PROPERTIES = {
  MS: { write: ({ ms }) => Math.round(ms), read: (node, ms) => isDuration(ms) && Object.assign(node, { ms }) },
  SP: { write: ({ spent }) => Math.round(spent), read: (node, spent) => isDuration(spent) && Object.assign(node, { spent }) },
  PLY: {
    write: ({ ply }) => ply && packFindings(ply),
    read: (node, packed) => {
      node.ply = unpackFindings(packed, node.position);
      return node.ply;
    },
  },
  REVIEW: { write: summaryOf, read: (node, summary, game) => validSummary(summary, pathTo(node)) && storeReview(game, summary, node) },
};

/** Tests if a value is a duration in milliseconds: a finite number that is not negative. */
const isDuration = (/** @type {any} */ ms) => Number.isFinite(ms) && ms >= 0;

/**
 * Returns the summary of a game's review if `node` is the last node of the reviewed line, else null. Files and storage
 * contain the summary as a property of this node only, because the reviewed line is the path from the root to it.
 * @param {GameNode} node @param {Game} game
 */
export function summaryOf(node, { summary, reviewed }) {
  return reviewed[reviewed.length - 1] === node ? summary : null;
}

/**
 * Stores the summary of a review in a game, and sets the reviewed line to the path from the root to `last`. Returns the
 * game.
 * @param {Game} game @param {Findings} summary @param {GameNode} last the last node of the reviewed line
 */
export function storeReview(game, summary, last) {
  return Object.assign(game, { summary, reviewed: pathTo(last) });
}

/**
 * Stores the value of an SGF property in a node if the property is one of `OWN_PROPERTIES` and its value is valid.
 * Returns a truthy value if it has stored the value, else a falsy value.
 */
function readOwnProperty(game, node, [name, values]) {
  if (!Object.hasOwn(OWN_PROPERTIES, name)) return false;
  try {
    return OWN_PROPERTIES[name].read(node, JSON.parse(values[0]), game);
  } catch {
    return false;
  }
}

/**
 * Returns all SGF properties of a node: those that were read from its file, and those of `OWN_PROPERTIES`, the page's
 * own data (thinking times, analysis, review).
 * @param {GameNode} node @param {Game} game @returns {Properties}
 */
function propertiesOf(node, game) {
  const written = Object.entries(OWN_PROPERTIES).map(([name, { write }]) => [name, write(node, game)]);
  const own = written.filter(([, value]) => value).map(([name, value]) => /** @type {[string, string[]]} */ ([name, [JSON.stringify(value)]]));
  return [...node.properties, ...own];
}

/**
 * Creates a game from a game record that the engine has parsed: a list of nodes, each after its parent (see `Node` in
 * ../../record/tree.rs).
 * @param {{ parent: number, move: string | null, properties: Properties }[]} nodes `parent` is the parent's index in
 * the list; `move` is null at the root
 * @param {Position} position the position before the first move
 */
export function gameFromRecord(nodes, position) {
  const game = newGame(position);
  /** The nodes created so far, by the index in the list `nodes`. @type {GameNode[]} */
  const made = [];
  for (const { parent, move, properties } of nodes) {
    const node = move === null ? game.root : getOrAddChild(made[parent], move);
    node.properties.push(...properties.filter((property) => !readOwnProperty(game, node, property)));
    made.push(node);
  }
  return game;
}

/**
 * Converts a game to a game record for the engine: a list of nodes, each after its parent and with the parent's index
 * in the list (see `Node` in ../../record/tree.rs).
 * @param {Game} game
 * @param {(node: GameNode) => boolean} isIncluded if false, omits a node and its subtree; not called for the root
 */
export function recordNodes(game, isIncluded = () => true) {
  /**
   * The list of nodes to return, each after its parent; `parent` is the parent's index (from 0) in this list, or 0 for
   * the root.
   * @type {{ parent: number, move: string | null, properties: Properties }[]}
   */
  const nodes = [];
  const add = (/** @type {GameNode} */ node, /** @type {number} */ parent) => {
    const number = nodes.push({ parent, move: node.move, properties: propertiesOf(node, game) }) - 1;
    for (const next of node.children.filter(isIncluded)) add(next, number);
  };
  add(game.root, 0);
  return nodes;
}

/**
 * Returns the path from the root of a game to its current node as a list of indices. For each ply, the list contains
 * the index (from 0) of the next node among the children of the node before.
 * @param {Game} game
 */
export const indexPath = ({ node }) => pathTo(node).slice(1).map((next) => /** @type {GameNode} */ (next.parent).children.indexOf(next));

/**
 * Returns a deep copy of a game with the same current node. The copy includes the review's results, and counts as the
 * user's own game (`isOwn`).
 * @param {Game} game
 */
export function cloneGame(game) {
  const copy = gameFromRecord(recordNodes(game), game.root.position);
  for (const at of indexPath(game)) copy.node = copy.node.children[at];
  return Object.assign(copy, { names: { ...game.names }, title: game.title, end: declaredEnd(game), isOwn: true });
}

/**
 * Adds all moves and variations of the game `added` to `game`, and makes the current position of `added` the current
 * position of `game`. A node of `game` that has no SGF properties gets the properties of the node that `added` has
 * after the same moves.
 * @param {Game} game @param {Game} added has the same first position as `game`
 */
export function merge(game, added) {
  const mergeInto = (/** @type {GameNode} */ node, /** @type {GameNode} */ other) => {
    if (other === added.node) game.node = node;
    if (!node.properties.length) node.properties = other.properties;
    for (const next of other.children) mergeInto(getOrAddChild(node, /** @type {string} */ (next.move)), next);
  };
  mergeInto(game.root, added.root);
}

/**
 * Makes a node the first child of its parent, so that the line through the parent continues with the node's move.
 * @param {GameNode} node
 */
export function promote(node) {
  if (!node.parent) return;
  node.parent.children = [node, ...node.parent.children.filter((sibling) => sibling !== node)];
}

/**
 * Removes a node and its subtree from the game, and makes its parent the current node. If the node is in the reviewed
 * line, deletes the review. Does nothing for the root.
 * @param {Game} game @param {GameNode} node
 */
export function removeSubtree(game, node) {
  if (!node.parent) return;
  node.parent.children = node.parent.children.filter((sibling) => sibling !== node);
  game.node = node.parent;
  if (game.reviewed.includes(node)) Object.assign(game, { summary: null, reviewed: [] });
}

/**
 * Keeps the present state of a game in memory: its tree, SGF properties, review and current node. Returns two
 * functions. `restore` brings the kept state back; `isChanged` tests if the tree or the SGF properties have changed
 * since the call.
 * @param {Game} game
 */
export function snapshotTree(game) {
  const { node, summary, reviewed } = game;
  const shape = allNodes(game).map((one) => /** @type {const} */ ([one, [...one.children], one.properties]));
  return {
    isChanged: () => shape.some(([one, children, properties]) =>
      one.properties !== properties || one.children.length !== children.length || children.some((next, at) => next !== one.children[at])),
    restore: () => {
      for (const [one, children, properties] of shape) Object.assign(one, { children: [...children], properties });
      Object.assign(game, { node, summary, reviewed });
    },
  };
}

/**
 * Tests if a node is still part of its game: neither the node nor an ancestor has been removed.
 * @param {GameNode} node @returns {boolean}
 */
export const isInGame = (node) => !node.parent || (node.parent.children.includes(node) && isInGame(node.parent));

/** Returns the nodes from the root to `node`, both included. @param {GameNode} node @returns {GameNode[]} */
export function pathTo(node) {
  return node.parent ? [...pathTo(node.parent), node] : [node];
}

/**
 * Returns the nodes from the root through `node` to a leaf. After `node`, the line always continues with the first
 * child.
 * @param {GameNode} node
 */
export function lineThrough(node) {
  const line = pathTo(node);
  while (line[line.length - 1].children.length) line.push(line[line.length - 1].children[0]);
  return line;
}

/**
 * Returns the nodes of a game's main line: the root, its first child, the first child of that, and so on.
 * @param {Game} game
 */
export const mainLine = (game) => lineThrough(game.root);

/** Returns all nodes of a game, each node before its descendants (depth-first order). @param {Game} game */
export function allNodes({ root }) {
  const below = (/** @type {GameNode} */ node) => node.children.flatMap((next) => /** @type {GameNode[]} */ ([next, ...below(next)]));
  return [root, ...below(root)];
}

/**
 * Returns the moves from the root to a node, such as `["c1 c6 f6"]`; an empty list for the root.
 * @param {GameNode} node
 */
export const movesTo = (node) => pathTo(node).slice(1).map(({ move }) => /** @type {string} */ (move));

/**
 * Returns the winner and the ending of a game that was lost by resignation or on time, which the final position does
 * not show. Returns null if the game is unfinished, or if a player has lost by having no legal move.
 * @param {Game} game
 */
export const declaredEnd = ({ end }) => (end?.ending === "no move" ? null : end);

/**
 * Letters in SGF results (property `RE`) for the endings that cannot be seen in the final position: resignation and
 * loss on time.
 * @type {Record<string, string>}
 */
const RESULT_LETTERS = { resigned: "R", time: "T" };

/**
 * Returns the SGF result of a game lost by resignation or time, such as `B+R`; null for all other games.
 * @param {Game} game
 */
export function sgfResult({ end }) {
  return end && RESULT_LETTERS[end.ending] ? `${end.winner === "black" ? "B" : "W"}+${RESULT_LETTERS[end.ending]}` : null;
}

/**
 * Parses an SGF result such as `B+R` (black wins by resignation) or `W+T` (white wins on time); returns null for other
 * texts.
 * @param {string | null} result @returns {Game["end"]}
 */
export function parseResult(result) {
  const [, winner, reason] = /^([BW])\+([RT])$/.exec(result ?? "") ?? [];
  if (!winner) return null;
  return { winner: winner === "B" ? "black" : "white", ending: reason === "R" ? "resigned" : "time" };
}

/** Tests if a game begins with the standard start position. @param {Game} game */
export function isFromStart({ root }) {
  return root.position.cells === START.cells && root.position.toMove === START.toMove;
}

/** Tests if a node is on the main line: the node and all its ancestors are first children. @param {GameNode} node */
export function isOnMainLine(node) {
  return !node.parent || (node.parent.children[0] === node && isOnMainLine(node.parent));
}

/**
 * Tests if the game is over at a node. This is so if the side to move has no legal move, or if the node is the last of
 * the main line of a game that was lost by resignation or on time.
 * @param {Game} game @param {GameNode} node
 */
export const isFinal = ({ end }, node) => isOver(node.position) || Boolean(end && !node.children.length && isOnMainLine(node));

/**
 * Returns the number of the move that led to a node, counted as in chess: `12.` for black's move, `12…` for white's
 * reply.
 * @param {GameNode} node
 */
export function moveNumber(node) {
  const isBlacks = node.position.toMove === "white";
  const [root] = pathTo(node);
  const first = root.position.toMove === "white" ? 1 : 0;
  return `${Math.ceil((node.depth + first) / 2)}${isBlacks ? "." : "…"}`;
}

/**
 * Stores the engine's analysis of a game in the page's game. `summary`, the results for the whole game, is stored in
 * the game, together with `line`. Each element of `plies` is the analysis of one move, whose number (from 1) is the
 * element's field `ply`. It is stored in the node of the position before the move: `line[ply - 1]`.
 * @param {Game} game @param {{ summary: Findings, plies: Findings[] }} analysis
 * @param {GameNode[]} line the nodes of the analysed line, from the root
 */
export function storeAnalysis(game, { summary, plies }, line) {
  plies.forEach((ply) => {
    if (line[ply.ply - 1]) line[ply.ply - 1].ply = ply;
  });
  Object.assign(game, { summary, reviewed: line });
}

/**
 * Creates a game from one of the analysed games in a report (a page that `amazons analyze --html` has written). The
 * game contains moves, names and analysis.
 * @param {{ summary: Findings, plies: Findings[] }} analysis an element of `REPORT`
 */
export function gameFromAnalysis(analysis) {
  const { players, game: file, start } = analysis.summary;
  const position = start && { cells: start.cells, toMove: start.to_move };
  const game = gameFromMoves(analysis.plies.flatMap(({ move }) => (move ? [move] : [])), position);
  game.names = { black: playerName("black", players), white: playerName("white", players) };
  game.title = fileStem(file);
  storeAnalysis(game, analysis, mainLine(game));
  return game;
}

/**
 * Returns a player's name from the analysis of a game. Returns null if the analysis contains only the colour (`black`
 * or `white`) instead of a name.
 * @param {Player} player @param {Record<Player, string>} players the names in the analysis
 */
const playerName = (player, players) => (players[player] === player ? null : shortName(players[player]));

/**
 * Truncates a name to `MAX_NAME_CHARS` characters, because very long names would slow the browser down. Returns null
 * for null.
 * @template {string | null} T @param {T} name @returns {T}
 */
export const shortName = (name) => /** @type {T} */ (name && name.slice(0, MAX_NAME_CHARS));

/**
 * Returns the name of a file without its folders, and without the extension `.json`, `.sgf`, `.txt` or `.fen`.
 * @param {string} path
 */
export const fileStem = (path) => (path.split(/[\\/]/).pop() ?? "").replace(/\.(json|sgf|txt|fen)$/i, "");

/**
 * Returns the player who wins a node's position under perfect play, if the game is over there or the engine has proven
 * it. Else returns null.
 * @param {GameNode} node @returns {Player | null}
 */
export function provenWinner({ position, findings, ply }) {
  const { toMove } = position;
  if (isOver(position)) return opponentOf(toMove);
  if (ply?.winner) return ply.winner;
  const known = findings ?? ply;
  if (!known?.proven) return null;
  return known.win_probability > 0.5 ? toMove : opponentOf(toMove);
}

/**
 * Returns black's win probability in a node's position, from 0 to 1. It is exactly 0 or 1 if the winner is proven, and
 * null if the position has not been searched.
 * @param {GameNode} node @returns {number | null}
 */
export function blackWinProbability(node) {
  const winner = provenWinner(node);
  if (winner) return winner === "black" ? 1 : 0;
  const known = node.findings ?? node.ply;
  if (!known) return null;
  return node.position.toMove === "black" ? known.win_probability : 1 - known.win_probability;
}
