// Entry point of the page: restores the saved state, sets up all parts, switches tabs and language, and saves every change.

import { $, queryAll, releaseLists, setText } from "./dom.js";
import { language, setLanguage, t } from "./texts.js";
import { isLegal, isOver } from "./rules.js";
import { cloneGame, gameFromAnalysis, gameFromMoves, getOrAddChild, mainLine, merge, movesTo, nodesOf } from "./tree.js";
import { decodeLink, encodeLink, msUntilAddressChange, setAddress } from "./link.js";
import { editStudy, emitChange, endExercises, game, goTo, onChange, openStudy, reopenStudy, shownNode, state } from "./state.js";
import { REPORT, deleteSaved, ensure, invalidNames, load, oneOf, packGame, save, unpackGame, unpackGames } from "./store.js";

/** @typedef {import("./tree.js").Game} Game */
import { cancelSelection, initInput, setHandlers } from "./input.js";
import { notify, showNotices } from "./notice.js";
import { initBoard } from "./board.js";
import { initCharts } from "./charts.js";
import { initMoves, isStepping } from "./moves.js";
import { initAnalysis } from "./analysis.js";
import { showFaults } from "./faults.js";
import { initBook } from "./book.js";
import { initReview, outcomeOf, review, titleOf } from "./review.js";
import { initLesson, isWaitingForMove, tryMove } from "./lesson.js";
import { beginLearning, canSolve, hasPuzzles, initLearn, trySolution } from "./learn.js";
import { beginStep, canTryStep, initPrimer, tryStep } from "./primer.js";
import { addElapsedTime, applyGameSettings, beginTurn, botName, canPlay, canStepGame, confirmReplace, gameSettings, initPlay, isPersonOnlyBlack, playPersonMove, recordedNames, renderSettings, startGame } from "./play.js";
import { initEditor, paint, reopenEditor } from "./editor.js";
import { initFiles, openLinkText } from "./files.js";
import { applyAppearance, initAppearance, savedAppearance } from "./appearance.js";
import { isBench, runBench } from "./bench.js";

const isReport = REPORT.length > 0;

// ---- Moves on the board

/** Tests if the user may enter a move on the board in the current tab. */
function canMove() {
  // A benchmark page saves nothing, so a game played there would be lost.
  if (isBench) return false;
  if (state.tab === "play") return canPlay();
  if (state.tab === "rules") return canTryStep();
  if (state.tab === "learn") return canSolve();
  return !state.editor && (!state.lesson || isWaitingForMove()) && !isOver(shownNode().position);
}

/**
 * Passes the user's move to the current tab, or to the lesson; in the "Study" tab, adds the move as a variation.
 * @param {string} move
 */
function enterMove(move) {
  if (state.tab === "play") playPersonMove(move);
  else if (state.tab === "rules") tryStep(move);
  else if (state.tab === "learn") trySolution(move);
  else if (state.lesson) tryMove(move);
  else {
    game().isOwn = true;
    editStudy(() => goTo(getOrAddChild(shownNode(), move)));
  }
}

/**
 * Plays the move in the text field, or opens the link in the text field: phones cannot paste a link onto the page.
 * @param {any} event
 */
function typeMove(event) {
  event.preventDefault();
  if (openLinkText($("typed").value.trim())) {
    $("typed").value = "";
    return;
  }
  const typed = $("typed").value.trim().toLowerCase().replace(/[^a-h1-8]+/g, " ").replace(/([a-h][1-8])(?=[a-h])/g, "$1 ");
  if (!canMove() || !isLegal(shownNode().position, typed)) {
    notify(t("illegal", $("typed").value));
    return;
  }
  $("typed").value = "";
  cancelSelection();
  enterMove(typed);
}

// ---- Tabs, language, headings

function openTab(tab) {
  if (tab === state.tab) return;
  endExercises();
  Object.assign(state, { tab, picked: [], hint: null });
  beginTab();
}

function beginTab() {
  if (state.tab === "play") beginTurn();
  else if (state.tab === "rules") beginStep(0);
  else if (state.tab === "learn") beginLearning();
  else goTo(shownNode());
}

/** Opens the "Play" tab after the lessons on the rules, and starts a game against the weakest bot unless a game has begun. */
function playFirst() {
  openTab("play");
  if (game().root.children.length) return;
  applyGameSettings({ ...gameSettings, white: "level-1" });
  renderSettings();
  beginTurn();
}

/** Opens a copy of the game in the "Play" tab in the "Study" tab, at the same position. */
function studyGame() {
  addElapsedTime();
  const copy = Object.assign(cloneGame(state.games.play), { names: recordedNames() });
  // If the same game is open already, no second copy is opened.
  const shapeOf = (/** @type {Game} */ one) => JSON.stringify([one.names, one.root.position, nodesOf(one).map(({ parent, move }) => [parent, move])]);
  openStudy(shapeOf(copy) === shapeOf(state.games.study) ? state.games.study : copy);
}

/** Starts a game in the "Play" tab from the position in the "Study" tab, with the moves that led to it. */
async function playFromHere() {
  const { root, node } = state.games.study;
  if (!(await confirmReplace())) return;
  const copy = gameFromMoves(movesTo(node), root.position);
  copy.node = mainLine(copy)[mainLine(copy).length - 1];
  startGame(copy);
}

function renderPage() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  document.body.dataset.tab = state.tab;
  for (const element of queryAll("[data-text]")) setText(element, t(element.dataset.text));
  for (const element of queryAll("[data-label]")) element.setAttribute("aria-label", t(element.dataset.label));
  for (const tab of ["play", "study", "learn", "rules"]) $("tab-" + tab).setAttribute("aria-pressed", String(tab === state.tab));
  const title = state.tab === "study" ? titleOf(game()) : t("page");
  document.title = title;
  setText($("title"), title);
  setText($("outcome"), outcomeOf(game()));
  for (const element of queryAll("[data-in]")) {
    element.hidden = element.dataset.in !== state.tab || Boolean(state.lesson || state.editor);
  }
  $("before").hidden = !state.previousStudy.length || state.tab !== "study";
  for (const name of Object.keys(state.shown)) $("show-" + name).setAttribute("aria-pressed", String(state.shown[name]));
  $("newcomer").hidden = !state.isNew || state.tab !== "play" || game().root.children.length > 0;
  $("show-best").hidden = state.tab === "play";
  $("legend").hidden = !state.shown.ownership;
}

// ---- Saving and restoring the state

let timer = 0;
let addressTimer = 0;
let wasRefused = false;

/**
 * The addresses that the page has set last, the newest first. Browsers store a changed address late: a reload soon after the
 * change may open the page with an older address.
 * @type {string[]}
 */
let recentAddresses = [];
const MAX_ADDRESSES = 8;

/**
 * How much is saved, depending on the browser's storage quota: all games with their analyses, all games without analyses, the
 * open games without the studies before, or only the games in the tabs.
 * @enum {number}
 */
const SCOPE = { ALL: 0, GAMES: 1, OPEN: 2, SHOWN: 3 };

let savedScope = SCOPE.ALL;

/** Fingerprint of the other open games at the last save, so that they are saved again only after a change. @type {any[]} */
let savedOthers = [];

/** The games whose room was measured last. @type {Game[]} */
let measured = [];

function saveAll() {
  clearTimeout(timer);
  timer = 0;
  addElapsedTime();
  const open = [state.games.study, ...state.collection, ...state.previousStudy.flatMap(({ game, collection }) => [game, ...collection])];
  if (open.length !== measured.length || open.some((one, at) => one !== measured[at])) savedScope = SCOPE.ALL;
  const before = savedScope;
  measured = open;
  let done = saveScope(savedScope);
  while (done.includes(false) && savedScope < SCOPE.SHOWN) {
    savedScope += 1;
    ["collection", "before"].forEach(deleteSaved);
    done = saveScope(savedScope);
  }
  const isRefused = done.includes(false);
  if (isRefused && !wasRefused) notify(t("notKept"));
  else if (savedScope > before) notify(t((/** @type {const} */ (["findingsNotKept", "beforeNotKept", "othersNotKept"]))[savedScope - 1]));
  wasRefused = isRefused;
}

/** Saves the state to the browser's storage; returns for each item whether it was saved. @param {SCOPE} scope how much to save */
function saveScope(scope) {
  const pack = (/** @type {Game} */ one) => packGame(one, scope === SCOPE.ALL);
  const done = [
    save("play", { game: pack(state.games.play), table: gameSettings }),
    save("options", { language: language(), shown: state.shown, thinks: state.isAnalysing, lines: state.lineCount, tab: state.tab, isNew: state.isNew, ...savedAppearance() }),
  ];
  if (isReport) return done;
  const { study } = state.games;
  done.push(save("study", pack(study)), save("address", [location.hash, ...recentAddresses]), save("editor", state.editor));
  const others = state.collection.map((one) => (one === study ? null : one));
  const stamp = [scope, ...done, ...state.previousStudy, ...others.map((one) => one && (one.summary ?? one))];
  if (stamp.length === savedOthers.length && stamp.every((part, at) => part === savedOthers[at])) return done;
  savedOthers = stamp;
  const packStudy = ({ game, collection }) =>
    ({ at: collection.indexOf(game), games: [game, ...collection.filter((other) => other !== game)].map(pack) });
  done.push(save("before", scope < SCOPE.OPEN ? state.previousStudy.map(packStudy) : []),
    save("collection", scope < SCOPE.SHOWN ? others.map((one) => one && pack(one)) : []));
  return done;
}

/** Updates the address, and schedules a save in 150 ms (debounced: further changes until then need no save of their own). */
function scheduleSave() {
  if (isBench) return;
  timer ||= window.setTimeout(saveAll, 150);
  updateAddress();
}

/**
 * Puts a link to the game in the "Study" tab into the page's address. Changes are throttled, because browsers limit them and a
 * drag along the curve makes many.
 */
function updateAddress() {
  const link = state.tab === "study" ? encodeLink(game()) : "";
  const [hash, seen] = [link && `#${link}`, location.hash];
  clearTimeout(addressTimer);
  if (seen === hash) return;
  if (msUntilAddressChange()) {
    // If the user has opened another address during the delay, the address is not overwritten.
    addressTimer = window.setTimeout(() => location.hash === seen && scheduleSave(), msUntilAddressChange());
    return;
  }
  recentAddresses = [hash, ...recentAddresses].slice(0, MAX_ADDRESSES);
  setAddress(hash);
}

/**
 * Opens the game in the page's address. Returns false if the address holds no game. If the game is already open, its analysis
 * and variations are kept.
 * @param {string[]} own addresses that stand for the saved study
 */
function openAddress(own = []) {
  const linked = decodeLink(location.hash);
  if (!linked) return false;
  const movesOf = (one) => movesTo(mainLine(one)[mainLine(one).length - 1]).join();
  const isSame = (known) => movesOf(known) === movesOf(linked) &&
    known.root.position.cells === linked.root.position.cells && known.root.position.toMove === linked.root.position.toMove;
  if ([...own, `#${encodeLink(state.games.study)}`].includes(location.hash)) openStudy(state.games.study);
  else {
    const known = [...state.collection, state.games.study].find(isSame);
    if (known) merge(known, linked);
    openStudy(known ?? Object.assign(linked, { isOwn: true }));
  }
  return true;
}

/** Returns the addresses that stand for the saved study: the last one, and after a reload also the ones before. */
function ownAddresses() {
  recentAddresses = load("address", (known) => known.map(String)) ?? [];
  const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return arrival?.type === "reload" ? recentAddresses : recentAddresses.slice(0, 1);
}

function restoreState() {
  // A report that is opened for the first time uses the settings of the ordinary page.
  setLanguage(navigator.language);
  const tab = load("options", applySettings) ?? (isReport ? load("options", applySettings, "") : null);
  state.isNew ||= tab === null;
  state.games.play = load("play", ({ table: seats, game: packed }) => {
    const game = unpackGame(packed);
    applyGameSettings(seats);
    return game;
  }) ?? state.games.play;
  state.isFlipped ??= !isReport && isPersonOnlyBlack();
  if (isReport) {
    state.collection = REPORT.map(gameFromAnalysis);
    state.games.study = state.collection[0];
    state.tab = "study";
    return;
  }
  state.games.study = load("study", unpackGame) ?? state.games.study;
  state.collection = (load("collection", unpackGames) ?? []).map((one) => one ?? state.games.study);
  state.previousStudy = load("before", unpackStudies) ?? [];
  state.tab = tab === "learn" && !hasPuzzles ? "play" : (tab ?? "play");
}

/**
 * Unpacks the studies to which the user can return. Of each study, the shown game is stored first; `at` is its index among the
 * games opened together, or -1.
 * @param {any} saved
 */
function unpackStudies(saved) {
  return ensure(saved, Array.isArray(saved)).map(({ at, games }) => {
    const [game, ...collection] = games.map(unpackGame);
    if (at >= 0) collection.splice(at, 0, game);
    return { game: ensure(game, game), collection };
  });
}

/**
 * Applies saved settings; an invalid value is replaced by the default. Returns the name of the saved tab.
 * @param {any} options
 */
function applySettings(options) {
  setLanguage(oneOf(["en", "zh"], options.language, language()));
  for (const name of Object.keys(state.shown)) state.shown[name] = oneOf([true, false], options.shown?.[name], state.shown[name]);
  state.isNew = oneOf([true, false], options.isNew, false);
  state.isAnalysing = oneOf([true, false], options.thinks, state.isAnalysing);
  state.lineCount = oneOf([1, 2, 3, 4, 5], options.lines, state.lineCount);
  applyAppearance(options);
  return /** @type {typeof state.tab} */ (oneOf(["play", "study", "learn", "rules"], options.tab, "play"));
}

// ---- Event handlers and start

function addHandlers() {
  releaseLists();
  setHandlers({ canMove, move: enterMove, edit: paint, steps: isStepping });
  initInput();
  $("type-move").onsubmit = typeMove;
  $("tab-play").onclick = () => openTab("play");
  $("tab-study").onclick = () => openTab("study");
  $("tab-learn").onclick = () => openTab("learn");
  for (const id of ["tab-rules", "newcomer-rules"]) $(id).onclick = () => openTab("rules");
  $("newcomer-no").onclick = () => {
    state.isNew = false;
    emitChange();
  };
  $("study-this").onclick = studyGame;
  $("review-this").onclick = () => {
    studyGame();
    review();
  };
  $("play-this").onclick = playFromHere;
  $("before").onclick = reopenStudy;
  for (const name of Object.keys(state.shown)) {
    $("show-" + name).onclick = () => {
      state.shown[name] = !state.shown[name];
      emitChange();
    };
  }
  for (const element of queryAll("[data-language]")) {
    element.onclick = () => {
      setLanguage(element.dataset.language);
      emitChange();
    };
  }
  addEventListener("hashchange", () => {
    if (/^#bench/.test(location.hash)) location.reload();
    if (!openAddress()) emitChange();
  });
  if (!isBench) addEventListener("pagehide", saveAll);
}

restoreState();
initBoard(botName);
initMoves(() => state.tab === "study" || (state.tab === "play" && canStepGame()));
initAnalysis();
showFaults();
initBook();
initCharts();
initReview();
initLesson();
initPrimer(playFirst);
initLearn();
initPlay();
initEditor();
initFiles();
showNotices();
initAppearance();
onChange(renderPage);
onChange(scheduleSave);
renderSettings();
addHandlers();
// On a web host, the service worker of offline.js makes the page work offline. If it cannot be registered, the page works
// online.
if (document.querySelector("link[rel=manifest]")) navigator.serviceWorker?.register("offline.js").catch(() => {});
if (isBench) {
  state.isAnalysing = false;
  emitChange();
  runBench();
} else {
  if (!openAddress(ownAddresses())) beginTab();
  if (state.tab === "study") reopenEditor(load("editor", (editor) => editor));
  if (invalidNames.length) notify(t("misfit", invalidNames.join(t("and"))));
}
