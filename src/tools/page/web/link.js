// A game in the address of the page: three letters for a move, so that the whole game can be sent as a link.

import { say } from "./words.js";
import { notify } from "./notice.js";
import { START, isLegal, isPosition, nameOf, squaresOf } from "./rules.js";
import { child, isFromStart, lineOver, mainLine, movesTo, newGame, pathTo, shortName } from "./tree.js";

/** A letter for each of 64 squares. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** What stands behind `#` for a game at one of its nodes; nothing for one that has not begun. @param {import("./tree.js").Game} game */
export function linkOf(game) {
  if (isFromStart(game) && !game.root.children.length) return "";
  const line = lineOver(game.node);
  const last = line[line.length - 1];
  const moves = movesTo(last).map((move) => squaresOf(move).map((square) => LETTERS[square]).join(""));
  const parts = new URLSearchParams({ g: moves.join("") });
  if (!isFromStart(game)) parts.set("s", packed(game.root.position));
  if (game.node !== last) parts.set("p", String(pathTo(game.node).length - 1));
  if (game.names.black) parts.set("b", game.names.black);
  if (game.names.white) parts.set("w", game.names.white);
  return parts.toString();
}

/** The game of a link; nothing if it holds none. Whatever is wrong with a link is said. @param {string} hash @returns {import("./tree.js").Game | null} */
export function gameOfLink(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const code = parts.get("g");
  if (code === null) return null;
  const start = parts.has("s") ? unpacked(parts.get("s") ?? "") : START;
  const isWhole = start && code.length % 3 === 0 && (code || start !== START);
  const words = code.match(/.../g) ?? [];
  const moves = words.map((word) => [...word].map((letter) => nameOf(LETTERS.indexOf(letter))).join(" "));
  const whole = isWhole ? playable(start, moves) : null;
  if (!whole) {
    notify(say("badLink"));
    return null;
  }
  const line = mainLine(whole);
  const place = parts.get("p") ?? String(line.length - 1);
  whole.node = line[Math.min(Math.max(Math.floor(Number(place)) || 0, 0), line.length - 1)];
  if (place !== String(whole.node.depth)) notify(say("badPlace", shortName(place), line.length - 1));
  whole.names = { black: shortName(parts.get("b")), white: shortName(parts.get("w")) };
  return whole;
}

/** The game of some moves if all are legal; nothing if one is not. */
function playable(start, moves) {
  const game = newGame(start);
  let node = game.root;
  for (const move of moves) {
    if (!isLegal(node.position, move)) return null;
    node = child(node, move);
  }
  return game;
}

/** A position in letters: runs of empty squares as numbers, then who moves. */
function packed({ cells, toMove }) {
  return cells.replace(/\.+/g, (run) => String(run.length)) + (toMove === "black" ? "-b" : "-w");
}

/** The position in letters; nothing if it is none. @returns {import("./rules.js").Position | null} */
function unpacked(text) {
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
