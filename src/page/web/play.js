// The "Play" tab: a game between persons and bots, with the bots' moves, undo and redo, hints, clocks and resigning.

import { $, formatMinutes, setOptions, setText } from "./dom.js";
import { endingText, t } from "./texts.js";
import { EngineTerminated, canRun, engine, hasEngine } from "./engine.js";
import { emitChange, emitFindings, goTo, nodeAt, onChange, shownNode, state } from "./state.js";
import { isOver, legalMoves, opponentOf } from "./rules.js";
import { getOrAddChild, isInGame, lineThrough, newGame, pathTo, promote } from "./tree.js";
import { oneOf } from "./store.js";
import { playSound } from "./sounds.js";
import { askUser, notify } from "./notice.js";
import { WARNING_LEVELS, dismissWarning, findMistake, isWarning, renderWarning, setWarning, warningOptions } from "./warning.js";

/** @typedef {import("./rules.js").Player} Player */
/** @typedef {import("./tree.js").GameNode} GameNode */

/**
 * Number of the bot's strength levels, and the default level (both as text). The packer writes them into attributes of
 * the page's `<html>` element.
 */
const { levels: LEVEL_COUNT, level: DEFAULT_LEVEL } = document.documentElement.dataset;

/** Thinking times that the user can choose for a bot at full strength, in seconds per move. */
const THINKING_SECONDS = [1, 3, 10, 30];

/**
 * Time controls that the user can choose. `0`: none; `3`: 3 minutes per player for the whole game; `3+2`: 3 minutes
 * plus 2 seconds per move; `15s`: 15 seconds for each move.
 */
const TIME_CONTROLS = ["0", "3", "3+2", "5", "5+5", "10", "20", "15s", "30s"];

/** Minimum durations of a move that the user can choose for a game between two bots, in seconds. */
const MIN_MOVE_SECONDS = [0, 0.5, 1, 2, 4];

/** Number of search iterations for the win-probability bar while a person is to move. */
const BAR_ITERATIONS = 20_000;

/** Duration of the search for a hint, in milliseconds. */
const HINT_MS = 1000;

/**
 * Settings of the game. `black` and `white`: who plays the colour (`person`, `level-6`, or `time-3` for a bot with
 * three seconds per move). `limit`: one of `TIME_CONTROLS`. `pace`: minimum seconds per move between two bots.
 * `warnings`: the mildest judgement to warn of, or `none`. `isPaused`: whether the bots wait.
 */
export const gameSettings = { black: "person", white: hasEngine && canRun ? `level-${DEFAULT_LEVEL}` : "person", limit: "0", pace: 1, warnings: "none", isPaused: false };

/**
 * Counts the turns and undos. A search remembers the number at its start, and its result is discarded if the number has
 * changed.
 */
let turnNumber = 0;

/** Message of the error that stopped the bot's search in the current turn, or null. @type {string | null} */
let engineError = null;

/**
 * The node whose clock runs, and the time when the clock was started (milliseconds of `performance.now()`); null while
 * all clocks are stopped.
 * @type {{ node: GameNode, since: number } | null}
 */
let runningClock = null;

const playedGame = () => state.games.play;
const playerKind = (/** @type {Player} */ player) => gameSettings[player];
const isPerson = (/** @type {Player} */ player) => playerKind(player) === "person";
const areBothPersons = () => isPerson("black") && isPerson("white");
const areBothBots = () => !isPerson("black") && !isPerson("white");
/** Tests if a person plays black and a bot plays white. The board is then turned, so that black is at the bottom. */
export const isPersonOnlyBlack = () => isPerson("black") && !isPerson("white");
/** Tests if the game in the "Play" tab is over, even if the board shows an earlier position. */
const isEnded = () => Boolean(playedGame().end);

/** Tests if the user may enter a move in the "Play" tab: the game is not over, and a person is to move. */
export const canPlay = () => !isEnded() && isPerson(playedGame().node.position.toMove);

/**
 * Tests if the user may step through the game in the "Play" tab: only if both players are persons or the game is over.
 */
export const canStepGame = () => isEnded() || areBothPersons();

// ---- A turn

/** Plays a move in the "Play" tab for the side to move, and begins the next turn. @param {string} move */
export function playMove(move) {
  endTurn();
  const game = playedGame();
  const node = getOrAddChild(game.node, move);
  [node.ms, game.node.spent] = [game.node.spent, 0];
  promote(node);
  game.isOwn = true;
  game.node = node;
  beginTurn();
}

/**
 * Plays a person's move. If an earlier position is shown, the move replaces the later moves; in a game between two
 * persons, the opponent must confirm this first.
 * @param {string} move
 */
export async function playPersonMove(move) {
  const { node } = playedGame();
  const [next] = node.children;
  if (!next || next.move === move || (await confirmTakeBack(node))) playMove(move);
  else goTo(nodeAt(lineThrough(node), Infinity));
}

/**
 * Begins the turn at the current position: starts the clock, then the bot's move or, for a person, the search for the
 * win-probability bar.
 */
export function beginTurn() {
  endTurn();
  const number = turnNumber;
  const { node } = playedGame();
  if (isOver(node.position)) playedGame().end ??= { winner: opponentOf(node.position.toMove), ending: "no move" };
  const isBegun = node.depth > 0 || !isPerson(node.position.toMove);
  runningClock = isEnded() || gameSettings.isPaused || !isBegun ? null : { node, since: performance.now() };
  if (state.tab === "play") goTo(node);
  else emitChange();
  if (isEnded()) return;
  if (isPerson(node.position.toMove)) searchForBar(node);
  else if (!gameSettings.isPaused) playBotMove(node, number);
}

/** Ends the turn without a move, for example before an undo, and stops the running search. */
function abortTurn() {
  endTurn();
  engine.stop();
}

/** Ends the turn: stops the clock, clears error and warning, and invalidates search results that arrive later. */
function endTurn() {
  addElapsedTime();
  turnNumber += 1;
  runningClock = null;
  engineError = null;
  setWarning(null);
}

/** Adds the time since the clock's start to the node whose clock runs, and restarts the clock for the current node. */
export function addElapsedTime() {
  if (!runningClock) return;
  const now = performance.now();
  runningClock.node.spent += now - runningClock.since;
  runningClock = { node: playedGame().node, since: now };
}

/**
 * Searches the position for the win-probability bar. If the bar is hidden, runs one iteration only, so that the search
 * tree still follows the game.
 * @param {GameNode} node
 */
function searchForBar(node) {
  if (!hasEngine || !canRun) return;
  const iterations = state.shown.bar ? BAR_ITERATIONS : 1;
  engine.search({ position: node.position, candidates: 1, iterations }, findingsHandler(node)).then(findingsHandler(node), reportError);
}

/**
 * Returns a callback that stores a search's interim or final results in `node` and redraws them. Ignores results of at
 * most 100 iterations, which are too uncertain to show, unless they are proven.
 */
const findingsHandler = (node) => (findings) => {
  if (findings.iterations > 100 || findings.proven) node.findings = findings;
  if (state.tab === "play" && node === shownNode()) emitFindings();
};

/** Shows an engine error to the user, unless the engine was terminated on purpose. */
function reportError(error) {
  if (!(error instanceof EngineTerminated)) notify(t("engineFailed", error.message));
}

/**
 * Searches and plays the bot's move. First shows a warning if the person's last move was a mistake that the user wants
 * to be warned of. Between two bots, waits for the minimum duration of a move.
 * @param {GameNode} node @param {number} number the value of `turnNumber` in this turn
 */
async function playBotMove(node, number) {
  const begun = performance.now();
  const isWanted = () => number === turnNumber && !gameSettings.isPaused;
  try {
    const mistake = isPerson(opponentOf(node.position.toMove)) && (await findMistake(node, gameSettings.warnings).catch(() => null));
    if (!isWanted()) return;
    if (mistake) {
      waitForDecision(mistake);
      return;
    }
    const move = await chooseBotMove(node);
    const rest = areBothBots() ? 1000 * gameSettings.pace - (performance.now() - begun) : 0;
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    if (isWanted()) playMove(move);
  } catch (error) {
    if (!isWanted()) return;
    endTurn();
    engineError = error.message;
    emitChange();
  }
}

/**
 * Shows a warning of the person's mistake. The bot's move waits until the person takes the move back or plays on.
 * @param {import("./tree.js").Findings} mistake
 */
function waitForDecision(mistake) {
  endTurn();
  setWarning(mistake);
  emitChange();
}

/** Hands the bot's colour over to a person, after the engine has failed. */
function takeOver() {
  gameSettings[playedGame().node.position.toMove] = "person";
  renderSettings();
  beginTurn();
}

/**
 * Returns the bot's move in a position, chosen by random sampling or by a search, according to the bot's level or
 * thinking time.
 * @param {GameNode} node
 */
async function chooseBotMove(node) {
  const [kind, number] = playerKind(node.position.toMove).split("-");
  const method = kind === "time" ? { ms: 1000 * Number(number) } : await engine.ask({ ask: "level", level: Number(number) });
  if (method.sample_move) {
    const sampled = await engine.sampleMove(node.position, method.sample_move, Math.floor(Math.random() * 2 ** 32));
    if (sampled) return sampled;
  }
  const ms = node.depth < 2 && method.first_ms ? method.first_ms : method.ms;
  const task = { position: node.position, candidates: 1, ms, iterations: method.iterations, afresh: Boolean(method.iterations) };
  const findings = await engine.search(task, findingsHandler(node));
  findingsHandler(node)(findings);
  return findings.candidates[0]?.move ?? legalMoves(node.position)[0];
}

// ---- Handlers of the buttons

/** Opens the dialog for a new game. If the current game is unfinished, the dialog warns that the game will be lost. */
function openSetup() {
  renderSettings();
  $("setup-note").hidden = !isUnderWay();
  $("begin").textContent = t(isUnderWay() ? "yes" : "begin");
  $("setup").showModal();
}

function beginNewGame() {
  applySetup();
  startGame(newGame());
}

/**
 * Replaces the game of the "Play" tab by `game`, opens the tab, and continues at the game's current position.
 * @param {import("./tree.js").Game} game
 */
export function startGame(game) {
  abortTurn();
  gameSettings.isPaused = false;
  game.isOwn = true;
  state.games.play = game;
  state.tab = "play";
  state.isFlipped = isPersonOnlyBlack();
  game.names = { black: null, white: null };
  beginTurn();
}

const isUnderWay = () => playedGame().root.children.length > 0 && !isEnded();

/**
 * Tests if the game in the "Play" tab may be replaced. If the game is unfinished, asks the user, because the game would
 * be lost.
 */
export async function confirmReplace() {
  return !isUnderWay() || askUser(t("sureNew"), t("yes"), t("no"));
}

function applySetup() {
  Object.assign(gameSettings, { black: $("seat-black").value, white: $("seat-white").value, limit: $("limit").value });
}

/**
 * Returns the node to which an undo goes back: the last earlier position with a person to move (between two bots, the
 * previous position); null if there is none.
 * @returns {GameNode | null}
 */
function undoTarget() {
  const before = pathTo(playedGame().node).slice(0, -1).reverse();
  return (areBothBots() ? before[0] : before.find(({ position }) => isPerson(position.toMove))) ?? null;
}

/**
 * The last node to which an opponent has agreed to go back, in a game between two persons; null before the first
 * agreement.
 * @type {GameNode | null}
 */
let agreedTarget = null;

/**
 * Tests if the game may continue from an earlier node. In an unfinished game between two persons, asks the opponent;
 * elsewhere returns true.
 * @param {GameNode} node
 */
async function confirmTakeBack(node) {
  if (!areBothPersons() || isEnded() || node === agreedTarget) return true;
  const [game, { toMove }] = [playedGame(), node.position];
  const isGranted = await askUser(t("takeBack", t(toMove), node.depth, t(opponentOf(toMove))), t("agree"), t("decline"));
  // While the dialog was open, the time may have run out.
  if (!isGranted || isEnded() || game !== playedGame()) return false;
  agreedTarget = node;
  return true;
}

async function undo() {
  const node = undoTarget();
  if (node && (await confirmTakeBack(node)) && isInGame(node)) continueFrom(node);
}

/**
 * Returns the node to which a redo goes forward: the next position with a person to move (between two bots, the next
 * position), or the last position; null if no move was undone.
 * @returns {GameNode | null}
 */
function redoTarget() {
  let node = playedGame().node.children[0] ?? null;
  while (node?.children.length && !areBothBots() && !isPerson(node.position.toMove)) node = node.children[0];
  return node;
}

/**
 * Continues the game from another node, as an undo or redo does. Clears the game's result; a game between two bots is
 * paused. Does nothing if `node` is null.
 * @param {GameNode | null} node
 */
function continueFrom(node) {
  if (!node) return;
  abortTurn();
  gameSettings.isPaused = areBothBots();
  Object.assign(playedGame(), { end: null, node });
  beginTurn();
}

async function hint() {
  const { node } = playedGame();
  setText($("status"), t("thinking", t("engine")));
  const findings = await engine.search({ position: node.position, candidates: 1, ms: HINT_MS });
  if (node !== playedGame().node || state.tab !== "play" || state.picked.length) return;
  node.findings = findings;
  state.hint = findings.candidates[0]?.move ?? null;
  emitChange();
}

/**
 * Ends the game with a loss for the side to move.
 * @param {string} ending how the game was lost: `resigned` or `time`
 */
function loseGame(ending) {
  const loser = playedGame().node.position.toMove;
  abortTurn();
  playedGame().end = { winner: opponentOf(loser), ending };
  playSound("end", 0);
  emitChange();
}

async function resign() {
  const number = turnNumber;
  const isSure = await askUser(t("sureResign"), t("yesResign"), t("no"));
  // While the dialog was open, the time may have run out.
  if (isSure && number === turnNumber) loseGame("resigned");
}

function togglePause() {
  gameSettings.isPaused = !gameSettings.isPaused;
  if (gameSettings.isPaused) abortTurn();
  beginTurn();
}

// ---- Clocks

/**
 * Parses a time control such as `3+2` into `limit` (minutes per player for the game), `increment` (bonus in seconds per
 * move) and `perMove` (seconds per move). 0 means: not part of this time control.
 * @param {string} clock
 */
function parseTimeControl(clock) {
  const [first, increment = 0] = clock.split("+").map(parseFloat);
  return clock.endsWith("s") ? { limit: 0, increment, perMove: first } : { limit: first, increment, perMove: 0 };
}

/**
 * Returns what a player's clock shows, in milliseconds: the remaining time, negative after the limit; without time
 * control, the used time.
 * @param {Player} player
 */
function clockMs(player) {
  const { node } = playedGame();
  const turns = pathTo(node).filter(({ parent }) => parent?.position.toMove === player);
  const spent = node.position.toMove === player ? node.spent + (runningClock ? performance.now() - runningClock.since : 0) : 0;
  const used = turns.reduce((sum, { ms }) => sum + ms, spent);
  const { limit, increment, perMove } = parseTimeControl(gameSettings.limit);
  if (perMove) return 1000 * perMove - spent;
  return limit ? 60_000 * limit + 1000 * increment * turns.length - used : used;
}

function renderClocks() {
  for (const player of /** @type {Player[]} */ (["black", "white"])) {
    setText($("clock-" + player), state.tab === "play" ? formatMinutes(Math.max(clockMs(player), 0)) : "");
  }
}

/** Returns the name of a time control in the page's language. @param {string} clock time control such as `3+2` */
function timeControlName(clock) {
  const { limit, increment, perMove } = parseTimeControl(clock);
  if (perMove) return t("seconds", perMove);
  if (increment) return t("minutesAndMore", limit, increment);
  return limit ? t("minutesOf", limit) : t("noLimit");
}

function tick() {
  if (state.tab !== "play") return;
  const mover = playedGame().node.position.toMove;
  if (gameSettings.limit !== "0" && runningClock && clockMs(mover) < 0) loseGame("time");
  renderClocks();
}

// ---- Display

function statusText() {
  const { node, end } = playedGame();
  const mover = node.position.toMove;
  if (end) return t("wins", t(end.winner), endingText(end.ending, t(opponentOf(end.winner))));
  if (isWarning()) return t("botWaits");
  if (engineError !== null) return t("engineFailed", engineError);
  if (!isPerson(mover)) return gameSettings.isPaused ? t("paused") : t("thinking", t(mover));
  if (state.hint) return t("namely", t("hint"), state.hint);
  return [t("yourTurn", t("toMove", t(mover))), t("chooseTo"), t("chooseArrow")][state.picked.length];
}

/**
 * Returns the choices of who plays a colour, as pairs of value and displayed name. Without an engine, the only choice
 * is a person.
 */
function playerChoices() {
  const person = ["person", t("person")];
  if (!hasEngine || !canRun) return [person];
  const level = (number) => {
    const name = t("level", number);
    return number === 1 ? t("levelFirst", name) : number === Number(LEVEL_COUNT) ? t("levelLast", name) : name;
  };
  const levels = Array.from({ length: Number(LEVEL_COUNT) }, (_, at) => [`level-${at + 1}`, level(at + 1)]);
  return [person, ...levels, ...THINKING_SECONDS.map((number) => [`time-${number}`, t("seconds", number)])];
}

/**
 * Returns the displayed name of the bot that plays a colour, such as `Level 6`; null if a person plays.
 * @param {Player} player
 */
export function botName(player) {
  const [kind, number] = playerKind(player).split("-");
  return { level: t("level", number), time: t("seconds", number) }[kind] ?? null;
}

/**
 * Returns the name of who plays a colour as game files store it: `human`, `level 6` or `3000 ms` (thinking time per
 * move).
 * @param {Player} player
 */
function recordedName(player) {
  const [kind, number] = playerKind(player).split("-");
  return { person: "human", level: `level ${number}`, time: `${1000 * Number(number)} ms` }[kind] ?? kind;
}

/**
 * Returns both players' names as game files store them: `human`, `level 6` or `3000 ms` (thinking time per move).
 * @returns {Record<Player, string>}
 */
export const recordedNames = () => ({ black: recordedName("black"), white: recordedName("white") });

/**
 * Returns the time control as SGF properties: `TM` (seconds per player) and `OT` (description of bonus or time per
 * move).
 * @returns {[string, string[]][]}
 */
export function timeControlProperties() {
  const { limit, increment, perMove } = parseTimeControl(gameSettings.limit);
  if (perMove) return [["TM", ["0"]], ["OT", [`${perMove} s a move`]]];
  const bonus = /** @type {[string, string[]][]} */ (increment ? [["OT", [`${increment} s more a move`]]] : []);
  return limit ? [["TM", [String(60 * limit)]], ...bonus] : [];
}

/** Updates the panel that shows the winner and how the game ended. The panel is hidden during a game. */
function renderEnd() {
  const { end, node } = playedGame();
  $("ended").hidden = !end || state.tab !== "play";
  $("status").classList.toggle("visually-hidden", Boolean(end));
  if (!end) return;
  setText($("ended-who"), t("won", t(end.winner)));
  const { depth } = nodeAt(lineThrough(node), Infinity);
  setText($("ended-why"), t("endedAfter", endingText(end.ending, t(opponentOf(end.winner))), depth));
  $("save-this").hidden = $("save").hidden;
}

function renderPlay() {
  $("playing").hidden = state.tab !== "play";
  renderEnd();
  $("failure").hidden = state.tab !== "play" || engineError === null;
  renderWarning();
  renderClocks();
  if (state.tab !== "play") return;
  setText($("status"), statusText());
  const isTurn = canPlay();
  $("undo").disabled = !undoTarget();
  $("redo").disabled = !redoTarget();
  $("hint").hidden = !hasEngine || !canRun || isEnded();
  $("hint").disabled = !isTurn;
  $("resign").disabled = areBothBots() || !isTurn;
  $("resign").hidden = isEnded();
  $("pause").hidden = isEnded() || areBothPersons();
  $("pace-choice").hidden = !areBothBots();
  $("pause").textContent = t(gameSettings.isPaused ? "go" : "pause");
}

/** Fills the selection lists of the new-game dialog, in the page's language. */
function renderSetup() {
  setOptions($("seat-black"), playerChoices());
  setOptions($("seat-white"), playerChoices());
  setOptions($("limit"), TIME_CONTROLS.map((clock) => [clock, timeControlName(clock)]));
  setOptions($("warnings"), warningOptions());
  setOptions($("pace"), MIN_MOVE_SECONDS.map((number) => [number, number ? t("paceOf", number) : t("fastest")]));
}

/** Applies settings of the game from the browser's storage; replaces invalid values by defaults. @param {any} known */
export function applyGameSettings(known) {
  const names = playerChoices().map(([name]) => name);
  for (const player of /** @type {Player[]} */ (["black", "white"])) gameSettings[player] = oneOf(names, known?.[player], gameSettings[player]);
  gameSettings.limit = oneOf(TIME_CONTROLS, known?.limit, gameSettings.limit);
  gameSettings.pace = oneOf(MIN_MOVE_SECONDS, known?.pace, gameSettings.pace);
  gameSettings.warnings = oneOf(WARNING_LEVELS, known?.warnings, gameSettings.warnings);
  gameSettings.isPaused = known?.isPaused === true;
}

/** Shows the current settings of the game in the new-game dialog. */
export function renderSettings() {
  renderSetup();
  for (const player of /** @type {Player[]} */ (["black", "white"])) $("seat-" + player).value = gameSettings[player];
  [$("limit").value, $("pace").value, $("warnings").value] = [gameSettings.limit, String(gameSettings.pace), gameSettings.warnings];
}

/** Sets up the "Play" tab: updates the tab at every change of the state, and adds the event handlers of its buttons. */
export function initPlay() {
  onChange(() => {
    // Leaving the tab ends a bot's turn, for example when a file is dropped on the page. Returning to the tab restarts
    // the turn.
    if (state.tab === "play") addElapsedTime();
    else endTurn();
    renderSetup();
    renderPlay();
  });
  $("new-game").onclick = openSetup;
  $("begin").onclick = beginNewGame;
  $("undo").onclick = undo;
  $("redo").onclick = () => continueFrom(redoTarget());
  $("hint").onclick = () => hint().catch(reportError);
  $("resign").onclick = resign;
  $("pause").onclick = togglePause;
  $("rematch").onclick = () => startGame(newGame());
  $("switch-sides").onclick = () => {
    [gameSettings.black, gameSettings.white] = [gameSettings.white, gameSettings.black];
    startGame(newGame());
  };
  $("save-this").onclick = () => $("save").click();
  $("retry").onclick = beginTurn;
  $("take-over").onclick = takeOver;
  $("warning-back").onclick = () => continueFrom(undoTarget());
  $("warning-on").onclick = () => {
    dismissWarning(playedGame().node);
    beginTurn();
  };
  $("warnings").onchange = () => {
    gameSettings.warnings = $("warnings").value;
    emitChange();
  };
  $("pace").onchange = () => {
    gameSettings.pace = Number($("pace").value);
    emitChange();
  };
  setInterval(tick, 250);
}
