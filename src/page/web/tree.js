// A game with its variations: positions as nodes of a tree, the line that counts first.

import { START, after, isOver, other } from "./rules.js";
import { packFindings, soundSummary, unpackFindings } from "./findings.js";

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
 * A game. `end` says how it ended, of a game that was read or is studied only what the rules of moving do not say; `reviewed` is the line
 * that `summary` is about; `isOwn` says that the user made or opened it.
 * @typedef {{ root: GameNode, node: GameNode, names: Record<Player, string | null>, title: string,
 *   summary: Findings | null, reviewed: GameNode[], end: { winner: Player, ending: string } | null, isOwn: boolean }} Game
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
  return { root, node: root, names: { black: null, white: null }, title: "", summary: null, reviewed: [], end: null, isOwn: false };
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

// ---- Records

/**
 * What the page itself writes beside a move, by the names of its properties: milliseconds of the turn, those that the position's own
 * turn has run so far, what a review says of the position, and at the end of the line that it is of, what it says of the game.
 * Each says how it is written, empty for nothing, and how it is read: whether it makes sense.
 * @type {Record<string, { write: (node: GameNode, game: Game) => any, read: (node: GameNode, value: any, game: Game) => any }>}
 */
const OWN = {
  MS: { write: ({ ms }) => Math.round(ms), read: (node, ms) => isTime(ms) && Object.assign(node, { ms }) },
  SP: { write: ({ spent }) => Math.round(spent), read: (node, spent) => isTime(spent) && Object.assign(node, { spent }) },
  PLY: {
    write: ({ ply }) => ply && packFindings(ply),
    read: (node, packed) => {
      node.ply = unpackFindings(packed);
      return node.ply;
    },
  },
  REVIEW: { write: summaryOf, read: (node, summary, game) => soundSummary(summary) && layReview(game, summary, node) },
};

const isTime = (/** @type {any} */ ms) => Number.isFinite(ms) && ms >= 0;

/** What a review says of the game, if a node is the last that it is about. @param {GameNode} node @param {Game} game */
export function summaryOf(node, { summary, reviewed }) {
  return reviewed[reviewed.length - 1] === node ? summary : null;
}

/** Lays the summary of a review on the line up to a node. @param {Game} game @param {Findings} summary @param {GameNode} last */
export function layReview(game, summary, last) {
  return Object.assign(game, { summary, reviewed: pathTo(last) });
}

/** Whether a property is the page's own, and makes sense: then the node has it. */
function takes(game, node, [name, values]) {
  if (!Object.hasOwn(OWN, name)) return false;
  try {
    return OWN[name].read(node, JSON.parse(values[0]), game);
  } catch {
    return false;
  }
}

/** The properties of a node as a record has them. @param {GameNode} node @param {Game} game @returns {Properties} */
function propertiesOf(node, game) {
  const written = Object.entries(OWN).map(([name, { write }]) => [name, write(node, game)]);
  const own = written.filter(([, value]) => value).map(([name, value]) => /** @type {[string, string[]]} */ ([name, [JSON.stringify(value)]]));
  return [...node.properties, ...own];
}

/** The game of a record's nodes, see ../../record/tree.rs. @param {{ parent: number, move: string | null, properties: Properties }[]} nodes @param {Position} position */
export function gameOfNodes(nodes, position) {
  const game = newGame(position);
  /** @type {GameNode[]} */
  const made = [];
  for (const { parent, move, properties } of nodes) {
    const node = move === null ? game.root : child(made[parent], move);
    node.properties.push(...properties.filter((property) => !takes(game, node, property)));
    made.push(node);
  }
  return game;
}

/** The nodes of a game's record, or those of them that are kept, which begin with the first one. @param {Game} game @param {(node: GameNode) => boolean} isKept */
export function nodesOf(game, isKept = () => true) {
  /** @type {{ parent: number, move: string | null, properties: Properties }[]} */
  const nodes = [];
  const add = (/** @type {GameNode} */ node, /** @type {number} */ parent) => {
    const number = nodes.push({ parent, move: node.move, properties: propertiesOf(node, game) }) - 1;
    for (const next of node.children.filter(isKept)) add(next, number);
  };
  add(game.root, 0);
  return nodes;
}

/** The way to the node that is shown: which child at each step. @param {Game} game */
export const placeIn = ({ node }) => pathTo(node).slice(1).map((next) => /** @type {GameNode} */ (next.parent).children.indexOf(next));

/** A game of its own that holds all of another one, at the same place. @param {Game} game */
export function copyOf(game) {
  const copy = gameOfNodes(nodesOf(game), game.root.position);
  for (const at of placeIn(game)) copy.node = copy.node.children[at];
  return Object.assign(copy, { names: { ...game.names }, title: game.title, end: saidEnd(game), isOwn: true });
}

/** Lays all moves of a game into another one with the same start; that one then shows the same position. @param {Game} game @param {Game} added */
export function merge(game, added) {
  const lay = (/** @type {GameNode} */ node, /** @type {GameNode} */ other) => {
    if (other === added.node) game.node = node;
    for (const next of other.children) lay(child(node, /** @type {string} */ (next.move)), next);
  };
  lay(game.root, added.root);
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

/** All nodes of a game, each behind its parent. @param {Game} game */
export function allNodes({ root }) {
  const below = (/** @type {GameNode} */ node) => node.children.flatMap((next) => /** @type {GameNode[]} */ ([next, ...below(next)]));
  return [root, ...below(root)];
}

/** The moves that lead to a node. @param {GameNode} node */
export const movesTo = (node) => pathTo(node).slice(1).map(({ move }) => /** @type {string} */ (move));

/** How a game ended, as far as the rules of moving do not say it. @param {Game} game */
export const saidEnd = ({ end }) => (end?.ending === "no move" ? null : end);

/** What SGF calls the ends that the rules of moving do not say. @type {Record<string, string>} */
const REASONS = { resigned: "R", time: "T" };

/** How a game ended that was given up or lost on time, as SGF has it; nothing of others. @param {Game} game */
export function resultOf({ end }) {
  return end && REASONS[end.ending] ? `${end.winner === "black" ? "B" : "W"}+${REASONS[end.ending]}` : null;
}

/** How a game of such a result ended. @param {string | null} result @returns {Game["end"]} */
export function endOf(result) {
  const [, winner, reason] = /^([BW])\+([RT])$/.exec(result ?? "") ?? [];
  if (!winner) return null;
  return { winner: winner === "B" ? "black" : "white", ending: reason === "R" ? "resigned" : "time" };
}

/** Tests if a game begins as all do. @param {Game} game */
export function isFromStart({ root }) {
  return root.position.cells === START.cells && root.position.toMove === START.toMove;
}

/** Tests if a node is on the line that counts. @param {GameNode} node */
export function isMain(node) {
  return !node.parent || (node.parent.children[0] === node && isMain(node.parent));
}

/** Tests if a node is the one with which its game ended. @param {Game} game @param {GameNode} node */
export const isFinal = ({ end }, node) => isOver(node.position) || Boolean(end && !node.children.length && isMain(node));

/** The number of the round of a node's move, with dots for white's, as `12…`. @param {GameNode} node */
export function numberOf(node) {
  const isBlacks = node.position.toMove === "white";
  const [root] = pathTo(node);
  const first = root.position.toMove === "white" ? 1 : 0;
  return `${Math.ceil((node.depth + first) / 2)}${isBlacks ? "." : "…"}`;
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

/** Who wins from a node on whatever both play, as far as that is proven. @param {GameNode} node @returns {Player | null} */
export function certainWinner({ position, found, ply }) {
  const { toMove } = position;
  if (isOver(position)) return other(toMove);
  if (ply?.winner) return ply.winner;
  const known = found ?? ply;
  if (!known?.proven) return null;
  return known.win_probability > 0.5 ? toMove : other(toMove);
}

/** Black's win probability in a node, as far as it is known. @param {GameNode} node @returns {number | null} */
export function blackChance(node) {
  const winner = certainWinner(node);
  if (winner) return winner === "black" ? 1 : 0;
  const known = node.found ?? node.ply;
  if (!known) return null;
  return node.position.toMove === "black" ? known.win_probability : 1 - known.win_probability;
}
