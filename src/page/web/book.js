// The opening book: the moves of strong self-play in the first plies, with number of games and win probability. Its
// text format is described in ../../training/book.rs. A game and its mirror image share one entry.

import { $, formatPercent, setText } from "./dom.js";
import { t } from "./texts.js";
import { nameOf, squareOf } from "./rules.js";
import { onChange, shownNode, state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { renderMoveTable } from "./analysis.js";

/**
 * A move of the opening book: the number of self-play games with this move, the win probability of the side that plays
 * it as text (such as `54 %`), and the replies in the book (`replies`), the most played first.
 * @typedef {{ move: string, games: number, chance: string, replies: BookMove[] }} BookMove
 */

/**
 * The opening book as a tree: the book's moves in the start position, the most played move first. Each move contains a
 * list of the book's replies to it, which contain further replies in the same way.
 */
const BOOK = parseBook($("book-text").textContent);

/**
 * Parses the text of the opening book (format: ../../training/book.rs). Each line describes a move by four fields,
 * separated by spaces: its ply (1 for a game's first move), the move, the number of games with it, and the win
 * probability of the player who makes it, in percent. Returns the book's moves in the start position; each contains the
 * list of the replies to it.
 * @param {string} text @returns {BookMove[]}
 */
function parseBook(text) {
  /**
   * The lists into which parsed moves are inserted; a move of ply n (from 1) goes into the list at index n − 1. Index
   * 0: the book's moves in the start position. Any other index k: the replies to the latest parsed move of ply k.
   * @type {BookMove[][]}
   */
  const insertionLists = [[]];
  for (const [, ply, squares, games, chance] of text.matchAll(/^(\d+) (\w{6}) (\d+) (\d+)$/gm)) {
    const entry = { move: (squares.match(/../g) ?? []).join(" "), games: Number(games), chance: `${chance} %`, replies: [] };
    insertionLists[Number(ply) - 1].push(entry);
    insertionLists[Number(ply)] = entry.replies;
  }
  return insertionLists[0];
}

/**
 * Returns the mirror image of a move: file a becomes h, b becomes g, and so on; ranks stay.
 * @param {string} move such as `c1 c6 f6`
 */
const mirrorMove = (move) => move.split(" ").map((name) => nameOf(squareOf(name) ^ 7)).join(" ");

/**
 * Returns the opening book's entries for the next move after a sequence of moves from the start position, the most
 * played move first. Returns an empty list if the book does not contain the sequence.
 * @param {string[]} moves such as `["c1 c6 f6"]` @returns {BookMove[]}
 */
function repliesTo(moves) {
  return moves.reduce((entries, move) => entries?.find((entry) => entry.move === move)?.replies, /** @type {BookMove[] | undefined} */ (BOOK)) ?? [];
}

/**
 * Returns a sequence of moves that begins with a given move of the opening book and continues with the most played
 * reply to each move.
 * @param {BookMove} bookMove @returns {string[]}
 */
const mostPlayedLine = ({ move, replies }) => [move, ...(replies.length ? mostPlayedLine(replies[0]) : [])];

/**
 * Minimum popularity of a move for the page to show it as an opening-book move: the share (0 to 1) of the book's games
 * with this position in which the move was played.
 */
const MIN_SHARE = 0.02;

/**
 * Shows the opening book's moves in the current position of the "Study" tab. If the book contains this position only as
 * its mirror image (files a and h exchanged), shows the mirrored moves.
 */
function renderBook() {
  const isStudy = state.tab === "study" && !state.lesson && !state.editor && isFromStart(state.games.study);
  const moves = isStudy ? movesTo(shownNode()) : [];
  const own = isStudy ? repliesTo(moves) : [];
  const entries = own.length || !isStudy ? own : repliesTo(moves.map(mirrorMove));
  const turned = (/** @type {string} */ move) => (entries === own ? move : mirrorMove(move));
  const all = entries.reduce((sum, { games }) => sum + games, 0);
  const shown = entries.filter(({ games }) => games >= MIN_SHARE * all);
  $("book-table").hidden = !shown.length;
  setText($("book-note"), t(shown.length === 0 ? "noBook" : shown.length === 1 && all > 1 ? "oneMove" : "bookNote"));
  renderMoveTable($("book-rows"), shown.map((entry) => ({
    cells: [formatPercent(entry.games / all), entry.chance], line: mostPlayedLine(entry).map(turned),
  })));
}

/**
 * Sets up the opening book: shows its moves for the current position, and updates them whenever the page's state
 * changes.
 */
export const initBook = () => onChange(renderBook);
