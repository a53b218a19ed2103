// Entry point of the page: restores the saved state, sets up all parts, switches tabs and language, and saves every
// change.

import { $, queryAll, releaseListFocus, setText } from "./dom.js";
import { language, setLanguage, t } from "./texts.js";
import { isLegal, isOver } from "./rules.js";
import { cloneGame, gameFromAnalysis, gameFromMoves, getOrAddChild, mainLine, merge, movesTo, recordNodes } from "./tree.js";
import { decodeLink, encodeLink, msUntilAddressChange, setAddress } from "./link.js";
import { editStudy, emitChange, endExercises, game, goTo, onChange, openStudy, reopenStudy, shownNode, state } from "./state.js";
import { REPORT, deleteSaved, ensure, invalidNames, load, loadGames, markChanged, oneOf, packGame, save, saveGames, unpackGame } from "./store.js";

import { cancelSelection, initInput, setHandlers } from "./input.js";
import { hideNotice, notify, initNotices } from "./notice.js";
import { initBoard } from "./board.js";
import { initCharts } from "./charts.js";
import { initMoves, isStepping } from "./moves.js";
import { initAnalysis } from "./analysis.js";
import { initFaults } from "./faults.js";
import { initBook } from "./book.js";
import { initNotes } from "./notes.js";
import { initGames } from "./games.js";
import { gameTitle, initReview, outcomeText, review } from "./review.js";
import { initLesson, isWaitingForMove, tryMove } from "./lesson.js";
import { beginLearning, canSolve, showsLearnTab, initLearn, trySolution } from "./learn.js";
import { beginStep, canTryStep, initPrimer, tryStep } from "./primer.js";
import { addElapsedTime, applyGameSettings, beginTurn, botName, canPlay, canStepGame, confirmReplace, gameSettings, initPlay, playPersonMove, recordedNames, renderSettings, startGame } from "./play.js";
import { initEditor, paint, reopenEditor } from "./editor.js";
import { initFiles, openLinkText } from "./files.js";
import { applyAppearance, initAppearance, savedAppearance } from "./appearance.js";
import { isBench, runBench } from "./bench.js";

/** @typedef {import("./tree.js").Game} Game */

/** True if the page is a report: it contains analysed games that `amazons analyze --html` has written into it. */
const isReport = REPORT.length > 0;

// ---- Moves on the board

/**
 * Tests if the user may enter a move for the shown position. This depends on the open tab and, in the "Study" tab, on
 * the position editor, the running lesson and whether the game is over.
 */
function canMove() {
  // In a page opened for the benchmark, the user cannot enter moves. Such a page saves nothing, so a game played in it
  // would be lost.
  if (isBench) return false;
  if (state.tab === "play") return canPlay();
  if (state.tab === "rules") return canTryStep();
  if (state.tab === "learn") return canSolve();
  return !state.editor && (!state.lesson || isWaitingForMove()) && !isOver(shownNode().position);
}

/**
 * Handles a move that the user has entered on the board or as text: plays it in the game, tutorial or puzzle of the
 * open tab. In the "Study" tab, plays it in the running lesson, or else adds it to the game.
 * @param {string} move such as `c1 c6 f6`
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
 * Handles the text that the user has typed into the text field: plays the move or opens the link. The field accepts
 * links because phones cannot paste a link onto the page itself.
 * @param {any} event the `submit` event of the form
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

/**
 * Opens a tab of the page: `play`, `study`, `learn` or `rules`. Ends a running lesson and closes the position editor.
 * Does nothing if the tab is open already.
 */
function openTab(tab) {
  if (tab === state.tab) return;
  endExercises();
  hideNotice();
  Object.assign(state, { tab, picked: [], hint: null });
  beginTab();
}

/**
 * Starts the newly opened tab. "Play": begins the turn of the side to move. "Rules": begins the first step of the
 * tutorial. "Learn": shows the current puzzle; if there is none, because the tab is opened for the first time, chooses
 * one. "Study": shows the current position.
 */
function beginTab() {
  if (state.tab === "play") beginTurn();
  else if (state.tab === "rules") beginStep(0);
  else if (state.tab === "learn") beginLearning();
  else goTo(shownNode());
}

/**
 * Opens the "Play" tab after the tutorial, with a game against a bot of level 1. If a game with at least one move is
 * there already, keeps that game.
 */
function playFirst() {
  openTab("play");
  if (game().root.children.length) return;
  applyGameSettings({ ...gameSettings, white: "level-1" });
  renderSettings();
  beginTurn();
}

/**
 * Opens a copy of the game of the "Play" tab in the "Study" tab, at the same position. If the game in the "Study" tab
 * has the same names, start position and moves already, keeps that game with its analysis.
 */
function studyGame() {
  addElapsedTime();
  const copy = Object.assign(cloneGame(state.games.play), { names: recordedNames() });
  // Returns a text that describes a game, for comparison: two games have the same text if their players' names, start
  // positions, moves and variations are equal.
  const shapeOf = (/** @type {Game} */ one) => JSON.stringify([one.names, one.root.position, recordNodes(one).map(({ parent, move }) => [parent, move])]);
  openStudy(shapeOf(copy) === shapeOf(state.games.study) ? state.games.study : copy);
}

/**
 * Starts a game in the "Play" tab that continues from the current position of the "Study" tab. If the game in the
 * "Play" tab is unfinished, first asks the user.
 */
async function playFromHere() {
  const { root, node } = state.games.study;
  if (!(await confirmReplace())) return;
  const copy = gameFromMoves(movesTo(node), root.position);
  copy.node = mainLine(copy)[mainLine(copy).length - 1];
  startGame(copy);
}

/** Names of the panels of the "Study" tab. One of them is shown below the win-probability curve. */
const STUDY_PANELS = /** @type {const} */ (["review", "games", "book", "notes", "file"]);

/**
 * Updates the parts of the page that no other module updates: the texts in the page's language, the buttons of the
 * tabs, the title, the game's result, and which panels are visible.
 */
function renderPage() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  document.body.dataset.tab = state.tab;
  for (const element of queryAll("[data-text]")) setText(element, t(element.dataset.text));
  for (const element of queryAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.dataset.label));
    if (element.matches("button")) element.title = t(element.dataset.label);
  }
  for (const tab of ["play", "study", "learn", "rules"]) $("tab-" + tab).setAttribute("aria-pressed", String(tab === state.tab));
  const title = state.tab === "study" ? gameTitle(game()) : t("page");
  document.title = title;
  setText($("title"), title);
  setText($("outcome"), outcomeText(game(), state.tab === "play" ? t("running") : ""));
  for (const element of queryAll("[data-in]")) {
    element.hidden = element.dataset.in !== state.tab || Boolean(state.lesson || state.editor);
  }
  // The attribute `data-shown-room` names the panel that the style sheet shows in the "Study" tab. In print, the style
  // sheet shows all panels.
  document.body.dataset.shownRoom = state.panel;
  for (const element of queryAll("[data-room]")) {
    element.hidden = state.tab === "study" ? Boolean(state.lesson || state.editor) : element.id !== "files";
  }
  for (const panel of STUDY_PANELS) $("room-" + panel).setAttribute("aria-pressed", String(panel === state.panel));
  $("before").hidden = !state.previousStudy.length || state.tab !== "study";
  for (const name of Object.keys(state.shown)) $("show-" + name).setAttribute("aria-pressed", String(state.shown[name]));
  $("newcomer").hidden = !state.isNew || state.tab !== "play" || game().root.children.length > 0;
  $("show-best").hidden = state.tab === "play";
  $("legend").hidden = !state.shown.ownership;
}

// ---- Saving and restoring the state

/** Id of the timer that will call `saveAll`; 0 if no save is scheduled. */
let saveTimer = 0;
/**
 * Id of the latest timer for a delayed update of the page's URL; 0 if there was none yet. `updateAddress` starts the
 * timer, and cancels it if it is called again before the timer expires.
 */
let addressTimer = 0;
/**
 * True if the last save failed although the page reduced it to the least possible (`SCOPE.SHOWN`). The user is notified
 * only when this value changes to true.
 */
let hadSaveError = false;

/**
 * The hashes (parts from `#` on) that the page has recently set in its address, at most `MAX_RECENT_HASHES`, the latest
 * first. They are kept because browsers record a changed address with a delay, so that a reload may open the page with
 * an earlier hash.
 * @type {string[]}
 */
let recentHashes = [];
/**
 * Maximum length of `recentHashes`, the list of URL fragments that the page has set most recently. If the URL has one
 * of these fragments after a reload, the page shows its saved game.
 */
const MAX_RECENT_HASHES = 8;

/**
 * How much is saved, from most to least. The page saves less if the browser's storage is full.
 * - `ALL`: all games, with their analyses;
 * - `GAMES`: all games, without analyses;
 * - `OPEN`: the current games of the "Play" and "Study" tabs and the games table, without analyses. The earlier games
 *   of the "Study" tab, to which its back button returns (`state.previousStudy`), are not saved.
 * - `SHOWN`: only the current game of the "Play" tab and that of the "Study" tab, without analyses.
 * @enum {number}
 */
const SCOPE = { ALL: 0, GAMES: 1, OPEN: 2, SHOWN: 3 };

/**
 * How much of the page's state the last save included: one of `SCOPE`. If the storage is full, the page saves again
 * with the next `SCOPE`, which includes less. After the list of open games has changed, the page tries `ALL` again.
 */
let savedScope = SCOPE.ALL;

/**
 * Cache key of the last write of `state.previousStudy` (the earlier games of the "Study" tab) to the browser's storage.
 * Writing these games is slow, so a save whose key has the same elements skips them. Elements, in this order:
 * - the scope of the save (one of `SCOPE`);
 * - five booleans: whether the browser accepted the values `play`, `options`, `study`, `address` and `editor`, which
 *   the same save has just written;
 * - the elements of `state.previousStudy`.
 * @type {any[]}
 */
let lastSavedStudies = [];

/**
 * All games that were open in the "Study" tab at the last call of `saveAll`: the current game, the games of the games
 * table, and the earlier games. If the open games differ at the next call, `savedScope` is reset to `ALL`.
 * @type {Game[]}
 */
let lastOpenGames = [];

/**
 * Saves the state of the page to the browser's storage. If the storage is full, saves less (see `SCOPE`) and notifies
 * the user.
 */
function saveAll() {
  clearTimeout(saveTimer);
  saveTimer = 0;
  addElapsedTime();
  const open = [state.games.study, ...state.collection, ...state.previousStudy.flatMap(({ game, collection }) => [game, ...collection])];
  if (open.length !== lastOpenGames.length || open.some((one, at) => one !== lastOpenGames[at])) savedScope = SCOPE.ALL;
  const before = savedScope;
  lastOpenGames = open;
  let done = saveScope(savedScope);
  while (done.includes(false) && savedScope < SCOPE.SHOWN) {
    savedScope += 1;
    ["collection", "before"].forEach(deleteSaved);
    state.collection.forEach(markChanged);
    done = saveScope(savedScope);
  }
  const hasSaveError = done.includes(false);
  if (hasSaveError && !hadSaveError) notify(t("notKept"));
  else if (savedScope > before) notify(t((/** @type {const} */ (["findingsNotKept", "beforeNotKept", "othersNotKept"]))[savedScope - 1]));
  hadSaveError = hasSaveError;
}

/**
 * Saves the state of the page to the browser's storage: settings, games, and the hashes of the page's latest addresses.
 * Returns one boolean for each attempt to save a value, in the order of saving: true if the browser accepted the value,
 * false if it rejected the value, for example because the storage is full.
 * @param {SCOPE} scope how much to save
 */
function saveScope(scope) {
  const pack = (/** @type {Game} */ one) => packGame(one, scope === SCOPE.ALL);
  const done = [
    save("play", { game: pack(state.games.play), table: gameSettings }),
    save("options", { language: language(), shown: state.shown, thinks: state.isAnalysing, lines: state.candidateCount, tab: state.tab, room: state.panel, isNew: state.isNew, ...savedAppearance() }),
  ];
  if (isReport) return done;
  const { study } = state.games;
  done.push(save("study", pack(study)), save("address", [location.hash, ...recentHashes]), save("editor", state.editor));
  markChanged(study);
  const studies = [scope, ...done, ...state.previousStudy];
  const others = state.collection.map((one) => (one === study ? null : one));
  done.push(...saveGames("collection", scope < SCOPE.SHOWN ? others : [], scope === SCOPE.ALL));
  if (studies.length === lastSavedStudies.length && studies.every((part, at) => part === lastSavedStudies[at])) return done;
  lastSavedStudies = studies;
  const packStudy = ({ game, collection }) =>
    ({ at: collection.indexOf(game), games: [game, ...collection.filter((other) => other !== game)].map(pack) });
  done.push(save("before", scope < SCOPE.OPEN ? state.previousStudy.map(packStudy) : []));
  return done;
}

/**
 * Updates the page's address, and schedules `saveAll` in 150 ms. Changes of the state during this time are saved
 * together.
 */
function scheduleSave() {
  if (isBench) return;
  saveTimer ||= window.setTimeout(saveAll, 150);
  updateAddress();
}

/**
 * Writes a link to the game of the "Study" tab into the page's address. If the last change of the address was less than
 * `ADDRESS_INTERVAL_MS` ago, tries again later: a drag along the win-probability curve changes the position often, but
 * browsers limit the changes of the address.
 */
function updateAddress() {
  const link = state.tab === "study" ? encodeLink(game()) : "";
  const [hash, seen] = [link && `#${link}`, location.hash];
  clearTimeout(addressTimer);
  if (seen === hash) return;
  if (msUntilAddressChange()) {
    // When the timer expires, `scheduleSave` calls this function again. But if `location.hash` is no longer `seen`, the
    // user has opened another link meanwhile; the page then leaves the new URL as it is.
    addressTimer = window.setTimeout(() => location.hash === seen && scheduleSave(), msUntilAddressChange());
    return;
  }
  recentHashes = [hash, ...recentHashes].slice(0, MAX_RECENT_HASHES);
  setAddress(hash);
}

/**
 * Opens the game in the fragment (the part from `#` on) of the page's URL in the "Study" tab. Returns false if the
 * fragment contains no game, else true. There are three cases:
 * - The fragment is in `savedHashes`, or is the link to the tab's current game: shows the tab's current game unchanged.
 * - Otherwise, if an open game has the same start position and main line: adds the fragment's variations to that game,
 *   and shows it with its analysis.
 * - Otherwise: shows the fragment's game as a new game.
 * @param {string[]} savedHashes fragments for which the tab's current game is shown (see `hashesOfSavedGame`)
 */
function openAddress(savedHashes = []) {
  const linked = decodeLink(location.hash);
  if (!linked) return false;
  const movesOf = (one) => movesTo(mainLine(one)[mainLine(one).length - 1]).join();
  const isSame = (known) => movesOf(known) === movesOf(linked) &&
    known.root.position.cells === linked.root.position.cells && known.root.position.toMove === linked.root.position.toMove;
  if ([...savedHashes, `#${encodeLink(state.games.study)}`].includes(location.hash)) openStudy(state.games.study);
  else {
    const known = [...state.collection, state.games.study].find(isSame);
    if (known) merge(known, linked);
    openStudy(known ?? Object.assign(linked, { isOwn: true }));
  }
  return true;
}

/**
 * Loads `recentHashes`, and returns the URL fragments for which the page shows the saved game of the "Study" tab. The
 * page does not decode these fragments, because they lack the game's analysis. After a reload, returns all of
 * `recentHashes`, because the browser may load the page with an earlier fragment than the latest. Otherwise returns
 * only the latest fragment.
 */
function hashesOfSavedGame() {
  recentHashes = load("address", (known) => known.map(String)) ?? [];
  const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return arrival?.type === "reload" ? recentHashes : recentHashes.slice(0, 1);
}

/**
 * Restores the state of the page from the browser's storage. If the page is a report (a page with analysed games that
 * `amazons analyze --html` has written), restores only the settings and the game of the "Play" tab. The "Study" tab
 * then shows the report's games.
 */
function restoreState() {
  setLanguage(navigator.language);
  // A report is a page that `amazons analyze --html` has written. If the report has saved no settings of its own, it
  // uses the settings that the ordinary page has saved in this browser.
  const tab = load("options", applySettings) ?? (isReport ? load("options", applySettings, "") : null);
  state.isNew ||= tab === null;
  state.games.play = load("play", ({ table: seats, game: packed }) => {
    const game = unpackGame(packed);
    applyGameSettings(seats);
    return game;
  }) ?? state.games.play;
  if (isReport) {
    state.collection = REPORT.map(gameFromAnalysis);
    state.games.study = state.collection[0];
    if (state.collection.length > 1) state.panel = "games";
    state.tab = "study";
    return;
  }
  state.games.study = load("study", unpackGame) ?? state.games.study;
  state.collection = loadGames("collection").map((one) => one ?? state.games.study);
  state.previousStudy = load("before", unpackStudies) ?? [];
  state.tab = tab === "learn" && !showsLearnTab ? "play" : (tab ?? "play");
}

/**
 * Converts the saved list of earlier games of the "Study" tab back to the form of `state.previousStudy`. In each saved
 * element, the list `games` contains first the game that the tab showed, and then the other games of the games table.
 * The number `at` is the index (from 0) of the shown game in the table; −1 if the shown game was not in the table.
 * @param {any} saved throws an error if this is invalid
 */
function unpackStudies(saved) {
  return ensure(saved, Array.isArray(saved)).map(({ at, games }) => {
    const [game, ...collection] = games.map(unpackGame);
    if (at >= 0) collection.splice(at, 0, game);
    return { game: ensure(game, game), collection };
  });
}

/**
 * Applies settings from the browser's storage, with defaults for invalid values. Returns the name of the tab that was
 * open when they were saved.
 * @param {any} options the saved object
 */
function applySettings(options) {
  setLanguage(oneOf(["en", "zh"], options.language, language()));
  for (const name of Object.keys(state.shown)) state.shown[name] = oneOf([true, false], options.shown?.[name], state.shown[name]);
  state.isNew = oneOf([true, false], options.isNew, false);
  state.isAnalysing = oneOf([true, false], options.thinks, state.isAnalysing);
  state.candidateCount = oneOf([1, 2, 3, 4, 5], options.lines, state.candidateCount);
  state.panel = oneOf([...STUDY_PANELS], options.room, state.panel);
  applyAppearance(options);
  return /** @type {typeof state.tab} */ (oneOf(["play", "study", "learn", "rules"], options.tab, "play"));
}

// ---- Event handlers and start

/**
 * Adds the event handlers of the board's input, of the tabs' buttons, and of all other elements for which no other
 * module is responsible.
 */
function addHandlers() {
  releaseListFocus();
  setHandlers({ canMove, enterMove, editSquare: paint, isStepping });
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
  for (const panel of STUDY_PANELS) {
    $("room-" + panel).onclick = () => {
      state.panel = panel;
      emitChange();
    };
  }
  $("review-this").onclick = () => {
    state.panel = "review";
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
initFaults();
initBook();
initNotes();
initCharts();
initReview();
initGames();
initLesson();
initPrimer(playFirst);
initLearn();
initPlay();
initEditor();
initFiles();
initNotices();
initAppearance();
onChange(renderPage);
onChange(scheduleSave);
renderSettings();
addHandlers();
// Only the page that is built for a web host has a manifest and a service worker. If the service worker cannot be
// registered, the page works but needs a network.
if (document.querySelector("link[rel=manifest]")) navigator.serviceWorker?.register("offline.js").catch(() => {});
if (isBench) {
  state.isAnalysing = false;
  emitChange();
  runBench();
} else {
  if (!openAddress(hashesOfSavedGame())) beginTab();
  if (state.tab === "study") reopenEditor(load("editor", (editor) => editor));
  if (invalidNames.length) notify(t("misfit", invalidNames.join(t("and"))));
}
