// The table of all open games with the results of their reviews, a table of the players' statistics, and the review of
// all games in the background.

import { $, formatCount, makeButton, makeElement, setOptions, setText } from "./dom.js";
import { t } from "./texts.js";
import { game, onChange, openStudy, state } from "./state.js";
import { opponentOf } from "./rules.js";
import { mainLine } from "./tree.js";
import { canReview, gameTitle, isReviewed, onProgress, outcomeOf, outcomeText, queueReviews, queuedGames, reviewProgress, stopReviews } from "./review.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./rules.js").Player} Player */

/**
 * The three phases of a game for which reviews are evaluated separately. Each phase is a range of plies (from 1).
 * `PHASE_ENDS`: last ply of the first phase and last ply of the second; the third phase has no limit. `PHASES`: the
 * displayed names of all three, in order.
 */
const [PHASE_ENDS, PHASES] = [[20, 40], ["1–20", "21–40", "41–"]];

const PLAYERS = /** @type {const} */ (["black", "white"]);

/**
 * Returns the win probability that a player lost in each of the three `PHASES` (ranges of plies) of a reviewed game, in
 * percentage points. A phase's number is the sum over the player's moves in it.
 */
function pointsLost(/** @type {Game} */ { reviewed }, /** @type {Player} */ player) {
  const sums = PHASES.map(() => 0);
  for (const { ply, depth, position } of reviewed) {
    const phase = PHASE_ENDS.filter((end) => depth >= end).length;
    if (position.toMove === player) sums[phase] += 100 * (ply?.loss ?? 0);
  }
  return sums;
}

/**
 * Returns the name (one of `PHASES`) of the phase of a reviewed game in which the loser of the game lost the most win
 * probability. Returns an empty text if the game has no loser, or if the loser lost no win probability.
 */
function worstPhase(/** @type {Game} */ reviewedGame) {
  const winner = outcomeOf(reviewedGame)?.winner;
  if (!winner || !reviewedGame.summary) return "";
  const lost = pointsLost(reviewedGame, opponentOf(winner));
  return Math.max(...lost) > 0 ? PHASES[lost.indexOf(Math.max(...lost))] : "";
}

/**
 * Returns the number of plies after which the lead changed for the last time in a reviewed game; null if it never
 * changed or the game was not reviewed. A player takes the lead with a win probability of at least 0.6, and keeps it
 * until the opponent takes it.
 * @param {Game} game
 */
const lastLeadChange = ({ summary }) => summary?.review.turning_points.map(({ ply }) => ply).pop() ?? null;

/**
 * Columns of the games table, each described by a list of three. First: key of the column's heading (see `t`). Second:
 * true if the values are numbers. Third: function that returns a game's value in this column; its parameters are the
 * game and the game's index in the list. Values that are unknown are null or an empty text.
 * @type {[any, boolean, (game: Game, index: number) => any][]}
 */
const COLUMNS = [
  ["games", false, (_, index) => index],
  ["outcome", false, (one) => outcomeText(one)],
  ["plies", true, (one) => mainLine(one).length - 1],
  ["accuracyBlack", true, ({ summary }) => summary?.review.black.accuracy ?? null],
  ["accuracyWhite", true, ({ summary }) => summary?.review.white.accuracy ?? null],
  ["turned", true, lastLeadChange],
  ["decided", true, ({ summary }) => summary?.solved?.decided?.after ?? null],
  ["lostIn", false, worstPhase],
];

/**
 * Sort order of the rows in the games table. `column` is the index in `COLUMNS` of the column that determines the
 * order; `isDescending` reverses it. Initially the games are in the order in which they were opened.
 */
const sortOrder = { column: 0, isDescending: false };

/**
 * Returns the listed games in the order in which the table shows them. Each element is an object with a game, the
 * game's index in the unsorted list, and its value in the column that determines the order. Games without a value come
 * last.
 */
function sortedGames() {
  const [, , valueOf] = COLUMNS[sortOrder.column];
  const keyed = state.collection.map((listedGame, index) => ({ listedGame, index, value: valueOf(listedGame, index) }));
  const compare = (a, b) => (typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  const direction = sortOrder.isDescending ? -1 : 1;
  return keyed.sort((a, b) => {
    const isUnknown = Number(a.value === null || a.value === "") - Number(b.value === null || b.value === "");
    return isUnknown || direction * compare(a.value, b.value) || a.index - b.index;
  });
}

/**
 * Returns the heading cell of a column of the games table. The heading is a button: a press sorts the rows by this
 * column, a second press reverses the order. The first parameter is the column's element of `COLUMNS`: `key` is the key
 * of the heading's text; `isNumber` is true if the column contains numbers, and then aligns the heading right. `column`
 * is the index of that element.
 */
function columnHeading(/** @type {any[]} */ [key, isNumber], column = 0) {
  const isSorted = column === sortOrder.column;
  const sort = () => {
    Object.assign(sortOrder, { column, isDescending: isSorted ? !sortOrder.isDescending : false });
    renderGames();
  };
  const sign = isSorted ? (sortOrder.isDescending ? " ↓" : " ↑") : "";
  const sorted = isSorted ? { "aria-sort": sortOrder.isDescending ? "descending" : "ascending" } : {};
  return makeElement("th", { ...(isNumber && { class: "number" }), ...sorted }, makeButton({ onclick: sort, "data-node": `by-${column}` }, t(key) + sign));
}

/**
 * Returns the row of a game in the games table. A press on the game's title opens the game. `index` is the game's index
 * (from 0) in the list of open games, `state.collection`.
 */
function gameRow({ listedGame, index }) {
  const open = makeButton({ onclick: () => openStudy(listedGame), "data-node": listedGame.root.id, "aria-current": String(listedGame === game()) }, `${index + 1}. ${gameTitle(listedGame)}`);
  const winner = outcomeOf(listedGame)?.winner;
  const cells = COLUMNS.slice(1).map(([key, isNumber, valueOf]) => {
    const value = valueOf(listedGame, index);
    const text = value === null || value === "" ? "–" : key.startsWith("accuracy") ? value.toFixed(1) : String(value);
    // In the column of the results, the table cell names only the winner, because the sentence on how the game ended is
    // too long. The sentence is the tooltip of the cell.
    if (key === "outcome") return makeElement("td", { title: text }, winner ? t("won", t(winner)) : "–");
    return makeElement("td", isNumber ? { class: "number" } : {}, text);
  });
  return makeElement("tr", {}, makeElement("td", {}, open), ...cells);
}

/**
 * Adds up the results of each player over all reviewed games in the games table. Returns pairs of the player's name and
 * an object, the player with the most games first. Omits players with only one game. Fields of the object:
 * - `games`, `wins`: numbers of reviewed games and of wins in them;
 * - `accuracies`: list of the player's accuracies in these games, in percent; games with unknown accuracy are left out;
 * - `lost`: for each of `PHASES` (ranges of plies), the win probability that the player lost in all these games
 *   together, in percentage points.
 */
function playerSums() {
  /**
   * The results of each player over all reviewed games, by the player's name. `games`, `wins`: numbers of games;
   * `accuracies`: the player's accuracy in each game, if known; `lost`: for each of `PHASES`, the win probability lost
   * in all games together, in percentage points.
   * @type {Map<string, { games: number, wins: number, accuracies: number[], lost: number[] }>}
   */
  const sums = new Map();
  for (const one of state.collection.filter(isReviewed)) {
    for (const player of PLAYERS) {
      const name = one.names[player] ?? t(player);
      const sum = sums.get(name) ?? { games: 0, wins: 0, accuracies: [], lost: PHASES.map(() => 0) };
      sums.set(name, sum);
      sum.games += 1;
      sum.wins += Number(outcomeOf(one)?.winner === player);
      sum.accuracies.push(...[one.summary?.review[player].accuracy].filter((known) => typeof known === "number"));
      sum.lost = pointsLost(one, player).map((points, phase) => points + sum.lost[phase]);
    }
  }
  return [...sums].filter(([, { games }]) => games > 1).sort(([, a], [, b]) => b.games - a.games);
}

/**
 * Returns a player's row in the table of statistics: name, numbers of games and wins, mean accuracy, and for each of
 * `PHASES` (ranges of plies) the win probability lost per game, in percentage points.
 */
function playerRow([name, { games, wins, accuracies, lost }]) {
  const mean = accuracies.length ? (accuracies.reduce((a, b) => a + b, 0) / accuracies.length).toFixed(1) : "–";
  const worst = lost.indexOf(Math.max(...lost));
  const losses = lost.map((points, phase) => makeElement("td", { class: phase === worst ? "number worst" : "number" }, (points / games).toFixed(1)));
  const numbers = [formatCount(games), formatCount(wins), mean].map((text) => makeElement("td", { class: "number" }, text));
  return makeElement("tr", {}, makeElement("td", {}, name), ...numbers, ...losses);
}

/**
 * Updates the controls of the reviews of all games in the games table: the button that starts or stops them, the
 * progress bar, and the text with the number of reviewed games.
 */
function renderProgress() {
  const [open, waiting] = [state.collection.filter(canReview), queuedGames().length];
  const done = open.filter(isReviewed).length;
  $("review-all").disabled = !waiting && done === open.length;
  $("review-all").textContent = t(waiting ? "stop" : "reviewAll");
  $("review-all").hidden = $("review-all").disabled || !open.length;
  $("all-progress").hidden = !waiting;
  const { searched, total } = reviewProgress();
  [$("all-meter").value, $("all-meter").max] = [done + searched / total, Math.max(open.length, 1)];
  setText($("all-text"), t("reviewedOf", done, open.length));
}

/**
 * Updates the games table, the table of the players' statistics, and the list at the top of the page in which the user
 * selects a game.
 */
function renderGames() {
  const isSeveral = state.collection.length > 1;
  $("games").hidden = state.tab !== "study" || !isSeveral;
  if (isSeveral) {
    setOptions($("games"), state.collection.map((one, at) => [at, `${at + 1}. ${gameTitle(one)}`]));
    $("games").value = String(state.collection.indexOf(state.games.study));
  }
  $("no-games").hidden = isSeveral;
  $("all-games").hidden = !isSeveral;
  if (state.tab !== "study" || state.panel !== "games") return;
  renderProgress();
  $("overview-head").replaceChildren(makeElement("tr", {}, ...COLUMNS.map((column, at) => columnHeading(column, at))));
  $("overview-rows").replaceChildren(...sortedGames().map(gameRow));
  const sums = playerSums();
  $("sums").hidden = !sums.length;
  const heads = ["player", "overview", "wonGames", "meanAccuracy"].map((key) => t(/** @type {any} */ (key)));
  $("sums-head").replaceChildren(makeElement("tr", {}, ...[...heads, ...PHASES].map((text, at) => makeElement("th", at ? { class: "number" } : {}, text))));
  $("sums-rows").replaceChildren(...sums.map(playerRow));
}

/**
 * Sets up the table of games: updates it at every change of the page's state and after each reviewed position, and adds
 * the event handlers.
 */
export function initGames() {
  onChange(renderGames);
  onProgress(renderProgress);
  $("review-all").onclick = () => {
    if (queuedGames().length) stopReviews();
    else queueReviews(state.collection.filter((one) => canReview(one) && !isReviewed(one)));
  };
  $("games").onchange = () => {
    openStudy(state.collection[Number($("games").value)]);
    // If the selection list of games kept the focus, the arrow keys would change the selected game instead of stepping
    // through the moves.
    $("games").blur();
  };
}
