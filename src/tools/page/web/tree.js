// A game with its variations: positions as nodes of a tree, the line that counts first.

import { START, after, isOver } from "./rules.js";

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./rules.js").Player} Player */
/** What the engine says of a position: of `amazons analyze` (a ply), or of a search under way.
 * @typedef {Record<string, any>} Findings */
/** What else a record holds of a position: names as in SGF, such as `C` for a comment. @typedef {[string, string[]][]} Properties */
/**
 * A position, and how it came about: by a turn of `ms` milliseconds. `spent` are those that its own turn has run so far.
 * @typedef {{ id: number, move: string | null, parent: GameNode | null, children: GameNode[], position: Position,
 *   depth: number, ms: number, spent: number, ply: Findings | null, found: Findings | null, properties: Properties }} GameNode
 */
/**
 * A game. `end` says how it ended, of a game that was read or is studied only what the rules of moving do not say; `log` is the match log that
 * it was read from, with its moves; `reviewed` is the line that `summary` is about; `isOwn` says that the user made or opened it.
 * @typedef {{ root: GameNode, node: GameNode, names: Record<Player, string | null>, title: string,
 *   summary: Findings | null, reviewed: GameNode[], end: { winner: Player, ending: string } | null, log: { text: string, moves: string } | null, isOwn: boolean }} Game
 */

/** Letters of a name. */
const MOST_LETTERS = 200;

let lastId = 0;

/** @param {GameNode | null} parent @param {string | null} move @param {Position} position @returns {GameNode} */
function newNode(parent, move, position) {
  lastId += 1;
  const depth = parent ? parent.depth + 1 : 0;
  return { id: lastId, move, parent, children: [], position, depth, ms: 0, spent: 0, ply: null, found: null, properties: [] };
}

/** A game without moves. @param {Position} [position] @returns {Game} */
export function newGame(position = START) {
  const root = newNode(null, null, position);
  return { root, node: root, names: { black: null, white: null }, title: "", summary: null, reviewed: [], end: null, log: null, isOwn: false };
}

/** A game from moves. @param {string[]} moves @param {Position} [position] */
export function gameOf(moves, position) {
  const game = newGame(position);
  let node = game.root;
  for (const move of moves) node = child(node, move);
  return game;
}

/** The node behind a legal move; it is made if it is not there. @param {GameNode} node @param {string} move */
export function child(node, move) {
  const known = node.children.find((other) => other.move === move);
  if (known) return known;
  const made = newNode(node, move, after(node.position, move));
  node.children.push(made);
  return made;
}

/** The game of a record's nodes, see ../../record/tree.rs. @param {{ parent: number, move: string | null, properties: Properties }[]} nodes @param {Position} position */
export function gameOfNodes(nodes, position) {
  const game = newGame(position);
  /** @type {GameNode[]} */
  const made = [];
  for (const { parent, move, properties } of nodes) {
    const node = move === null ? game.root : child(made[parent], move);
    node.properties.push(...properties);
    made.push(node);
  }
  return game;
}

/** The nodes of a record: those of a game that are kept, which begin with the first one. @param {Game} game @param {(node: GameNode) => boolean} isKept */
export function nodesOf(game, isKept) {
  /** @type {{ parent: number, move: string | null, properties: Properties }[]} */
  const nodes = [];
  const add = (/** @type {GameNode} */ node, /** @type {number} */ parent) => {
    const number = nodes.push({ parent, move: node.move, properties: node.properties }) - 1;
    for (const next of node.children.filter(isKept)) add(next, number);
  };
  add(game.root, 0);
  return nodes;
}

/** The comment on a position. @param {GameNode} node */
export const commentOf = ({ properties }) => properties.filter(([name]) => name === "C").flatMap(([, texts]) => texts).join("\n");

/** Puts a node before its siblings. @param {GameNode} node */
export function promote(node) {
  if (!node.parent) return;
  node.parent.children = [node, ...node.parent.children.filter((sibling) => sibling !== node)];
}

/** Takes a node and all behind it out of the game; its parent is shown. @param {Game} game @param {GameNode} node */
export function remove(game, node) {
  if (!node.parent) return;
  node.parent.children = node.parent.children.filter((sibling) => sibling !== node);
  game.node = node.parent;
  if (game.reviewed.includes(node)) Object.assign(game, { summary: null, reviewed: [] });
}

/** Tests if a node is still in its game: none before it was taken out. @param {GameNode} node @returns {boolean} */
export const isThere = (node) => !node.parent || (node.parent.children.includes(node) && isThere(node.parent));

/** The nodes from the start to a node. @param {GameNode} node @returns {GameNode[]} */
export function pathTo(node) {
  return node.parent ? [...pathTo(node.parent), node] : [node];
}

/** The nodes from the start over a node to the end of its line. @param {GameNode} node */
export function lineOver(node) {
  const line = pathTo(node);
  while (line[line.length - 1].children.length) line.push(line[line.length - 1].children[0]);
  return line;
}

/** The line that counts. @param {Game} game */
export const mainLine = (game) => lineOver(game.root);

/** The moves that lead to a node. @param {GameNode} node */
export const movesTo = (node) => pathTo(node).slice(1).map(({ move }) => /** @type {string} */ (move));

/** How a game ended, as far as the rules of moving do not say it. @param {Game} game */
export const saidEnd = ({ end }) => (end?.ending === "no move" ? null : end);

/** Tests if a game begins as all do. @param {Game} game */
export function isFromStart({ root }) {
  return root.position.cells === START.cells && root.position.toMove === START.toMove;
}

/** Tests if a node is on the line that counts. @param {GameNode} node */
export function isMain(node) {
  return !node.parent || (node.parent.children[0] === node && isMain(node.parent));
}

/** Lays the plies of an analysis on the line that it is of. @param {Game} game @param {{ summary: Findings, plies: Findings[] }} analysis @param {GameNode[]} line */
export function layAnalysis(game, { summary, plies }, line) {
  plies.forEach((ply) => {
    if (line[ply.ply - 1]) line[ply.ply - 1].ply = ply;
  });
  Object.assign(game, { summary, reviewed: line });
}

/** A game from its analysis, as a report holds it. @param {{ summary: Findings, plies: Findings[] }} analysis */
export function analysedGame(analysis) {
  const { players, game: file, start } = analysis.summary;
  const position = start && { cells: start.cells, toMove: start.to_move };
  const game = gameOf(analysis.plies.flatMap(({ move }) => (move ? [move] : [])), position);
  game.names = { black: named("black", players), white: named("white", players) };
  game.title = fileName(file);
  layAnalysis(game, analysis, mainLine(game));
  return game;
}

/** A name that is no colour. @param {Player} player @param {Record<Player, string>} players */
const named = (player, players) => (players[player] === player ? null : shortName(players[player]));

/** A name as long as any screen can show: more would hold up the browser. @template {string | null} T @param {T} name @returns {T} */
export const shortName = (name) => /** @type {T} */ (name && name.slice(0, MOST_LETTERS));

/** A file's name without folders and ending. @param {string} path */
export const fileName = (path) => (path.split(/[\\/]/).pop() ?? "").replace(/\.(json|sgf|txt|fen)$/i, "");

/** Black's win probability in a node, as far as it is known. @param {GameNode} node @returns {number | null} */
export function blackChance(node) {
  if (isOver(node.position)) return node.position.toMove === "black" ? 0 : 1;
  const known = node.found ?? node.ply;
  if (!known) return null;
  return node.position.toMove === "black" ? known.win_probability : 1 - known.win_probability;
}
