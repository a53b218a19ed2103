// The opening book: what strong self-play plays in the first plies, how often, and with which chances. It is text, see
// ../../training/book.rs. A game and its mirror image stand in it once.

import { $, percent } from "./elements.js";
import { nameOf, squareOf } from "./rules.js";
import { onChange, shownNode, state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { tellTable } from "./lines.js";

/** A move of the book, and those behind it, the most played first. @typedef {{ move: string, games: number, chance: string, next: Entry[] }} Entry */

/** The moves from the start. */
const BOOK = read($("book-text").textContent);

/** @param {string} text @returns {Entry[]} */
function read(text) {
  /** The list for each ply to which its next entry belongs: the replies to the last entry one ply earlier. @type {Entry[][]} */
  const open = [[]];
  for (const [, ply, squares, games, chance] of text.matchAll(/^(\d+) (\w{6}) (\d+) (\d+)$/gm)) {
    const entry = { move: (squares.match(/../g) ?? []).join(" "), games: Number(games), chance: `${chance} %`, next: [] };
    open[Number(ply) - 1].push(entry);
    open[Number(ply)] = entry.next;
  }
  return open[0];
}

/** A move on the board's mirror image. @param {string} move */
const mirrored = (move) => move.split(" ").map((name) => nameOf(squareOf(name) ^ 7)).join(" ");

/** What the book has behind some moves; nothing if it does not have them. @param {string[]} moves */
function behind(moves) {
  return moves.reduce((entries, move) => entries?.find((entry) => entry.move === move)?.next, /** @type {Entry[] | undefined} */ (BOOK)) ?? [];
}

/** The line on which a move of the book goes on. @param {Entry} entry @returns {string[]} */
const lineOf = ({ move, next }) => [move, ...(next.length ? lineOf(next[0]) : [])];

function tellBook() {
  const isStudy = state.tab === "study" && !state.lesson && !state.editor && isFromStart(state.games.study);
  const moves = isStudy ? movesTo(shownNode()) : [];
  const own = isStudy ? behind(moves) : [];
  const entries = own.length || !isStudy ? own : behind(moves.map(mirrored));
  const turned = (/** @type {string} */ move) => (entries === own ? move : mirrored(move));
  $("book").hidden = !entries.length;
  const all = entries.reduce((sum, { games }) => sum + games, 0);
  tellTable($("book-rows"), entries.map((entry) => ({
    cells: [percent(entry.games / all), entry.chance], line: lineOf(entry).map(turned),
  })));
}

/** Shows the book at every change. */
export const showBook = () => onChange(tellBook);
