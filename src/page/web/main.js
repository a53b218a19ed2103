// Entry point of the page: restores the saved state, sets up all parts, switches tabs and language, and saves every change.

import { $, all, releaseLists, setText } from "./elements.js";
import { language, say, setLanguage } from "./words.js";
import { isLegal, isOver } from "./rules.js";
import { analysedGame, child, copyOf, gameOf, mainLine, merge, movesTo, nodesOf } from "./tree.js";
import { gameOfLink, linkOf, setAddress, untilAddress } from "./link.js";
import { changed, editStudy, endExercises, game, goTo, onChange, openStudy, reopenStudy, shownNode, state } from "./state.js";
import { REPORT, checked, deleteValue, invalidEntries, loadValue, oneOf, packGame, saveValue, unpackGame, unpackGames } from "./store.js";

/** @typedef {import("./tree.js").Game} Game */
import { handlePicks, listenToBoard, release } from "./picking.js";
import { notify, showNotices } from "./notice.js";
import { showBoard } from "./board.js";
import { showCurve } from "./curve.js";
import { isStepping, showMoves } from "./moves.js";
import { showLines } from "./lines.js";
import { showFaults } from "./faults.js";
import { showBook } from "./book.js";
import { outcomeOf, review, showReview, titleOf } from "./review.js";
import { isAsking, showLesson, tryMove } from "./lesson.js";
import { beginLearning, mayLearn, maySolve, showLearn, trySolution } from "./learn.js";
import { beginStep, mayTry, showPrimer, tryStep } from "./primer.js";
import { beginTurn, isBlackAlone, mayPlay, mayReplace, mayStepGame, noteTime, playOwn, seat, seatCalled, seatNames, showPlay, showTable, start, table } from "./play.js";
import { paint, reopenEditor, showEditor } from "./editor.js";
import { openLinkIn, showFiles } from "./files.js";
import { look, setLook, showLook } from "./look.js";
import { isBench, runBench } from "./bench.js";

const isReport = REPORT.length > 0;

// ---- Moves on the board

/** Tests if the user may enter a move on the board in the current tab. */
function mayMove() {
  // A benchmark page saves nothing, so a game played there would be lost.
  if (isBench) return false;
  if (state.tab === "play") return mayPlay();
  if (state.tab === "rules") return mayTry();
  if (state.tab === "learn") return maySolve();
  return !state.editor && (!state.lesson || isAsking()) && !isOver(shownNode().position);
}

/**
 * Passes the user's move to the current tab, or to the lesson; in the "Study" tab, adds the move as a variation.
 * @param {string} move
 */
function move(move) {
  if (state.tab === "play") playOwn(move);
  else if (state.tab === "rules") tryStep(move);
  else if (state.tab === "learn") trySolution(move);
  else if (state.lesson) tryMove(move);
  else {
    game().isOwn = true;
    editStudy(() => goTo(child(shownNode(), move)));
  }
}

/**
 * Plays the move in the text field, or opens the link in the text field: phones cannot paste a link onto the page.
 * @param {any} event
 */
function typeMove(event) {
  event.preventDefault();
  if (openLinkIn($("typed").value.trim())) {
    $("typed").value = "";
    return;
  }
  const typed = $("typed").value.trim().toLowerCase().replace(/[^a-h1-8]+/g, " ").replace(/([a-h][1-8])(?=[a-h])/g, "$1 ");
  if (!mayMove() || !isLegal(shownNode().position, typed)) {
    notify(say("illegal", $("typed").value));
    return;
  }
  $("typed").value = "";
  release();
  move(typed);
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
  seat({ ...table, white: "level-1" });
  showTable();
  beginTurn();
}

/** Opens a copy of the game in the "Play" tab in the "Study" tab, at the same position. */
function studyGame() {
  noteTime();
  const copy = Object.assign(copyOf(state.games.play), { names: seatNames() });
  // If the same game is open already, no second copy is opened.
  const shapeOf = (/** @type {Game} */ one) => JSON.stringify([one.names, one.root.position, nodesOf(one).map(({ parent, move }) => [parent, move])]);
  openStudy(shapeOf(copy) === shapeOf(state.games.study) ? state.games.study : copy);
}

/** Starts a game in the "Play" tab from the position in the "Study" tab, with the moves that led to it. */
async function playFromHere() {
  const { root, node } = state.games.study;
  if (!(await mayReplace())) return;
  const copy = gameOf(movesTo(node), root.position);
  copy.node = mainLine(copy)[mainLine(copy).length - 1];
  start(copy);
}

function renderPage() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  document.body.dataset.tab = state.tab;
  for (const element of all("[data-text]")) setText(element, say(element.dataset.text));
  for (const element of all("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
  for (const tab of ["play", "study", "learn", "rules"]) $("tab-" + tab).setAttribute("aria-pressed", String(tab === state.tab));
  const title = state.tab === "study" ? titleOf(game()) : say("page");
  document.title = title;
  setText($("title"), title);
  setText($("outcome"), outcomeOf(game()));
  for (const element of all("[data-in]")) {
    element.hidden = element.dataset.in !== state.tab || Boolean(state.lesson || state.editor);
  }
  $("before").hidden = !state.before.length || state.tab !== "study";
  for (const name of Object.keys(state.shown)) $("show-" + name).setAttribute("aria-pressed", String(state.shown[name]));
  $("newcomer").hidden = !state.isNew || state.tab !== "play" || game().root.children.length > 0;
  $("show-best").hidden = state.tab === "play";
  $("legend").hidden = !state.shown.ownership;
}

// ---- Saving and restoring the state

let timer = 0;
let addressTimer = 0;
let isComplaining = false;

/**
 * The addresses that the page has set last, the newest first. Browsers store a changed address late: a reload soon after the
 * change may open the page with an older address.
 * @type {string[]}
 */
let addresses = [];
const MAX_ADDRESSES = 8;

/**
 * How much is saved, depending on the browser's storage quota: all games with their analyses, all games without analyses, the
 * open games without the studies before, or only the games in the tabs.
 * @enum {number}
 */
const ROOM = { ALL: 0, GAMES: 1, OPEN: 2, SHOWN: 3 };

let room = ROOM.ALL;

/** Fingerprint of the other open games at the last save, so that they are saved again only after a change. @type {any[]} */
let savedFingerprint = [];

/** The games whose room was measured last. @type {Game[]} */
let measured = [];

function saveAll() {
  clearTimeout(timer);
  timer = 0;
  noteTime();
  const open = [state.games.study, ...state.collection, ...state.before.flatMap(({ game, collection }) => [game, ...collection])];
  if (open.length !== measured.length || open.some((one, at) => one !== measured[at])) room = ROOM.ALL;
  const before = room;
  measured = open;
  let done = saveState(room);
  while (done.includes(false) && room < ROOM.SHOWN) {
    room += 1;
    ["collection", "before"].forEach(deleteValue);
    done = saveState(room);
  }
  const isRefused = done.includes(false);
  if (isRefused && !isComplaining) notify(say("notKept"));
  else if (room > before) notify(say((/** @type {const} */ (["findingsNotKept", "beforeNotKept", "othersNotKept"]))[room - 1]));
  isComplaining = isRefused;
}

/** Saves the state to the browser's storage; returns for each item whether it was saved. @param {ROOM} room how much to save */
function saveState(room) {
  const packed = (/** @type {Game} */ one) => packGame(one, room === ROOM.ALL);
  const done = [
    saveValue("play", { game: packed(state.games.play), table }),
    saveValue("options", { language: language(), shown: state.shown, thinks: state.thinks, lines: state.lines, tab: state.tab, isNew: state.isNew, ...look() }),
  ];
  if (isReport) return done;
  const { study } = state.games;
  done.push(saveValue("study", packed(study)), saveValue("address", [location.hash, ...addresses]), saveValue("editor", state.editor));
  const others = state.collection.map((one) => (one === study ? null : one));
  const stamp = [room, ...done, ...state.before, ...others.map((one) => one && (one.summary ?? one))];
  if (stamp.length === savedFingerprint.length && stamp.every((part, at) => part === savedFingerprint[at])) return done;
  savedFingerprint = stamp;
  const packStudy = ({ game, collection }) =>
    ({ at: collection.indexOf(game), games: [game, ...collection.filter((one) => one !== game)].map(packed) });
  done.push(saveValue("before", room < ROOM.OPEN ? state.before.map(packStudy) : []),
    saveValue("collection", room < ROOM.SHOWN ? others.map((one) => one && packed(one)) : []));
  return done;
}

/** Updates the address, and schedules a save in 150 ms (debounced: further changes until then need no save of their own). */
function remember() {
  if (isBench) return;
  timer ||= window.setTimeout(saveAll, 150);
  renderAddress();
}

/**
 * Puts a link to the game in the "Study" tab into the page's address. Changes are throttled, because browsers limit them and a
 * drag along the curve makes many.
 */
function renderAddress() {
  const link = state.tab === "study" ? linkOf(game()) : "";
  const [hash, seen] = [link && `#${link}`, location.hash];
  clearTimeout(addressTimer);
  if (seen === hash) return;
  if (untilAddress()) {
    // If the user has opened another address during the delay, the address is not overwritten.
    addressTimer = window.setTimeout(() => location.hash === seen && remember(), untilAddress());
    return;
  }
  addresses = [hash, ...addresses].slice(0, MAX_ADDRESSES);
  setAddress(hash);
}

/**
 * Opens the game in the page's address. Returns false if the address holds no game. If the game is already open, its analysis
 * and variations are kept.
 * @param {string[]} own addresses that stand for the saved study
 */
function openLink(own = []) {
  const linked = gameOfLink(location.hash);
  if (!linked) return false;
  const movesOf = (one) => movesTo(mainLine(one)[mainLine(one).length - 1]).join();
  const isSame = (known) => movesOf(known) === movesOf(linked) &&
    known.root.position.cells === linked.root.position.cells && known.root.position.toMove === linked.root.position.toMove;
  if ([...own, `#${linkOf(state.games.study)}`].includes(location.hash)) openStudy(state.games.study);
  else {
    const known = [...state.collection, state.games.study].find(isSame);
    if (known) merge(known, linked);
    openStudy(known ?? Object.assign(linked, { isOwn: true }));
  }
  return true;
}

/** Returns the addresses that stand for the saved study: the last one, and after a reload also the ones before. */
function ownAddresses() {
  addresses = loadValue("address", (known) => known.map(String)) ?? [];
  const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return arrival?.type === "reload" ? addresses : addresses.slice(0, 1);
}

function recall() {
  // A report that is opened for the first time uses the settings of the ordinary page.
  setLanguage(navigator.language);
  const tab = loadValue("options", setOptions) ?? (isReport ? loadValue("options", setOptions, "") : null);
  state.isNew ||= tab === null;
  state.games.play = loadValue("play", ({ table: seats, game: packed }) => {
    const game = unpackGame(packed);
    seat(seats);
    return game;
  }) ?? state.games.play;
  state.isFlipped ??= !isReport && isBlackAlone();
  if (isReport) {
    state.collection = REPORT.map(analysedGame);
    state.games.study = state.collection[0];
    state.tab = "study";
    return;
  }
  state.games.study = loadValue("study", unpackGame) ?? state.games.study;
  state.collection = (loadValue("collection", unpackGames) ?? []).map((one) => one ?? state.games.study);
  state.before = loadValue("before", unpackStudies) ?? [];
  state.tab = tab === "learn" && !mayLearn ? "play" : (tab ?? "play");
}

/**
 * Unpacks the studies to which the user can return. Of each study, the shown game is stored first; `at` is its index among the
 * games opened together, or -1.
 * @param {any} saved
 */
function unpackStudies(saved) {
  return checked(saved, Array.isArray(saved)).map(({ at, games }) => {
    const [game, ...collection] = games.map(unpackGame);
    if (at >= 0) collection.splice(at, 0, game);
    return { game: checked(game, game), collection };
  });
}

/**
 * Applies saved settings; an invalid value is replaced by the default. Returns the name of the saved tab.
 * @param {any} options
 */
function setOptions(options) {
  setLanguage(oneOf(["en", "zh"], options.language, language()));
  for (const name of Object.keys(state.shown)) state.shown[name] = oneOf([true, false], options.shown?.[name], state.shown[name]);
  state.isNew = oneOf([true, false], options.isNew, false);
  state.thinks = oneOf([true, false], options.thinks, state.thinks);
  state.lines = oneOf([1, 2, 3, 4, 5], options.lines, state.lines);
  setLook(options);
  return /** @type {typeof state.tab} */ (oneOf(["play", "study", "learn", "rules"], options.tab, "play"));
}

// ---- Event handlers and start

function listen() {
  releaseLists();
  handlePicks({ may: mayMove, move, edit: paint, steps: isStepping });
  listenToBoard();
  $("type-move").onsubmit = typeMove;
  $("tab-play").onclick = () => openTab("play");
  $("tab-study").onclick = () => openTab("study");
  $("tab-learn").onclick = () => openTab("learn");
  for (const id of ["tab-rules", "newcomer-rules"]) $(id).onclick = () => openTab("rules");
  $("newcomer-no").onclick = () => {
    state.isNew = false;
    changed();
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
      changed();
    };
  }
  for (const element of all("[data-language]")) {
    element.onclick = () => {
      setLanguage(element.dataset.language);
      changed();
    };
  }
  addEventListener("hashchange", () => {
    if (/^#bench/.test(location.hash)) location.reload();
    if (!openLink()) changed();
  });
  if (!isBench) addEventListener("pagehide", saveAll);
}

recall();
showBoard(seatCalled);
showMoves(() => state.tab === "study" || (state.tab === "play" && mayStepGame()));
showLines();
showFaults();
showBook();
showCurve();
showReview();
showLesson();
showPrimer(playFirst);
showLearn();
showPlay();
showEditor();
showFiles();
showNotices();
showLook();
onChange(renderPage);
onChange(remember);
showTable();
listen();
// On a web host, the service worker of offline.js makes the page work offline. If it cannot be registered, the page works
// online.
if (document.querySelector("link[rel=manifest]")) navigator.serviceWorker?.register("offline.js").catch(() => {});
if (isBench) {
  state.thinks = false;
  changed();
  runBench();
} else {
  if (!openLink(ownAddresses())) beginTab();
  if (state.tab === "study") reopenEditor(loadValue("editor", (editor) => editor));
  if (invalidEntries.length) notify(say("misfit", invalidEntries.join(say("and"))));
}
