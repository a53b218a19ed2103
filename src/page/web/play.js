// The "Play" tab: a game between persons and bots, with the bots' moves, undo and redo, hints, clocks and resigning.

import { $, minutes, setOptions, setText } from "./elements.js";
import { say, sayEnding } from "./words.js";
import { Ended, canRun, engine, hasEngine } from "./engine.js";
import { changed, found, goTo, nodeAt, onChange, shownNode, state } from "./state.js";
import { isOver, legalMoves, other } from "./rules.js";
import { child, isThere, lineOver, newGame, pathTo, promote } from "./tree.js";
import { oneOf } from "./store.js";
import { sound } from "./sounds.js";
import { asked, notify } from "./notice.js";
import { WARNINGS, accept, isWarning, mistakeBefore, renderWarning, warn, warnings } from "./teach.js";

/** @typedef {import("./rules.js").Player} Player */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** Number of the bot's levels, and the default level; the packer writes them into attributes of the page. */
const { levels: LEVELS, level: LEVEL } = document.documentElement.dataset;

/** Choices of thinking time, in seconds per move, for a bot at full strength. */
const SECONDS = [1, 3, 10, 30];

/**
 * Choices of time control: none (`0`), minutes per player (`3`), with a bonus in seconds per move (`3+2`), seconds per move
 * (`15s`).
 */
const CLOCKS = ["0", "3", "3+2", "5", "5+5", "10", "20", "15s", "30s"];

/** Choices of the minimum duration of a move, in seconds, if two bots play each other. */
const PACES = [0, 0.5, 1, 2, 4];

/** Number of search iterations for the win-probability bar while a person is to move. */
const BAR_ITERATIONS = 20_000;

/** Search time for a hint, in milliseconds. */
const HINT_MS = 1000;

/**
 * Settings of the game: who plays each colour (`person`, `level-6`, or `time-3` for three seconds per move), the time control,
 * the minimum seconds per move between two bots, which mistakes the bot warns of, and whether the bots are paused.
 */
export const table = { black: "person", white: hasEngine && canRun ? `level-${LEVEL}` : "person", limit: "0", pace: 1, warnings: "none", isPaused: false };

/** Number of the current turn; a search result of an earlier turn is discarded. */
let turnNumber = 0;

/** Message of the error that stopped the bot's search, or null if there was no error. @type {string | null} */
let failure = null;

/**
 * The position whose clock runs and the time when it was started, in milliseconds of `performance.now()`; null while clocks are
 * stopped.
 * @type {{ node: GameNode, since: number } | null}
 */
let running = null;

const playing = () => state.games.play;
const seatOf = (/** @type {Player} */ player) => table[player];
const isPerson = (/** @type {Player} */ player) => seatOf(player) === "person";
const arePersons = () => isPerson("black") && isPerson("white");
const areBots = () => !isPerson("black") && !isPerson("white");
/** Tests if a person plays black against a bot; black is then at the bottom of the board. */
export const isBlackAlone = () => isPerson("black") && !isPerson("white");
/** Tests if the game is over, even if the board shows an earlier position. */
const isEnded = () => Boolean(playing().end);

/** Tests if the game is not over and a person is to move. */
export const mayPlay = () => !isEnded() && isPerson(playing().node.position.toMove);

/** Tests if the user may step through the game: only if no bot takes part or the game is over. */
export const mayStepGame = () => isEnded() || arePersons();

// ---- A turn

/** Plays a move for the side to move and begins the next turn. @param {string} move */
export function playMove(move) {
  leaveTurn();
  const game = playing();
  const node = child(game.node, move);
  [node.ms, game.node.spent] = [game.node.spent, 0];
  promote(node);
  game.isOwn = true;
  game.node = node;
  beginTurn();
}

/**
 * Plays a person's move. In an earlier position, the move replaces the later moves; an opponent at the same screen must agree
 * first.
 * @param {string} move
 */
export async function playOwn(move) {
  const { node } = playing();
  const [next] = node.children;
  if (!next || next.move === move || (await mayTakeBack(node))) playMove(move);
  else goTo(nodeAt(lineOver(node), Infinity));
}

/**
 * Begins the turn in the current position: starts the clock and the search for the bot's move, or for the win-probability bar.
 */
export function beginTurn() {
  leaveTurn();
  const number = turnNumber;
  const { node } = playing();
  if (isOver(node.position)) playing().end ??= { winner: other(node.position.toMove), ending: "no move" };
  const isBegun = node.depth > 0 || !isPerson(node.position.toMove);
  running = isEnded() || table.isPaused || !isBegun ? null : { node, since: performance.now() };
  if (state.tab === "play") goTo(node);
  else changed();
  if (isEnded()) return;
  if (isPerson(node.position.toMove)) judge(node);
  else if (!table.isPaused) answer(node, number);
}

/** Ends the turn without a move, for example before an undo, and stops the search. */
function suspend() {
  leaveTurn();
  engine.stop();
}

/** Ends the turn: stops the clock, clears error and warning, and discards later search results of this turn. */
function leaveTurn() {
  noteTime();
  turnNumber += 1;
  running = null;
  failure = null;
  warn(null);
}

/** Adds the elapsed time to the position whose clock runs, and continues the clock for the current position. */
export function noteTime() {
  if (!running) return;
  const now = performance.now();
  running.node.spent += now - running.since;
  running = { node: playing().node, since: now };
}

/**
 * Searches the position for the win-probability bar. If the bar is hidden, one iteration keeps the search tree at the current
 * position.
 */
function judge(node) {
  if (!hasEngine || !canRun) return;
  const iterations = state.shown.bar ? BAR_ITERATIONS : 1;
  engine.think({ position: node.position, candidates: 1, iterations }, progressListener(node)).then(progressListener(node), complain);
}

const progressListener = (node) => (findings) => {
  if (findings.iterations > 100 || findings.proven) node.found = findings;
  if (state.tab === "play" && node === shownNode()) found();
};

function complain(error) {
  if (!(error instanceof Ended)) notify(say("engineFailed", error.message));
}

/** Lets the bot choose its move and plays it, after the warning and the minimum duration if they apply. */
async function answer(node, number) {
  const begun = performance.now();
  const isWanted = () => number === turnNumber && !table.isPaused;
  try {
    const mistake = isPerson(other(node.position.toMove)) && (await mistakeBefore(node, table.warnings).catch(() => null));
    if (!isWanted()) return;
    if (mistake) {
      wait(mistake);
      return;
    }
    const move = await choose(node);
    const rest = areBots() ? 1000 * table.pace - (performance.now() - begun) : 0;
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    if (isWanted()) playMove(move);
  } catch (error) {
    if (!isWanted()) return;
    leaveTurn();
    failure = error.message;
    changed();
  }
}

/**
 * Shows a warning about a person's mistake; the bot waits until the person takes the move back or plays on.
 * @param {import("./tree.js").Findings} mistake
 */
function wait(mistake) {
  leaveTurn();
  warn(mistake);
  changed();
}

/** Lets a person play on for the bot that is to move, after the engine has failed. */
function takeOver() {
  table[playing().node.position.toMove] = "person";
  showTable();
  beginTurn();
}

/** Returns the bot's move in a position, by its level or its thinking time. @param {GameNode} node */
async function choose(node) {
  const [kind, number] = seatOf(node.position.toMove).split("-");
  const method = kind === "time" ? { ms: 1000 * Number(number) } : await engine.ask({ ask: "level", level: Number(number) });
  if (method.sample_move) {
    const seen = await engine.sampleMove(node.position, method.sample_move, Math.floor(Math.random() * 2 ** 32));
    if (seen) return seen;
  }
  const ms = node.depth < 2 && method.first_ms ? method.first_ms : method.ms;
  const task = { position: node.position, candidates: 1, ms, iterations: method.iterations, afresh: Boolean(method.iterations) };
  const findings = await engine.think(task, progressListener(node));
  progressListener(node)(findings);
  return findings.candidates[0]?.move ?? legalMoves(node.position)[0];
}

// ---- Handlers of the buttons

/** Opens the dialog for a new game; warns if the current game is unfinished and would be lost. */
function openSetup() {
  showTable();
  $("setup-note").hidden = !isUnderWay();
  $("begin").textContent = say(isUnderWay() ? "yes" : "begin");
  $("setup").showModal();
}

function begin() {
  seatAsChosen();
  start(newGame());
}

/**
 * Makes a game the current game of the "Play" tab and continues it at its current position.
 * @param {import("./tree.js").Game} game
 */
export function start(game) {
  suspend();
  table.isPaused = false;
  game.isOwn = true;
  state.games.play = game;
  state.tab = "play";
  state.isFlipped = isBlackAlone();
  game.names = { black: null, white: null };
  beginTurn();
}

const isUnderWay = () => playing().root.children.length > 0 && !isEnded();

/** Tests if a new game may replace the current game; asks the user if an unfinished game would be lost. */
export async function mayReplace() {
  return !isUnderWay() || asked(say("sureNew"), say("yes"), say("no"));
}

function seatAsChosen() {
  Object.assign(table, { black: $("seat-black").value, white: $("seat-white").value, limit: $("limit").value });
}

/**
 * Returns the target of an undo: the last earlier position with a person to move, or null if there is none.
 * @returns {GameNode | null}
 */
function undone() {
  const before = pathTo(playing().node).slice(0, -1).reverse();
  return (areBots() ? before[0] : before.find(({ position }) => isPerson(position.toMove))) ?? null;
}

/** The earlier position to which the opponent (a person) has agreed to go back, or null. @type {GameNode | null} */
let granted = null;

/**
 * Tests if a person may go back to a position and play on; in a game between two persons, asks the opponent.
 * @param {GameNode} node
 */
async function mayTakeBack(node) {
  if (!arePersons() || isEnded() || node === granted) return true;
  const [game, { toMove }] = [playing(), node.position];
  const isGranted = await asked(say("takeBack", say(toMove), node.depth, say(other(toMove))), say("agree"), say("decline"));
  // While the dialog was open, the time may have run out.
  if (!isGranted || isEnded() || game !== playing()) return false;
  granted = node;
  return true;
}

async function undo() {
  const node = undone();
  if (node && (await mayTakeBack(node)) && isThere(node)) continueFrom(node);
}

/**
 * Returns the target of a redo: the next position with a person to move, or the line's last position; null if there is none.
 * @returns {GameNode | null}
 */
function redone() {
  let node = playing().node.children[0] ?? null;
  while (node?.children.length && !areBots() && !isPerson(node.position.toMove)) node = node.children[0];
  return node;
}

/** Continues the game from another of its positions, after an undo or redo. @param {GameNode | null} node */
function continueFrom(node) {
  if (!node) return;
  suspend();
  table.isPaused = areBots();
  Object.assign(playing(), { end: null, node });
  beginTurn();
}

async function hint() {
  const { node } = playing();
  setText($("status"), say("thinking", say("engine")));
  const findings = await engine.think({ position: node.position, candidates: 1, ms: HINT_MS });
  if (node !== playing().node || state.tab !== "play" || state.picked.length) return;
  node.found = findings;
  state.hint = findings.candidates[0]?.move ?? null;
  changed();
}

/** Ends the game as lost by the side to move. @param {string} ending the reason: `resigned` or `time` */
function lose(ending) {
  const loser = playing().node.position.toMove;
  suspend();
  playing().end = { winner: other(loser), ending };
  sound("end", 0);
  changed();
}

async function resign() {
  const number = turnNumber;
  const isSure = await asked(say("sureResign"), say("yesResign"), say("no"));
  // While the dialog was open, the time may have run out.
  if (isSure && number === turnNumber) lose("resigned");
}

function pauseOrGo() {
  table.isPaused = !table.isPaused;
  if (table.isPaused) suspend();
  beginTurn();
}

// ---- Clocks

/**
 * Parses a time control such as `3+2`: `limit` in minutes per player, bonus `more` and time `each` in seconds per move.
 * @param {string} clock
 */
function parseTimeControl(clock) {
  const [first, more = 0] = clock.split("+").map(parseFloat);
  return clock.endsWith("s") ? { limit: 0, more, each: first } : { limit: first, more, each: 0 };
}

/** Returns a player's remaining milliseconds, or the used milliseconds if there is no time limit. @param {Player} player */
function clockOf(player) {
  const { node } = playing();
  const turns = pathTo(node).filter(({ parent }) => parent?.position.toMove === player);
  const spent = node.position.toMove === player ? node.spent + (running ? performance.now() - running.since : 0) : 0;
  const used = turns.reduce((sum, { ms }) => sum + ms, spent);
  const { limit, more, each } = parseTimeControl(table.limit);
  if (each) return 1000 * each - spent;
  return limit ? 60_000 * limit + 1000 * more * turns.length - used : used;
}

function renderClocks() {
  for (const player of /** @type {Player[]} */ (["black", "white"])) {
    setText($("clock-" + player), state.tab === "play" ? minutes(Math.max(clockOf(player), 0)) : "");
  }
}

/** Returns the name of a time control in the page's language. @param {string} clock such as `3+2` */
function clockName(clock) {
  const { limit, more, each } = parseTimeControl(clock);
  if (each) return say("seconds", each);
  if (more) return say("minutesAndMore", limit, more);
  return limit ? say("minutesOf", limit) : say("noLimit");
}

function tick() {
  if (state.tab !== "play") return;
  const mover = playing().node.position.toMove;
  if (table.limit !== "0" && running && clockOf(mover) < 0) lose("time");
  renderClocks();
}

// ---- Display

function status() {
  const { node, end } = playing();
  const mover = node.position.toMove;
  if (end) return say("wins", say(end.winner), sayEnding(end.ending, say(other(end.winner))));
  if (isWarning()) return say("botWaits");
  if (failure !== null) return say("engineFailed", failure);
  if (!isPerson(mover)) return table.isPaused ? say("paused") : say("thinking", say(mover));
  if (state.hint) return say("namely", say("hint"), state.hint);
  return [say("yourTurn", say("toMove", say(mover))), say("chooseTo"), say("chooseArrow")][state.picked.length];
}

/** Returns the choices of who plays a colour: pairs of value and name. Without an engine, only a person can play. */
function seats() {
  const person = ["person", say("person")];
  if (!hasEngine || !canRun) return [person];
  const level = (number) => {
    const name = say("level", number);
    return number === 1 ? say("levelFirst", name) : number === Number(LEVELS) ? say("levelLast", name) : name;
  };
  const levels = Array.from({ length: Number(LEVELS) }, (_, at) => [`level-${at + 1}`, level(at + 1)]);
  return [person, ...levels, ...SECONDS.map((number) => [`time-${number}`, say("seconds", number)])];
}

/**
 * Returns the name of the bot that plays a colour (its level or thinking time), or null for a person.
 * @param {Player} player
 */
export function seatCalled(player) {
  const [kind, number] = seatOf(player).split("-");
  return { level: say("level", number), time: say("seconds", number) }[kind] ?? null;
}

/** Returns the name of who plays a colour, as records have it: `human`, `level 6` or `3000 ms`. @param {Player} player */
function seatName(player) {
  const [kind, number] = seatOf(player).split("-");
  return { person: "human", level: `level ${number}`, time: `${1000 * Number(number)} ms` }[kind] ?? kind;
}

/** Returns the players' names as records have them, such as `human` and `level 6`. @returns {Record<Player, string>} */
export const seatNames = () => ({ black: seatName("black"), white: seatName("white") });

/** Returns the time control as SGF properties (`TM`, `OT`). @returns {[string, string[]][]} */
export function timeControl() {
  const { limit, more, each } = parseTimeControl(table.limit);
  if (each) return [["TM", ["0"]], ["OT", [`${each} s a move`]]];
  const bonus = /** @type {[string, string[]][]} */ (more ? [["OT", [`${more} s more a move`]]] : []);
  return limit ? [["TM", [String(60 * limit)]], ...bonus] : [];
}

/** Updates the panel that names the winner and the reason after the end of a game. */
function renderEnd() {
  const { end, node } = playing();
  $("ended").hidden = !end || state.tab !== "play";
  $("status").classList.toggle("spoken", Boolean(end));
  if (!end) return;
  setText($("ended-who"), say("won", say(end.winner)));
  const { depth } = nodeAt(lineOver(node), Infinity);
  setText($("ended-why"), say("endedAfter", sayEnding(end.ending, say(other(end.winner))), depth));
  $("save-this").hidden = $("save").hidden;
}

function renderPlay() {
  $("playing").hidden = state.tab !== "play";
  renderEnd();
  $("failure").hidden = state.tab !== "play" || failure === null;
  renderWarning();
  renderClocks();
  if (state.tab !== "play") return;
  setText($("status"), status());
  const isTurn = mayPlay();
  $("undo").disabled = !undone();
  $("redo").disabled = !redone();
  $("hint").hidden = !hasEngine || !canRun || isEnded();
  $("hint").disabled = !isTurn;
  $("resign").disabled = areBots() || !isTurn;
  $("resign").hidden = isEnded();
  $("pause").hidden = isEnded() || arePersons();
  $("pace-choice").hidden = !areBots();
  $("pause").textContent = say(table.isPaused ? "go" : "pause");
}

/** Fills the choices of the new-game dialog, in the current language. */
function renderSetup() {
  setOptions($("seat-black"), seats());
  setOptions($("seat-white"), seats());
  setOptions($("limit"), CLOCKS.map((clock) => [clock, clockName(clock)]));
  setOptions($("warnings"), warnings());
  setOptions($("pace"), PACES.map((number) => [number, number ? say("paceOf", number) : say("fastest")]));
}

/** Applies saved settings of the game; an invalid value is replaced by the default. @param {any} known */
export function seat(known) {
  const names = seats().map(([name]) => name);
  for (const player of /** @type {Player[]} */ (["black", "white"])) table[player] = oneOf(names, known?.[player], table[player]);
  table.limit = oneOf(CLOCKS, known?.limit, table.limit);
  table.pace = oneOf(PACES, known?.pace, table.pace);
  table.warnings = oneOf(WARNINGS, known?.warnings, table.warnings);
  table.isPaused = known?.isPaused === true;
}

/** Selects the current settings of the game in the new-game dialog. */
export function showTable() {
  renderSetup();
  for (const player of /** @type {Player[]} */ (["black", "white"])) $("seat-" + player).value = table[player];
  [$("limit").value, $("pace").value, $("warnings").value] = [table.limit, String(table.pace), table.warnings];
}

/** Sets up the "Play" tab: updates it at every change and adds the event handlers of its buttons. */
export function showPlay() {
  onChange(() => {
    // Opening another tab ends a bot's turn, for example when a file is dropped on the page. The turn restarts with the "Play"
    // tab.
    if (state.tab === "play") noteTime();
    else leaveTurn();
    renderSetup();
    renderPlay();
  });
  $("new-game").onclick = openSetup;
  $("begin").onclick = begin;
  $("undo").onclick = undo;
  $("redo").onclick = () => continueFrom(redone());
  $("hint").onclick = () => hint().catch(complain);
  $("resign").onclick = resign;
  $("pause").onclick = pauseOrGo;
  $("rematch").onclick = () => start(newGame());
  $("switch-sides").onclick = () => {
    [table.black, table.white] = [table.white, table.black];
    start(newGame());
  };
  $("save-this").onclick = () => $("save").click();
  $("retry").onclick = beginTurn;
  $("take-over").onclick = takeOver;
  $("warning-back").onclick = () => continueFrom(undone());
  $("warning-on").onclick = () => {
    accept(playing().node);
    beginTurn();
  };
  $("warnings").onchange = () => {
    table.warnings = $("warnings").value;
    changed();
  };
  $("pace").onchange = () => {
    table.pace = Number($("pace").value);
    changed();
  };
  setInterval(tick, 250);
}
