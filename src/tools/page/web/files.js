// Games from and to elsewhere: match logs and other records as files, dropped, pasted; links.

import { $, setOptions } from "./elements.js";
import { say } from "./words.js";
import { canRun, engine, hasEngine } from "./engine.js";
import { fileName, gameOfNodes, isFromStart, lineOver, mainLine, movesTo, nodesOf, pathTo, saidEnd, shortName } from "./tree.js";
import { changed, game, onChange, openStudy, state } from "./state.js";
import { gameOfLink, linkOf, setAddress } from "./link.js";
import { notify, tellProgress } from "./notice.js";
import { seatName } from "./play.js";
import { titleOf } from "./review.js";

/** Players as the key `play` of a log has them, which other tools read. */
function seatsOf(names) {
  const seat = (name) => {
    const level = /^level (\d+)$/.exec(name);
    const time = /^(\d+) ms$/.exec(name);
    if (level) return { who: "bot", level: Number(level[1]) };
    return time ? { who: "bot", time_ms: Number(time[1]) } : { who: "human" };
  };
  return { seats: names.map(seat), names: [null, null] };
}

/** Endings of files, by the formats of ../../record/formats.rs. */
const ENDINGS = { log: "json", sgf: "sgf", moves: "txt", ccgc: "txt" };

/** Saves the game that is shown: as SGF all of a study, else the line of the position that is shown. */
async function save() {
  const format = $("save-as").value;
  const { node, names, root, title } = game();
  if (format !== "sgf" && !isFromStart(game())) {
    notify(say("notFromStart"));
    return;
  }
  const isPlay = state.tab === "play";
  const line = isPlay ? pathTo(node) : lineOver(node);
  const nodes = nodesOf(game(), (other) => (format === "sgf" && !isPlay) || line.includes(other));
  // A result that was read is not that of a game which goes on.
  if (isPlay) nodes[0].properties = nodes[0].properties.filter(([name]) => name !== "RE");
  const end = saidEnd(game());
  if (isPlay && end) nodes[0].properties.push(["RE", [result(end)]]);
  const own = [seatName("black"), seatName("white")];
  const { text } = await engine.ask({
    ask: "write", format, nodes, start: { cells: root.position.cells, to_move: root.position.toMove },
    names: isPlay ? own : [names.black, names.white], play: isPlay ? seatsOf(own) : null,
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `${(title || "amazons").replace(/[^\p{L}\p{N} _.-]/gu, "_")}.${ENDINGS[format]}`;
  link.click();
}

/** How a game ended that was given up or lost on time, as SGF has it. @param {{ winner: string, ending: string }} end */
const result = ({ winner, ending }) => `${winner[0].toUpperCase()}+${ending === "time" ? "T" : "R"}`;

/** The game of a record, and what was assumed of it. @param {string} name @param {string} text */
async function read(name, text) {
  const { nodes, start, names, winner, ending, remark } = await engine.ask({ ask: "read", text });
  const opened = gameOfNodes(nodes, { cells: start.cells, toMove: start.to_move });
  const moves = movesTo(mainLine(opened)[mainLine(opened).length - 1]);
  Object.assign(opened, {
    names: { black: shortName(names[0]), white: shortName(names[1]) }, title: shortName(fileName(name)), isOwn: true,
    end: winner && { winner, ending }, log: { text, moves: moves.join() },
  });
  opened.end = saidEnd(opened);
  return { opened, told: [say("loaded", name, moves.length), ...(remark ? [remark] : [])].join(", ") };
}

/** The text of a file: UTF-8, or GB18030 as on a Chinese Windows. A folder has none. @param {File} file */
async function textOf(file) {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(say("unreadable"));
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

/** Messages on files that are shown; how many more there are is said. */
const MOST_TOLD = 4;

/** The reading under way, if it is not over; another one takes its place. */
let reading = { isOver: true };

/** Opens records: one is studied, several make a table. @param {{ name: string, text: () => Promise<string> }[]} records */
async function open(records) {
  reading.isOver = true;
  const own = { isOver: false };
  reading = own;
  tellReading(true);
  /** @type {{ opened: import("./tree.js").Game, told: string }[]} */
  const found = [];
  /** @type {string[]} */
  const faults = [];
  const end = () => {
    own.isOver = true;
    tellReading(false);
  };
  for (const [at, { name, text }] of records.entries()) {
    if (records.length > 1) tellProgress(say("reading", at + 1, records.length), at, records.length, end);
    try {
      found.push(await read(name, await text()));
    } catch (error) {
      faults.push(say("namely", shortName(name), error.message));
    }
    if (own.isOver) return;
  }
  end();
  notify(summed(found.map(({ told }) => told), faults));
  if (!found.length) return;
  state.collection = found.length > 1 ? found.map(({ opened }) => opened) : [];
  openStudy(found[0].opened);
}

/** Lets the engine do nothing but read, or what it did before. @param {boolean} isReading */
function tellReading(isReading) {
  state.isReading = isReading;
  if (!isReading) tellProgress("", 1, 1, () => {});
  changed();
}

/** What is said of files: as much as can be read in a moment. @param {string[]} told @param {string[]} faults */
function summed(told, faults) {
  const all = told.length > MOST_TOLD ? [say("filesRead", told.length), ...faults] : [...faults, ...told];
  const rest = all.length - MOST_TOLD + 1;
  if (rest > 1) all.splice(MOST_TOLD - 1, rest, say("filesMore", rest));
  return all.join(" · ");
}

/** Opens files as they are brought. @param {FileList} files */
const openFiles = (files) => open([...files].map((file) => ({ name: file.name, text: () => textOf(file) })));

/** Opens what was pasted: a link, or a record. */
function paste(event) {
  if (event.target.closest?.("input, textarea")) return;
  const text = event.clipboardData?.getData("text").trim();
  if (!text) return;
  event.preventDefault();
  const linked = /(?:^|#)(g=.*)$/.exec(text);
  if (!linked) {
    if (hasEngine && canRun) open([{ name: say("files"), text: async () => text }]);
    return;
  }
  const opened = gameOfLink(linked[1]);
  if (opened) openStudy(Object.assign(opened, { isOwn: true }));
}

/** Copies the address with the game in it; on a disk the address is the file's. */
async function copy() {
  const address = `${location.href.split("#")[0]}#${linkOf(game())}`;
  try {
    await navigator.clipboard.writeText(address);
    notify(say("copied"));
  } catch {
    setAddress(`#${linkOf(game())}`);
    notify(say("copyFailed"));
  }
}

/** Listens to files, the clipboard and the buttons. */
export function showFiles() {
  const hasFiles = hasEngine && canRun;
  onChange(() => {
    $("save").disabled = !game().root.children.length;
    $("copy").disabled = !linkOf(game());
    setOptions($("save-as"), [["log", say("asLog")], ["sgf", "SGF"], ["moves", say("asMoves")], ["ccgc", say("asContest")]]);
    $("file-title").textContent = `${say("files")}: ${titleOf(game())}`;
  });
  for (const id of ["save", "save-as", "load", "paste-note"]) $(id).hidden = !hasFiles;
  $("save").onclick = () => save().catch((error) => notify(error.message));
  $("load").onclick = () => $("file").click();
  $("file").onchange = () => {
    openFiles($("file").files).then(() => {
      $("file").value = "";
    });
  };
  $("copy").onclick = copy;
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (hasFiles && event.dataTransfer?.files.length) openFiles(event.dataTransfer.files);
  });
  addEventListener("paste", paste);
}
