// The table of all open games with the results of their reviews, sums for each player's games, and the review of all games in
// the background.

import { $, formatCount, makeButton, makeElement, setOptions, setText } from "./dom.js";
import { t } from "./texts.js";
import { game, onChange, openStudy, state } from "./state.js";
import { isOver, opponentOf } from "./rules.js";
import { lineThrough, mainLine } from "./tree.js";
import { canReview, isReviewed, onProgress, outcomeOf, queueReviews, queuedGames, reviewProgress, stopReviews, titleOf } from "./review.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./rules.js").Player} Player */

/** Phases of a game: number of plies after which each phase but the last ends, and the phases' names. */
const [PHASE_ENDS, PHASES] = [[20, 40], ["1–20", "21–40", "41–"]];

const PLAYERS = /** @type {const} */ (["black", "white"]);

/** Returns the points that a player lost in each phase of a reviewed game; a point is 1 % of win probability. */
function pointsLost(/** @type {Game} */ { reviewed }, /** @type {Player} */ player) {
  const sums = PHASES.map(() => 0);
  for (const { ply, depth, position } of reviewed) {
    const phase = PHASE_ENDS.filter((end) => depth >= end).length;
    if (position.toMove === player) sums[phase] += 100 * (ply?.loss ?? 0);
  }
  return sums;
}

/** Returns the winner of a game; null if the game is unfinished. @param {Game} game @returns {Player | null} */
function winnerOf({ root, end, summary }) {
  const { position } = lineThrough(root).pop() ?? root;
  return end?.winner ?? summary?.winner ?? (isOver(position) ? opponentOf(position.toMove) : null);
}

/** Returns the name of the phase in which the loser of a reviewed game lost the most points; empty if there is no loser. */
function worstPhase(/** @type {Game} */ one) {
  const winner = winnerOf(one);
  if (!winner || !one.summary) return "";
  const lost = pointsLost(one, opponentOf(winner));
  return Math.max(...lost) > 0 ? PHASES[lost.indexOf(Math.max(...lost))] : "";
}

/** Returns the last ply of a reviewed game after which the lead changed; null if there is none. @param {Game} game */
const lastTurn = ({ summary }) => summary?.review.turning_points.map(({ ply }) => ply).pop() ?? null;

/**
 * Columns of the table: key of the heading, whether the values are numbers, and a function that returns the value of a game;
 * null if the value is unknown.
 * @type {[any, boolean, (game: Game, at: number) => any][]}
 */
const COLUMNS = [
  ["games", false, (_, at) => at],
  ["outcome", false, (one) => outcomeOf(one)],
  ["plies", true, (one) => mainLine(one).length - 1],
  ["black", true, ({ summary }) => summary?.review.black.accuracy ?? null],
  ["white", true, ({ summary }) => summary?.review.white.accuracy ?? null],
  ["turned", true, lastTurn],
  ["decided", true, ({ summary }) => summary?.solved?.decided?.after ?? null],
  ["lostIn", false, worstPhase],
];

/** The column by which the table is sorted, as an index, and whether the order is descending. */
const order = { column: 0, isDescending: false };

/** Returns the open games with their index, in the order of the table; games whose value is unknown come last. */
function sortedGames() {
  const [, , valueOf] = COLUMNS[order.column];
  const keyed = state.collection.map((one, at) => ({ one, at, value: valueOf(one, at) }));
  const compare = (a, b) => (typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  const direction = order.isDescending ? -1 : 1;
  return keyed.sort((a, b) => {
    const isUnknown = Number(a.value === null || a.value === "") - Number(b.value === null || b.value === "");
    return isUnknown || direction * compare(a.value, b.value) || a.at - b.at;
  });
}

/** Returns a heading whose button sorts the table by this column; a second press reverses the order. */
function heading(/** @type {any[]} */ [key, isNumber], column = 0) {
  const isSorted = column === order.column;
  const sort = () => {
    Object.assign(order, { column, isDescending: isSorted ? !order.isDescending : false });
    renderGames();
  };
  const sign = isSorted ? (order.isDescending ? " ↓" : " ↑") : "";
  const sorted = isSorted ? { "aria-sort": order.isDescending ? "descending" : "ascending" } : {};
  return makeElement("th", { ...(isNumber && { class: "number" }), ...sorted }, makeButton({ onclick: sort, "data-node": `by-${column}` }, t(key) + sign));
}

/** Returns the row of a game; a press on its title opens the game. */
function gameRow({ one, at }) {
  const open = makeButton({ onclick: () => openStudy(one), "data-node": one.root.id, "aria-current": String(one === game()) }, `${at + 1}. ${titleOf(one)}`);
  const winner = winnerOf(one);
  const cells = COLUMNS.slice(1).map(([key, isNumber, valueOf]) => {
    const value = valueOf(one, at);
    const text = value === null || value === "" ? "–" : key === "black" || key === "white" ? value.toFixed(1) : String(value);
    // The whole text on the end of the game would take too much room.
    if (key === "outcome") return makeElement("td", { title: text }, winner ? t("won", t(winner)) : "–");
    return makeElement("td", isNumber ? { class: "number" } : {}, text);
  });
  return makeElement("tr", {}, makeElement("td", {}, open), ...cells);
}

/**
 * Returns the sums over the reviewed games of each player that is named in at least two games, the player with the most games
 * first.
 */
function playerSums() {
  /** @type {Map<string, { games: number, wins: number, accuracies: number[], lost: number[] }>} */
  const sums = new Map();
  for (const one of state.collection.filter(isReviewed)) {
    for (const player of PLAYERS) {
      const name = one.names[player] ?? t(player);
      const sum = sums.get(name) ?? { games: 0, wins: 0, accuracies: [], lost: PHASES.map(() => 0) };
      sums.set(name, sum);
      sum.games += 1;
      sum.wins += Number(winnerOf(one) === player);
      sum.accuracies.push(...[one.summary?.review[player].accuracy].filter((known) => typeof known === "number"));
      sum.lost = pointsLost(one, player).map((points, phase) => points + sum.lost[phase]);
    }
  }
  return [...sums].filter(([, { games }]) => games > 1).sort(([, a], [, b]) => b.games - a.games);
}

/** Returns the row of a player's sums: games, wins, mean accuracy, and points lost per game in each phase. */
function sumRow([name, { games, wins, accuracies, lost }]) {
  const mean = accuracies.length ? (accuracies.reduce((a, b) => a + b, 0) / accuracies.length).toFixed(1) : "–";
  const worst = lost.indexOf(Math.max(...lost));
  const losses = lost.map((points, phase) => makeElement("td", { class: phase === worst ? "number worst" : "number" }, (points / games).toFixed(1)));
  const numbers = [formatCount(games), formatCount(wins), mean].map((text) => makeElement("td", { class: "number" }, text));
  return makeElement("tr", {}, makeElement("td", {}, name), ...numbers, ...losses);
}

/** Updates the button that starts or stops the review of all games, and the progress. */
function renderProgress() {
  const [open, waiting] = [state.collection.filter(canReview), queuedGames().length];
  const done = open.filter(isReviewed).length;
  $("review-all").disabled = !waiting && done === open.length;
  $("review-all").textContent = t(waiting ? "stop" : "reviewAll");
  $("review-all").hidden = !open.length;
  $("all-progress").hidden = !waiting;
  const { searched, of } = reviewProgress();
  [$("all-meter").value, $("all-meter").max] = [done + searched / of, Math.max(open.length, 1)];
  setText($("all-text"), t("reviewedOf", done, open.length));
}

/** Updates the panel with the table of games, and the list of games in the page's header. */
function renderGames() {
  const isSeveral = state.collection.length > 1;
  $("games").hidden = state.tab !== "study" || !isSeveral;
  if (isSeveral) {
    setOptions($("games"), state.collection.map((one, at) => [at, `${at + 1}. ${titleOf(one)}`]));
    $("games").value = String(state.collection.indexOf(state.games.study));
  }
  $("no-games").hidden = isSeveral;
  $("all-games").hidden = !isSeveral;
  if (state.tab !== "study" || state.room !== "games") return;
  renderProgress();
  $("overview-head").replaceChildren(makeElement("tr", {}, ...COLUMNS.map((column, at) => heading(column, at))));
  $("overview-rows").replaceChildren(...sortedGames().map(gameRow));
  const sums = playerSums();
  $("sums").hidden = !sums.length;
  const heads = ["player", "overview", "wonGames", "meanAccuracy"].map((key) => t(/** @type {any} */ (key)));
  $("sums-head").replaceChildren(makeElement("tr", {}, ...[...heads, ...PHASES].map((text, at) => makeElement("th", at ? { class: "number" } : {}, text))));
  $("sums-rows").replaceChildren(...sums.map(sumRow));
}

/** Sets up the panel: updates it at every change and while games are reviewed, and adds the event handlers. */
export function initGames() {
  onChange(renderGames);
  onProgress(renderProgress);
  $("review-all").onclick = () => {
    if (queuedGames().length) stopReviews();
    else queueReviews(state.collection.filter((one) => canReview(one) && !isReviewed(one)));
  };
  $("games").onchange = () => {
    openStudy(state.collection[Number($("games").value)]);
    // Without the focus on the list of games, the arrow keys step through the moves.
    $("games").blur();
  };
}
