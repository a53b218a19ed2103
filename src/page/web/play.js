// The "Play" tab (`initPlay`): a game between persons and bots, with the turns of the bots, undo and redo, hints,
// clocks and resignation.

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
 * Attributes of the `<html>` element, into which the program that builds the page writes two numbers as text.
 * `data-levels`: number of the bot's strength levels; `data-level`: the default level.
 */
const { levels: LEVEL_COUNT, level: DEFAULT_LEVEL } = document.documentElement.dataset;

/**
 * Thinking times that the user can choose for a bot that searches for a fixed time instead of playing at a level, in
 * seconds per move.
 */
const THINKING_SECONDS = [1, 3, 10, 30];

/**
 * Time controls that the user can choose. `0` means no time control. `3` means 3 minutes per player for the whole game,
 * `3+2` the same with 2 more seconds for each move; `15s` means 15 seconds for each move. The other values are read in
 * the same way.
 */
const TIME_CONTROLS = ["0", "3", "3+2", "5", "5+5", "10", "20", "15s", "30s"];

/** Minimum durations of a bot's turn that the user can choose for a game between two bots, in seconds. */
const MIN_MOVE_SECONDS = [0, 0.5, 1, 2, 4];

/** Number of search iterations that determine the win-probability bar while a person is to move. */
const BAR_ITERATIONS = 20_000;

/** Duration of the search for a hint, in milliseconds. */
const HINT_MS = 1000;

/**
 * Settings of the game in the "Play" tab:
 * - `black`, `white`: who plays the colour: `person`, a bot's level such as `level-6`, or `time-3` for a bot that
 *   thinks for 3 seconds per move;
 * - `limit`: the time control, one of `TIME_CONTROLS`: `0` for none, or for example `3+2` for 3 minutes per player plus
 *   2 seconds per move;
 * - `pace`: minimum duration in seconds of each turn in a game between two bots;
 * - `warnings`: the mildest judgement of a person's move for which the page shows a warning; `none` for no warnings;
 * - `isPaused`: true while the bots wait until the user continues the game.
 */
export const gameSettings = { black: "person", white: hasEngine && canRun ? `level-${DEFAULT_LEVEL}` : "person", limit: "0", pace: 1, warnings: "none", isPaused: false };

/**
 * Number that changes whenever a turn begins or ends. Each bot's turn remembers the number: if it has changed when the
 * search returns, the turn has ended meanwhile, and the search's result is discarded.
 */
let turnNumber = 0;

/**
 * Message of the error that stopped the bot's search in the current turn; null if the search had no error.
 * @type {string | null}
 */
let engineError = null;

/**
 * The clock of the player who is thinking; null if no clock runs. `node` is the node at which this player is to move.
 * The node's field `spent` contains the thinking time, in milliseconds, up to the moment `since`, a time of
 * `performance.now()`.
 * @type {{ node: GameNode, since: number } | null}
 */
let runningClock = null;

const playedGame = () => state.games.play;
const playerKind = (/** @type {Player} */ player) => gameSettings[player];
const isPerson = (/** @type {Player} */ player) => playerKind(player) === "person";
const areBothPersons = () => isPerson("black") && isPerson("white");
const areBothBots = () => !isPerson("black") && !isPerson("white");
/** Tests if a person plays black and a bot plays white. */
const isPersonOnlyBlack = () => isPerson("black") && !isPerson("white");
/** Tests if the game in the "Play" tab is over, even if the board shows an earlier position. */
const isEnded = () => Boolean(playedGame().end);

/** Tests if the user may enter a move in the "Play" tab: the game is not over, and a person is to move. */
export const canPlay = () => !isEnded() && isPerson(playedGame().node.position.toMove);

/**
 * Tests if the user may step through the game in the "Play" tab: only if both players are persons or the game is over.
 */
export const canStepGame = () => isEnded() || areBothPersons();

// ---- A turn

/**
 * Plays a legal move in the "Play" tab for the side to move, and begins the next turn.
 * @param {string} move such as `c1 c6 f6`
 */
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
 * Plays a person's move in the "Play" tab. If other moves have been played after the shown position, the new move
 * replaces them. Before this is done in a game between two persons, the opponent must agree in a dialog; if the
 * opponent declines, returns to the latest position without playing the move.
 * @param {string} move such as `c1 c6 f6`
 */
export async function playPersonMove(move) {
  const { node } = playedGame();
  const [next] = node.children;
  if (isTurnOffered()) state.isTurned = false;
  if (!next || next.move === move || (await confirmTakeBack(node))) playMove(move);
  else goTo(nodeAt(lineThrough(node), Infinity));
}

/**
 * Tests if the page offers to turn the board by 180°. The page offers it if a person plays black against a bot, because
 * black's amazons begin at the top. The offer ends when the user has chosen an orientation of the board, or when the
 * game is over.
 */
const isTurnOffered = () => state.isTurned === null && isPersonOnlyBlack() && !isEnded();

/**
 * Begins the turn of the side to move in the current position. Starts the clock, unless a person is to make the first
 * move of the game. If a bot is to move, starts the search for its move; if a person is to move, starts the search for
 * the win-probability bar. If the game is over, does none of this.
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

/** Ends the current turn without a move, for example for an undo, and stops the running search. */
function abortTurn() {
  endTurn();
  engine.stop();
}

/**
 * Ends the current turn: stops the clock and removes the error message and the warning. Results of the turn's searches
 * that arrive later are ignored.
 */
function endTurn() {
  addElapsedTime();
  turnNumber += 1;
  runningClock = null;
  engineError = null;
  setWarning(null);
}

/**
 * Adds the time since the last call (or since the turn began) to the thinking time of the side to move. Does nothing if
 * no clock runs.
 */
export function addElapsedTime() {
  if (!runningClock) return;
  const now = performance.now();
  runningClock.node.spent += now - runningClock.since;
  runningClock = { node: playedGame().node, since: now };
}

/**
 * Starts a search of a position for the win-probability bar, with `BAR_ITERATIONS` iterations. If the user has hidden
 * the bar, runs one iteration only: it moves the root of the engine's search tree to this position, so that the bot's
 * next search can reuse the tree. Does nothing if the engine cannot run.
 * @param {GameNode} node the node with the position
 */
function searchForBar(node) {
  if (!hasEngine || !canRun) return;
  const iterations = state.shown.bar ? BAR_ITERATIONS : 1;
  engine.search({ position: node.position, candidates: 1, iterations }, findingsHandler(node)).then(findingsHandler(node), reportError);
}

/**
 * Returns a function that receives the results of searches at `node`: it stores the results in the node, and updates
 * the board if the board shows the node. It does not store results of 100 or fewer iterations, which are too uncertain,
 * unless the winner is proven.
 */
const findingsHandler = (node) => (findings) => {
  if (findings.iterations > 100 || findings.proven) node.findings = findings;
  if (state.tab === "play" && node === shownNode()) emitFindings();
};

/**
 * Shows the message of an engine's error to the user in a notice. Ignores `EngineTerminated`, the error after the page
 * itself has terminated the engine.
 */
function reportError(error) {
  if (!(error instanceof EngineTerminated)) notify(t("engineFailed", error.message));
}

/**
 * Searches and plays the bot's move at `node`. If the user's last move was a mistake and the user wants to be warned of it,
 * shows a warning instead. In a game between two bots, delays the move until the minimum duration of a turn is
 * over.
 * @param {GameNode} node the current node @param {number} number the value of `turnNumber` when the turn began
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
 * Shows a warning that the person's last move was bad. The bot does not move until the person takes the move back or
 * chooses to play on.
 * @param {import("./tree.js").Findings} mistake analysis of the person's move
 */
function waitForDecision(mistake) {
  endTurn();
  setWarning(mistake);
  emitChange();
}

/**
 * Lets a person play the colour of the side to move instead of the bot. The user can choose this after the engine has
 * failed.
 */
function takeOver() {
  gameSettings[playedGame().node.position.toMove] = "person";
  renderSettings();
  beginTurn();
}

/**
 * Chooses the bot's move in the position of a node, and returns a promise of the move, such as `c1 c6 f6`. A bot with a
 * thinking time searches for this time. A bot with a level searches with the limits of the level. At the weakest
 * levels, it does not search: it draws `sample_move` random legal moves, and plays the one with the best static
 * evaluation.
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

/**
 * Opens the dialog for a new game. The dialog warns the user if the current game is unfinished, because it will be
 * lost.
 */
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
 * Replaces the game in the "Play" tab by `game`, opens the tab, and begins the turn in the current position of `game`.
 * @param {import("./tree.js").Game} game
 */
export function startGame(game) {
  abortTurn();
  gameSettings.isPaused = false;
  game.isOwn = true;
  state.games.play = game;
  state.tab = "play";
  game.names = { black: null, white: null };
  beginTurn();
}

const isUnderWay = () => playedGame().root.children.length > 0 && !isEnded();

/**
 * Asks the user in a dialog if another game may replace the unfinished game in the "Play" tab. Returns a promise of the
 * answer. If the game is over or has no move yet, the answer is true without a question.
 */
export async function confirmReplace() {
  return !isUnderWay() || askUser(t("sureNew"), t("yes"), t("no"));
}

function applySetup() {
  Object.assign(gameSettings, { black: $("seat-black").value, white: $("seat-white").value, limit: $("limit").value });
}

/**
 * Returns the node to which the undo button goes back: the nearest earlier node at which a person is to move. In a game
 * between two bots, this is the previous node. Returns null if there is no such node.
 * @returns {GameNode | null}
 */
function undoTarget() {
  const before = pathTo(playedGame().node).slice(0, -1).reverse();
  return (areBothBots() ? before[0] : before.find(({ position }) => isPerson(position.toMove))) ?? null;
}

/**
 * In a game between two persons: the earlier node from which, after the latest question of the page, the other player
 * agreed to let the game continue. The page does not ask about the same node again. Null until a player has agreed.
 * @type {GameNode | null}
 */
let agreedTarget = null;

/**
 * Asks the opponent, in an unfinished game between two persons, if the game may continue from an earlier node. Returns
 * a promise of true if the opponent agrees, of false if not. In all other games, and if the opponent has agreed to the
 * same node before, it is a promise of true, without a question.
 * @param {GameNode} node
 */
async function confirmTakeBack(node) {
  if (!areBothPersons() || isEnded() || node === agreedTarget) return true;
  const [game, { toMove }] = [playedGame(), node.position];
  const isGranted = await askUser(t("takeBack", t(toMove), node.depth, t(opponentOf(toMove))), t("agree"), t("decline"));
  // A player may have lost on time, or the user may have opened another game, while the dialog was open.
  if (!isGranted || isEnded() || game !== playedGame()) return false;
  agreedTarget = node;
  return true;
}

async function undo() {
  const node = undoTarget();
  if (node && (await confirmTakeBack(node)) && isInGame(node)) continueFrom(node);
}

/**
 * Returns the node to which the redo button goes forward: the next node at which a person is to move, or the last node
 * if there is none. In a game between two bots, this is the next node. Returns null if no undone move follows the
 * current node.
 * @returns {GameNode | null}
 */
function redoTarget() {
  let node = playedGame().node.children[0] ?? null;
  while (node?.children.length && !areBothBots() && !isPerson(node.position.toMove)) node = node.children[0];
  return node;
}

/**
 * Makes another node of the game the current node, for an undo or a redo, and begins the turn of the side to move
 * there. Deletes the game's result, and pauses a game between two bots. Does nothing if `node` is null.
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

/** Ends the game in the "Play" tab with a loss of the side to move. @param {string} ending `resigned` or `time` */
function endGameWithLoss(ending) {
  const loser = playedGame().node.position.toMove;
  abortTurn();
  playedGame().end = { winner: opponentOf(loser), ending };
  playSound("end", 0);
  emitChange();
}

async function resign() {
  const number = turnNumber;
  const isSure = await askUser(t("sureResign"), t("yesResign"), t("no"));
  // If the side to move has lost on time while the dialog was open, the turn has ended and `turnNumber` has changed.
  // The game is then over, and the resignation is ignored.
  if (isSure && number === turnNumber) endGameWithLoss("resigned");
}

function togglePause() {
  gameSettings.isPaused = !gameSettings.isPaused;
  if (gameSettings.isPaused) abortTurn();
  beginTurn();
}

// ---- Clocks

/**
 * Parses one of `TIME_CONTROLS` to three numbers, each 0 if the time control does not contain it:
 * - `minutes`: minutes per player for the whole game;
 * - `increment`: additional seconds for each move;
 * - `perMove`: seconds for each move.
 * @param {string} clock such as `3+2`
 */
function parseTimeControl(clock) {
  const [first, increment = 0] = clock.split("+").map(parseFloat);
  return clock.endsWith("s") ? { minutes: 0, increment, perMove: first } : { minutes: first, increment, perMove: 0 };
}

/**
 * Returns the time in milliseconds that a player's clock shows. With a time control, this is the remaining time,
 * negative if it is exceeded. Without time control, it is the time that the player has used.
 * @param {Player} player
 */
function clockMs(player) {
  const { node } = playedGame();
  const turns = pathTo(node).filter(({ parent }) => parent?.position.toMove === player);
  const spent = node.position.toMove === player ? node.spent + (runningClock ? performance.now() - runningClock.since : 0) : 0;
  const used = turns.reduce((sum, { ms }) => sum + ms, spent);
  const { minutes, increment, perMove } = parseTimeControl(gameSettings.limit);
  if (perMove) return 1000 * perMove - spent;
  return minutes ? 60_000 * minutes + 1000 * increment * turns.length - used : used;
}

function renderClocks() {
  for (const player of /** @type {Player[]} */ (["black", "white"])) {
    setText($("clock-" + player), state.tab === "play" ? formatMinutes(Math.max(clockMs(player), 0)) : "");
  }
}

/**
 * Returns the displayed name of a time control in the page's language.
 * @param {string} clock one of `TIME_CONTROLS`, such as `3+2`
 */
function timeControlName(clock) {
  const { minutes, increment, perMove } = parseTimeControl(clock);
  if (perMove) return t("seconds", perMove);
  if (increment) return t("minutesAndMore", minutes, increment);
  return minutes ? t("minutesOf", minutes) : t("noLimit");
}

function tick() {
  if (state.tab !== "play") return;
  const mover = playedGame().node.position.toMove;
  if (gameSettings.limit !== "0" && runningClock && clockMs(mover) < 0) endGameWithLoss("time");
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
 * Returns the options for who plays a colour: a person, the bot at each of its levels, and the bot with each thinking
 * time. Each option is a pair. First: value for `gameSettings`; second: displayed name. Without an engine, a person is
 * the only option.
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
 * Returns the displayed name of the bot that plays a colour, such as `Level 6`; null if a person plays the colour.
 * @param {Player} player
 */
export function botName(player) {
  const [kind, number] = playerKind(player).split("-");
  return { level: t("level", number), time: t("seconds", number) }[kind] ?? null;
}

/**
 * Returns a player's name as game files contain it: `human` for a person, or for a bot its level, such as `level 6`, or
 * its thinking time per move, such as `3000 ms`.
 * @param {Player} player
 */
function recordedName(player) {
  const [kind, number] = playerKind(player).split("-");
  return { person: "human", level: `level ${number}`, time: `${1000 * Number(number)} ms` }[kind] ?? kind;
}

/**
 * Returns the names of both players as game files contain them: `human` for a person, or for a bot its level, such as
 * `level 6`, or its thinking time per move, such as `3000 ms`.
 * @returns {Record<Player, string>}
 */
export const recordedNames = () => ({ black: recordedName("black"), white: recordedName("white") });

/**
 * Returns the game's time control as SGF properties: `TM` (seconds per player for the whole game) and `OT` (text on the
 * time per move). Returns an empty list if the game has no time control.
 * @returns {[string, string[]][]}
 */
export function timeControlProperties() {
  const { minutes, increment, perMove } = parseTimeControl(gameSettings.limit);
  if (perMove) return [["TM", ["0"]], ["OT", [`${perMove} s a move`]]];
  const bonus = /** @type {[string, string[]][]} */ (increment ? [["OT", [`${increment} s more a move`]]] : []);
  return minutes ? [["TM", [String(60 * minutes)]], ...bonus] : [];
}

/**
 * Updates the panel on the end of the game: the winner, how the game ended, and after how many plies. The panel is
 * hidden until the game is over.
 */
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
  $("turn-offer").hidden = !isTurnOffered() || state.isNew;
  $("warnings-choice").hidden = isEnded();
  // "New game" is the highlighted (primary) button only before the first move: later it would discard the running game.
  // After an engine error it is not, because the message of the error has the button to press.
  $("new-game").classList.toggle("main", !playedGame().root.children.length && engineError === null);
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

/**
 * Fills the selection lists of the new-game dialog (players, time control, warnings, pace of two bots), in the page's
 * language.
 */
function renderSetup() {
  setOptions($("seat-black"), playerChoices());
  setOptions($("seat-white"), playerChoices());
  setOptions($("limit"), TIME_CONTROLS.map((clock) => [clock, timeControlName(clock)]));
  setOptions($("warnings"), warningOptions());
  setOptions($("pace"), MIN_MOVE_SECONDS.map((number) => [number, number ? t("paceOf", number) : t("fastest")]));
}

/**
 * Applies settings of the game in the "Play" tab that were loaded from the browser's storage. Keeps the present value
 * of each setting whose saved value is invalid, except `isPaused`, which then becomes false.
 * @param {any} known an object with the fields of `gameSettings`
 */
export function applyGameSettings(known) {
  const names = playerChoices().map(([name]) => name);
  for (const player of /** @type {Player[]} */ (["black", "white"])) gameSettings[player] = oneOf(names, known?.[player], gameSettings[player]);
  gameSettings.limit = oneOf(TIME_CONTROLS, known?.limit, gameSettings.limit);
  gameSettings.pace = oneOf(MIN_MOVE_SECONDS, known?.pace, gameSettings.pace);
  gameSettings.warnings = oneOf(WARNING_LEVELS, known?.warnings, gameSettings.warnings);
  gameSettings.isPaused = known?.isPaused === true;
}

/** Selects the current settings of the game (`gameSettings`) in the lists of the new-game dialog. */
export function renderSettings() {
  renderSetup();
  for (const player of /** @type {Player[]} */ (["black", "white"])) $("seat-" + player).value = gameSettings[player];
  [$("limit").value, $("pace").value, $("warnings").value] = [gameSettings.limit, String(gameSettings.pace), gameSettings.warnings];
}

/** Sets up the "Play" tab: updates the tab at every change of the state, and adds the event handlers of its buttons. */
export function initPlay() {
  onChange(() => {
    // In the "Play" tab, adds the elapsed time to the thinking time of the side to move. If the user has left the tab,
    // for example by dropping a file on the page, stops the clock and ignores the result of a running search for the
    // bot's move. Clock and search begin again when the user returns to the tab.
    if (state.tab === "play") addElapsedTime();
    else endTurn();
    renderSetup();
    renderPlay();
  });
  for (const [id, isTurned] of /** @type {[string, boolean][]} */ ([["turn-yes", true], ["turn-no", false]])) {
    $(id).onclick = () => {
      state.isTurned = isTurned;
      emitChange();
    };
  }
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
