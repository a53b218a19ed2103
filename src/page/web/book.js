// The opening book: the moves of strong self-play in the first plies, with number of games and win probability. Its text
// format is described in ../../training/book.rs. A game and its mirror image share one entry.

import { $, formatPercent } from "./dom.js";
import { nameOf, squareOf } from "./rules.js";
import { onChange, shownNode, state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { renderLineTable } from "./analysis.js";

/**
 * A move of the opening book: the number of self-play games with this move, the win probability of the side that plays it
 * (such as `54 %`), and the book's replies (`next`), the most played first.
 * @typedef {{ move: string, games: number, chance: string, next: Entry[] }} Entry
 */

/** Book moves of the starting position, the most played first. */
const BOOK = parseBook($("book-text").textContent);

/** Parses the book's text and returns the moves of the starting position. @param {string} text @returns {Entry[]} */
function parseBook(text) {
  /** For each ply, the list that receives the next entry: the replies to the last entry of the ply before. @type {Entry[][]} */
  const open = [[]];
  for (const [, ply, squares, games, chance] of text.matchAll(/^(\d+) (\w{6}) (\d+) (\d+)$/gm)) {
    const entry = { move: (squares.match(/../g) ?? []).join(" "), games: Number(games), chance: `${chance} %`, next: [] };
    open[Number(ply) - 1].push(entry);
    open[Number(ply)] = entry.next;
  }
  return open[0];
}

/** Mirrors a move left to right: a file becomes h, b becomes g, and so on. @param {string} move */
const mirrorMove = (move) => move.split(" ").map((name) => nameOf(squareOf(name) ^ 7)).join(" ");

/**
 * Returns the book's replies after a sequence of moves; empty if the book does not contain the sequence.
 * @param {string[]} moves
 */
function repliesTo(moves) {
  return moves.reduce((entries, move) => entries?.find((entry) => entry.move === move)?.next, /** @type {Entry[] | undefined} */ (BOOK)) ?? [];
}

/**
 * Returns the moves of the line that begins with a book entry and follows the most played replies.
 * @param {Entry} entry @returns {string[]}
 */
const lineOf = ({ move, next }) => [move, ...(next.length ? lineOf(next[0]) : [])];

function renderBook() {
  const isStudy = state.tab === "study" && !state.lesson && !state.editor && isFromStart(state.games.study);
  const moves = isStudy ? movesTo(shownNode()) : [];
  const own = isStudy ? repliesTo(moves) : [];
  const entries = own.length || !isStudy ? own : repliesTo(moves.map(mirrorMove));
  const turned = (/** @type {string} */ move) => (entries === own ? move : mirrorMove(move));
  $("book").hidden = !entries.length;
  const all = entries.reduce((sum, { games }) => sum + games, 0);
  renderLineTable($("book-rows"), entries.map((entry) => ({
    cells: [formatPercent(entry.games / all), entry.chance], line: lineOf(entry).map(turned),
  })));
}

/** Shows the opening book and updates it whenever the page's state changes. */
export const initBook = () => onChange(renderBook);
