// Games from and to elsewhere: match logs as files, dropped, pasted; links.

import { $ } from "./elements.js";
import { say } from "./words.js";
import { canRun, engine, hasEngine } from "./engine.js";
import { fileName, gameOf, isFromStart, lineOver, mainLine, movesTo } from "./tree.js";
import { game, onChange, openStudy, state } from "./state.js";
import { gameOfLink, linkOf, setAddress } from "./link.js";
import { notify } from "./notice.js";
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

/** Saves the game that is shown, on the line of the position that is shown, as a match log. */
async function save() {
  if (!isFromStart(game())) {
    notify(say("notFromStart"));
    return;
  }
  const line = state.tab === "play" ? [game().node] : lineOver(game().node);
  const own = [seatName("black"), seatName("white")];
  const names = state.tab === "play" ? own : [game().names.black ?? "black", game().names.white ?? "white"];
  const play = state.tab === "play" ? seatsOf(own) : undefined;
  const { text } = await engine.ask({ ask: "write", moves: movesTo(line[line.length - 1]), names, ...(play && { play }) });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `${(game().title || "amazons").replace(/[^\p{L}\p{N} _.-]/gu, "_")}.json`;
  link.click();
}

/** The game of a match log. @param {string} name @param {string} text @returns {Promise<import("./tree.js").Game>} */
async function read(name, text) {
  const { moves, names, winner, ending } = await engine.ask({ ask: "read", text });
  const opened = gameOf(moves);
  const end = winner && ending !== "no move" ? { winner, ending } : null;
  return Object.assign(opened, {
    names: { black: names[0], white: names[1] }, title: fileName(name), isOwn: true, end, log: { text, moves: moves.join() },
  });
}

/** Opens match logs: one is studied, several make a table. @param {{ name: string, text: string }[]} logs */
async function open(logs) {
  /** @type {import("./tree.js").Game[]} */
  const opened = [];
  /** @type {string[]} */
  const told = [];
  for (const { name, text } of logs) {
    try {
      opened.push(await read(name, text));
      told.push(say("loaded", name, mainLine(opened[opened.length - 1]).length - 1));
    } catch (error) {
      told.push(say("namely", name, error.message));
    }
  }
  notify(told.join(" · "));
  if (!opened.length) return;
  state.collection = opened.length > 1 ? opened : [];
  openStudy(opened[0]);
}

async function openFiles(files) {
  const texts = [...files].map(async (file) => ({ name: file.name, text: await file.text() }));
  await open(await Promise.all(texts));
}

/** Opens what was pasted: a link, or a match log. */
function paste(event) {
  if (event.target.closest?.("input, textarea")) return;
  const text = event.clipboardData?.getData("text").trim();
  if (!text) return;
  event.preventDefault();
  const linked = /(?:^|#)(g=.*)$/.exec(text);
  if (!linked) {
    if (hasEngine && canRun) open([{ name: say("files"), text }]);
    return;
  }
  const opened = gameOfLink(linked[1]);
  if (opened) openStudy(Object.assign(opened, { isOwn: true }));
  else notify(say("badLink"));
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
    $("file-title").textContent = `${say("files")}: ${titleOf(game())}`;
  });
  for (const id of ["save", "load", "paste-note"]) $(id).hidden = !hasFiles;
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
