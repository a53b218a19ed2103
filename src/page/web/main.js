// The page: what it opens with, its tabs, its language, and what it keeps.

import { $, all, setText } from "./elements.js";
import { language, say, speak } from "./words.js";
import { isLegal, isOver } from "./rules.js";
import { analysedGame, child, copyOf, gameOf, mainLine, merge, movesTo } from "./tree.js";
import { gameOfLink, linkOf, setAddress, untilAddress } from "./link.js";
import { changed, endExercises, game, goTo, onChange, openStudy, shownNode, state } from "./state.js";
import { REPORT, drop, keep, kept, misfits, oneOf, packGame, unpackGame, unpackGames } from "./store.js";
import { handlePicks, listenToBoard, release } from "./picking.js";
import { notify } from "./notice.js";
import { showBoard } from "./board.js";
import { showCurve } from "./curve.js";
import { showMoves } from "./moves.js";
import { showLines } from "./lines.js";
import { showBook } from "./book.js";
import { outcomeOf, review, showReview, titleOf } from "./review.js";
import { isAsking, showLesson, tryMove } from "./lesson.js";
import { beginLearning, mayLearn, maySolve, showLearn, trySolution } from "./learn.js";
import { beginStep, mayTry, showPrimer, tryStep } from "./primer.js";
import { beginTurn, isBlackAlone, mayPlay, mayReplace, mayStepGame, noteTime, playOwn, seat, seatCalled, seatNames, showPlay, showTable, start, table } from "./play.js";
import { paint, showEditor } from "./editor.js";
import { openLinkIn, showFiles } from "./files.js";
import { look, setLook, showLook } from "./look.js";
import { isBench, runBench } from "./bench.js";

const isReport = REPORT.length > 0;

// ---- Moves on the board

/** Tests if the user may choose a move on the board. */
function mayMove() {
  if (state.tab === "play") return mayPlay();
  if (state.tab === "rules") return mayTry();
  if (state.tab === "learn") return maySolve();
  return !state.editor && (!state.lesson || isAsking()) && !isOver(shownNode().position);
}

/** Plays a move of the user: in the game, in the lesson, or as a variation. @param {string} move */
function move(move) {
  if (state.tab === "play") playOwn(move);
  else if (state.tab === "rules") tryStep(move);
  else if (state.tab === "learn") trySolution(move);
  else if (state.lesson) tryMove(move);
  else {
    game().isOwn = true;
    goTo(child(shownNode(), move));
  }
}

/** Plays the move that was typed. Where nothing can be pasted, as on a telephone, a link is typed here, too. */
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

/** Leaves the rules for a first game against the weakest bot, unless another game is under way. */
function playFirst() {
  openTab("play");
  if (game().root.children.length) return;
  seat({ ...table, white: "level-1" });
  showTable();
  beginTurn();
}

/** Studies the game that is played, at its position. */
function studyGame() {
  noteTime();
  openStudy(Object.assign(copyOf(state.games.play), { names: seatNames() }));
}

/** Plays on from the position that is studied. */
async function playFromHere() {
  if (!(await mayReplace())) return;
  const { root, node } = state.games.study;
  const copy = gameOf(movesTo(node), root.position);
  copy.node = mainLine(copy)[mainLine(copy).length - 1];
  start(copy);
}

function tellPage() {
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
  $("before").hidden = !state.before || state.tab !== "study";
  for (const name of Object.keys(state.shown)) $("show-" + name).setAttribute("aria-pressed", String(state.shown[name]));
  $("newcomer").hidden = !state.isNew || state.tab !== "play" || game().root.children.length > 0;
  $("show-best").hidden = state.tab === "play";
  $("legend").hidden = !state.shown.ownership;
}

// ---- What the browser keeps

let timer = 0;
let addressTimer = 0;
let isComplaining = false;

/**
 * The addresses that the page has written last, the newest first. The browser learns of them late: a reload just after one
 * may come back with one before. @type {string[]}
 */
let addresses = [];
const MOST_ADDRESSES = 8;

/** What is kept, from all of it to the games that are shown alone: as much as the browser takes. @enum {number} */
const ROOM = { ALL: 0, GAMES: 1, SHOWN: 2 };

let room = ROOM.ALL;

/** What was kept of the games that lie open beside the study: none of them changes but by a review. @type {any[]} */
let beside = [];

function keepAll() {
  clearTimeout(timer);
  timer = 0;
  noteTime();
  const before = room;
  let done = keepAs(room);
  while (done.includes(false) && room < ROOM.SHOWN) {
    room += 1;
    ["collection", "before"].forEach(drop);
    done = keepAs(room);
  }
  const isRefused = done.includes(false);
  if (isRefused && !isComplaining) notify(say("notKept"));
  else if (room > before) notify(say(room === ROOM.GAMES ? "findingsNotKept" : "othersNotKept"));
  isComplaining = isRefused;
}

/** Keeps what there is room for. @param {ROOM} room */
function keepAs(room) {
  const packed = (/** @type {import("./tree.js").Game} */ one) => packGame(one, room === ROOM.ALL);
  const done = [
    keep("play", { game: packed(state.games.play), table }),
    keep("options", { language: language(), shown: state.shown, thinks: state.thinks, lines: state.lines, tab: state.tab, isNew: state.isNew, ...look() }),
  ];
  if (isReport) return done;
  const { study } = state.games;
  done.push(keep("study", packed(study)), keep("address", [location.hash, ...addresses]));
  const others = state.collection.map((one) => (one === study ? null : one));
  const stamp = [room, ...done, state.before, ...others.map((one) => one && (one.summary ?? one))];
  if (stamp.length === beside.length && stamp.every((part, at) => part === beside[at])) return done;
  beside = stamp;
  const isKept = room < ROOM.SHOWN;
  done.push(keep("before", isKept && state.before ? packed(state.before) : null),
    keep("collection", isKept ? others.map((one) => one && packed(one)) : []));
  return done;
}

/** Writes the address, and keeps everything a moment later, however many changes come until then. */
function remember() {
  if (isBench) return;
  timer ||= window.setTimeout(keepAll, 150);
  tellAddress();
}

/** Writes the game that is studied into the address, a little later if that has just been done: a drag along the curve has many steps. */
function tellAddress() {
  const link = state.tab === "study" ? linkOf(game()) : "";
  const [hash, seen] = [link && `#${link}`, location.hash];
  clearTimeout(addressTimer);
  if (seen === hash) return;
  if (untilAddress()) {
    // Where another address has come meanwhile, that one counts.
    addressTimer = window.setTimeout(() => location.hash === seen && remember(), untilAddress());
    return;
  }
  addresses = [hash, ...addresses].slice(0, MOST_ADDRESSES);
  setAddress(hash);
}

/** Opens the game of the address. Returns whether there is one. @param {string[]} own addresses that are those of the study that was kept */
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

/** The addresses with which the study is opened as it was kept: after a reload those before the newest, too. */
function ownAddresses() {
  addresses = kept("address", (known) => known.map(String)) ?? [];
  const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return arrival?.type === "reload" ? addresses : addresses.slice(0, 1);
}

function recall() {
  // A report that was never opened begins with the settings of the page.
  speak(navigator.language);
  const tab = kept("options", setOptions) ?? (isReport ? kept("options", setOptions, "") : null);
  state.isNew ||= tab === null;
  state.games.play = kept("play", ({ table: seats, game: packed }) => {
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
  state.games.study = kept("study", unpackGame) ?? state.games.study;
  state.collection = (kept("collection", unpackGames) ?? []).map((one) => one ?? state.games.study);
  state.before = kept("before", (packed) => packed && unpackGame(packed));
  state.tab = tab === "learn" && !mayLearn ? "play" : (tab ?? "play");
}

/** Takes over the settings that were kept, as far as they fit. Returns the tab. @param {any} options */
function setOptions(options) {
  speak(oneOf(["en", "zh"], options.language, language()));
  for (const name of Object.keys(state.shown)) state.shown[name] = oneOf([true, false], options.shown?.[name], state.shown[name]);
  state.isNew = oneOf([true, false], options.isNew, false);
  state.thinks = oneOf([true, false], options.thinks, state.thinks);
  state.lines = oneOf([1, 2, 3, 4, 5], options.lines, state.lines);
  setLook(options);
  return /** @type {typeof state.tab} */ (oneOf(["play", "study", "learn", "rules"], options.tab, "play"));
}

// ---- Everything together

function listen() {
  handlePicks({ may: mayMove, move, edit: paint });
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
  $("before").onclick = () => {
    const { before } = state;
    state.before = null;
    if (before) openStudy(before);
  };
  for (const name of Object.keys(state.shown)) {
    $("show-" + name).onclick = () => {
      state.shown[name] = !state.shown[name];
      changed();
    };
  }
  for (const element of all("[data-language]")) {
    element.onclick = () => {
      speak(element.dataset.language);
      changed();
    };
  }
  addEventListener("hashchange", () => {
    if (/^#bench/.test(location.hash)) location.reload();
    if (!openLink()) changed();
  });
  if (!isBench) addEventListener("pagehide", keepAll);
}

recall();
showBoard(seatCalled);
showMoves(() => state.tab === "study" || (state.tab === "play" && mayStepGame()));
showLines();
showBook();
showCurve();
showReview();
showLesson();
showPrimer(playFirst);
showLearn();
showPlay();
showEditor();
showFiles();
showLook();
onChange(tellPage);
onChange(remember);
showTable();
listen();
// On a host the browser keeps the page, see offline.js. Where it does not, the page is there as long as the network is.
if (document.querySelector("link[rel=manifest]")) navigator.serviceWorker?.register("offline.js").catch(() => {});
if (isBench) {
  state.thinks = false;
  changed();
  runBench();
} else {
  if (!openLink(ownAddresses())) beginTab();
  if (misfits.length) notify(say("misfit", misfits.join(say("and"))));
}
