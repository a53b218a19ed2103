// A game in the address of the page: three letters for a move, so that the whole game with its variations can be sent as a link.

import { say } from "./words.js";
import { notify } from "./notice.js";
import { LETTERS } from "./findings.js";
import { START, isLegal, isPosition, nameOf, squaresOf } from "./rules.js";
import { allNodes, child, endOf, isFromStart, lineOver, mainLine, newGame, promote, resultOf, shortName } from "./tree.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** Letters of a link that are carried wherever people send links. */
const MOST_LETTERS = 8000;

/** What stands behind `#` for a game at one of its nodes; nothing for one that has not begun. @param {Game} game */
export const linkOf = (game) => linked(game, partOf(game));

/** How many moves of a game its link leaves out. @param {Game} game */
export const leftOut = (game) => allNodes(game).length - partOf(game).size;

/** What a link holds of a game: the main line, the one that is shown, and as many others as there is room for. @param {Game} game */
function partOf(game) {
  const part = new Set([...mainLine(game), ...lineOver(game.node)]);
  let room = MOST_LETTERS - linked(game, part).length;
  for (const leaf of allNodes(game).filter(({ children }) => !children.length)) {
    const line = lineOver(leaf).filter((node) => !part.has(node));
    const letters = 3 * line.length + 2;
    if (letters > room) continue;
    room -= letters;
    line.forEach((node) => part.add(node));
  }
  return part;
}

/** The link of a part of a game. @param {Game} game @param {Set<GameNode>} part */
function linked(game, part) {
  if (isFromStart(game) && !game.root.children.length) return "";
  const { letters, order } = written(game.root, part);
  const parts = new URLSearchParams({ g: letters });
  if (!isFromStart(game)) parts.set("s", packed(game.root.position));
  const line = mainLine(game);
  if (!line.includes(game.node)) parts.set("v", String(order.indexOf(game.node) + 1));
  else if (game.node.children.length) parts.set("p", String(game.node.depth));
  if (game.names.black) parts.set("b", game.names.black);
  if (game.names.white) parts.set("w", game.names.white);
  const result = resultOf(game);
  if (result) parts.set("r", result);
  return parts.toString();
}

/** The moves behind a node. Variations stand between `*` and `.`, before the move that goes on. @param {GameNode} node @param {Set<GameNode>} part @returns {{ letters: string, order: GameNode[] }} */
function written(node, part) {
  const [main, ...others] = node.children.filter((next) => part.has(next));
  const order = [];
  let letters = "";
  for (const next of main ? [...others, main] : []) {
    const rest = written(next, part);
    const moves = squaresOf(/** @type {string} */ (next.move)).map((square) => LETTERS[square]).join("") + rest.letters;
    letters += next === main ? moves : `*${moves}.`;
    order.push(next, ...rest.order);
  }
  return { letters, order };
}

/** The game of a link; nothing if it holds none. Whatever is wrong with a link is said. @param {string} hash @returns {import("./tree.js").Game | null} */
export function gameOfLink(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const code = parts.get("g");
  if (code === null) return null;
  const start = parts.has("s") ? unpacked(parts.get("s") ?? "") : START;
  const whole = start && (code || start !== START) ? read(start, code) : null;
  if (!whole) {
    notify(say("badLink"));
    return null;
  }
  const { game, order } = whole;
  const line = mainLine(game);
  const places = parts.has("v") ? [game.root, ...order] : line;
  const place = parts.get("v") ?? parts.get("p") ?? String(line.length - 1);
  const at = Math.min(Math.max(Math.floor(Number(place)) || 0, 0), places.length - 1);
  game.node = places[at];
  if (place !== String(at)) notify(say("badPlace", shortName(place), places.length - 1));
  game.names = { black: shortName(parts.get("b")), white: shortName(parts.get("w")) };
  game.end = endOf(parts.get("r"));
  return game;
}

/** The game of letters, with its moves in their order; nothing if one is illegal. @param {import("./rules.js").Position} start @param {string} code */
function read(start, code) {
  const game = newGame(start);
  /** @type {GameNode[]} */
  const order = [];
  /** Where the open variations begin. @type {(GameNode | undefined)[]} */
  const open = [];
  /** @type {GameNode | undefined} */
  let node = game.root;
  let isBehind = false;
  for (const word of code.match(/[*.]|[^*.]{1,3}/g) ?? []) {
    if (word === "*") open.push(node);
    else if (word === ".") node = open.pop();
    else {
      const move = [...word].map((letter) => nameOf(LETTERS.indexOf(letter))).join(" ");
      if (!node || !isLegal(node.position, move)) return null;
      node = child(node, move);
      // Behind variations stands the line that goes on.
      if (isBehind) promote(node);
      order.push(node);
    }
    isBehind = word === ".";
  }
  return open.length || !node ? null : { game, order };
}

/** A position in letters: runs of empty squares as numbers, then who moves. */
export function packed({ cells, toMove }) {
  return cells.replace(/\.+/g, (run) => String(run.length)) + (toMove === "black" ? "-b" : "-w");
}

/** The position in letters; nothing if it is none. @returns {import("./rules.js").Position | null} */
export function unpacked(text) {
  const match = /^([bwx\d]+)-([bw])$/.exec(text);
  if (!match) return null;
  const cells = match[1].replace(/\d+/g, (run) => ".".repeat(Math.min(Number(run), 64)));
  /** @type {import("./rules.js").Position} */
  const position = { cells, toMove: match[2] === "b" ? "black" : "white" };
  return isPosition(position) ? position : null;
}

/** Least milliseconds between two changes of the address: Safari takes a hundred in 30 s, and throws at the next. */
const PAUSE = 350;

/** When the address was changed last. */
let changed = -Infinity;

/** Milliseconds until the address may be changed. */
export const untilAddress = () => Math.max(changed + PAUSE - performance.now(), 0);

/** Changes what stands behind the address of the page. Where the browser does not take it, it stays. @param {string} hash */
export function setAddress(hash) {
  changed = performance.now();
  try {
    // Whole: a path that begins with two slashes would be read as the name of a host.
    history.replaceState(null, "", location.href.split("#")[0] + hash);
  } catch {
    // The game is kept without it.
  }
}
