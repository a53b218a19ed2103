// The list of moves with variations, and the buttons that step through them.

import { $, button, listenToKeys, make, setText } from "./elements.js";
import { game, goTo, nodeAt, onChange, shownNode, state } from "./state.js";
import { sign } from "./board.js";
import { say } from "./words.js";
import { certainWinner, commentOf, isMain, lineOver, numberOf, pathTo, promote, remove } from "./tree.js";

/** What a move was judged to be; nothing if it was not, or was fair. @param {import("./tree.js").GameNode} node */
export function judgementOf(node) {
  const ply = node.parent?.ply;
  return ply && ply.move === node.move ? ply.judgement : undefined;
}

/** Whether the game may be stepped through: a game against a bot is not, nor is one in a lesson. */
let mayStep = () => true;

function item(node, isNumbered = false) {
  const judgement = judgementOf(node);
  const number = isNumbered ? `${numberOf(node)} ` : "";
  const parts = [`${number}${node.move}`, ...(judgement ? [" ", sign(judgement)] : [])];
  const winner = certainWinner(node);
  const certain = winner ? { class: "certain", title: say("certain", say(winner)) } : {};
  return button({ onclick: () => mayStep() && goTo(node), "data-node": node.id, "aria-current": String(node === shownNode()), ...certain }, ...parts);
}

/** Rows of the main line: a number and two moves; behind a row its variations. */
function rows(root) {
  const list = [];
  let row = null;
  for (let node = root; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    const isBlack = node.position.toMove === "black";
    if (isBlack || !row) row = make("li", {}, make("span", {}, numberOf(main).replace(/\D/, "")), ...(isBlack ? [] : [make("i", {}, "…")]));
    if (!row.isConnected && !list.includes(row)) list.push(row);
    row.append(item(main));
    if (others.length) {
      list.push(make("li", { class: "variations" }, ...others.map((other) => make("p", {}, ...variation(other)))));
      row = null;
    }
  }
  return list;
}

/** A variation as running text; its own variations stand in brackets. */
function variation(first) {
  const parts = [];
  for (let node = first; node; node = node.children[0]) {
    parts.push(item(node, true), " ");
    const siblings = node === first ? [] : (node.parent?.children.slice(1) ?? []);
    for (const sibling of siblings) parts.push("( ", ...variation(sibling), ") ");
  }
  return parts;
}

function tellMoves() {
  $("moves").replaceChildren(...rows(game().root));
  const list = $("moves");
  const current = list.querySelector("[aria-current=true]");
  // The list scrolls to the move that is shown; the page stays where it is.
  if (current) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  else list.scrollTop = 0;
  const isVariation = state.tab === "study" && mayStep() && !isMain(shownNode());
  $("make-main").hidden = !isVariation;
  $("remove").hidden = !isVariation;
  const comment = commentOf(shownNode());
  $("comment").hidden = !comment;
  setText($("comment"), comment);
}

/** Steps: a number of moves back or on, or to either end. @param {number} by */
function step(by) {
  goTo(nodeAt(lineOver(shownNode()), shownNode().depth + by));
}

const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity) };

/** Pixels that a wheel turns for a step. */
const NOTCH = 60;

let turned = 0;

/** Steps with a wheel over the board. */
function roll(event) {
  if (!mayStep() || event.ctrlKey) return;
  event.preventDefault();
  turned += event.deltaMode ? NOTCH * Math.sign(event.deltaY) : event.deltaY;
  if (Math.abs(turned) < NOTCH) return;
  step(Math.sign(turned));
  turned = 0;
}

function tellSteps() {
  $("steps").hidden = !mayStep() || Boolean(state.lesson || state.editor);
  const line = lineOver(shownNode());
  const [atStart, atEnd] = [!shownNode().parent, line[line.length - 1] === shownNode()];
  [$("first").disabled, $("previous").disabled, $("next").disabled, $("last").disabled] = [atStart, atStart, atEnd, atEnd];
  $("place").textContent = `${shownNode().depth} / ${line.length - 1}`;
}

/** Shows the moves and listens to the steps. @param {() => boolean} allowed whether the game may be stepped through */
export function showMoves(allowed) {
  mayStep = () => allowed() && !state.lesson && !state.editor;
  onChange(() => {
    tellMoves();
    tellSteps();
  });
  const stepIf = (take) => () => mayStep() && take();
  $("first").onclick = stepIf(KEYS.Home);
  $("previous").onclick = stepIf(KEYS.ArrowLeft);
  $("next").onclick = stepIf(KEYS.ArrowRight);
  $("last").onclick = stepIf(KEYS.End);
  listenToKeys(KEYS, mayStep);
  $("board").addEventListener("wheel", roll, { passive: false });
  $("remove").onclick = () => {
    remove(game(), shownNode());
    goTo(shownNode());
  };
  $("make-main").onclick = () => {
    pathTo(shownNode()).forEach(promote);
    goTo(shownNode());
  };
}
