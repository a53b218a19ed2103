// Helpers for the page's DOM: find and create elements, format numbers, handle keys.

import { roundSaved } from "./findings.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns the element with the given id. Typed `any`: callers know which kind of element the id names.
 * @param {string} id @returns {any}
 */
export const $ = (id) => document.getElementById(id);

/** Returns all elements that match a CSS selector, as an array. @param {string} selector @returns {any[]} */
export const queryAll = (selector) => [...document.querySelectorAll(selector)];

export const formatPercent = (/** @type {number} */ chance) => (100 * roundSaved(chance)).toFixed(1) + " %";
export const formatPoints = (/** @type {number} */ loss) => (100 * roundSaved(loss)).toFixed(1);
export const formatCount = (/** @type {number} */ number) => number.toLocaleString("en");

/** Formats milliseconds as minutes and seconds, such as `3:07`. @param {number} ms */
export function formatMinutes(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Creates an HTML element with attributes and children. Text children are never parsed as HTML.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function makeElement(name, attributes = {}, ...children) {
  return populate(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element with attributes and children.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function makeSvg(name, attributes = {}, ...children) {
  return populate(document.createElementNS(SVG, name), attributes, children);
}

function populate(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.onclick = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Creates a `<button>` that does not submit a form.
 * @param {Record<string, any>} attributes @param {(Node | string)[]} children
 */
export function makeButton(attributes, ...children) {
  return makeElement("button", { type: "button", ...attributes }, ...children);
}

/**
 * Tests if an element handles a key itself, so that the page's shortcuts do not apply: in an open dialog or list, and in a field
 * that holds text. Lists and fields also take all letters.
 * @param {Element} element @param {string} key
 */
function handlesKey(element, key) {
  if (element.closest("dialog[open]")) return true;
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (element instanceof HTMLSelectElement) return key.length === 1 || isListOpen(element);
  return isField && (key.length === 1 || element.value !== "");
}

/** Tests if the list of a `<select>` is open; browsers that cannot tell count as open. @param {HTMLSelectElement} select */
function isListOpen(select) {
  try {
    return select.matches(":open");
  } catch {
    return true;
  }
}

/** The list that the pointer has pressed last. @type {EventTarget | null} */
let pressedList = null;

/**
 * Takes the focus from a list after a choice by pointer, so that arrow keys do not change the choice unseen. A choice by keyboard
 * keeps the focus.
 */
export function releaseLists() {
  addEventListener("pointerdown", ({ target }) => {
    pressedList = target instanceof HTMLSelectElement ? target : null;
  });
  addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && target === pressedList) target.blur();
    pressedList = null;
  });
}

/**
 * Adds keyboard shortcuts to the whole page, except while the focused element handles keys itself.
 * @param {Record<string, () => void>} keys the handler of each key, by the name in `KeyboardEvent.key`
 * @param {() => boolean} [isEnabled] tests if the shortcuts are enabled now
 */
export function addShortcuts(keys, isEnabled = () => true) {
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target instanceof Element && handlesKey(event.target, event.key);
    if (event.altKey || event.ctrlKey || event.metaKey || isElsewhere || !keys[event.key] || !isEnabled()) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/** Sets the text of an element, but only if the text differs: a screen reader would read an unchanged text again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Replaces the options of a `<select>` by pairs of value and text, and keeps the selected value. If all options are the same
 * as before, nothing is changed, so that an open list stays open.
 */
export function setOptions(select, options) {
  const isSame = ([value, text], at) => select.options[at]?.value === String(value) && select.options[at].textContent === text;
  if (select.options.length === options.length && options.every(isSame)) return;
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, text]) => makeElement("option", { value }, text)));
  if (options.some(([value]) => String(value) === chosen)) select.value = chosen;
}
