// Helpers for the page's DOM: find and create elements, format numbers, handle keys.

import { roundSaved } from "./findings.js";

/** XML namespace of SVG elements. */
const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns the element with the given id. The return type is `any`, because only the caller knows the kind of element.
 * @param {string} id @returns {any}
 */
export const $ = (id) => document.getElementById(id);

/**
 * Returns all elements of the page that match a CSS selector, as an array.
 * @param {string} selector @returns {any[]}
 */
export const queryAll = (selector) => [...document.querySelectorAll(selector)];

/** Formats a win probability from 0 to 1 as percent, such as `61.3 %`. */
export const formatPercent = (/** @type {number} */ chance) => (100 * roundSaved(chance)).toFixed(1) + " %";
/** Formats a loss in win probability from 0 to 1 as percentage points without a unit, such as `12.5`. */
export const formatPoints = (/** @type {number} */ loss) => (100 * roundSaved(loss)).toFixed(1);
/** Formats a number with thousands separators, such as `20,000`. */
export const formatCount = (/** @type {number} */ number) => number.toLocaleString("en");

/** Formats a duration in milliseconds as minutes and seconds, such as `3:07`. @param {number} ms */
export function formatMinutes(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Creates an HTML element. Children that are strings become text; they are never parsed as HTML.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function makeElement(name, attributes = {}, ...children) {
  return populate(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element. Children that are strings become text.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function makeSvg(name, attributes = {}, ...children) {
  return populate(document.createElementNS(SVG, name), attributes, children);
}

/** Sets an element's attributes (`onclick` is a function) and appends its children; returns the element. */
function populate(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.onclick = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Creates an HTML button that does not submit a form.
 * @param {Record<string, any>} attributes @param {(Node | string)[]} children
 */
export function makeButton(attributes, ...children) {
  return makeElement("button", { type: "button", ...attributes }, ...children);
}

/**
 * Tests if a focused element handles a key itself, so that the page's shortcuts must not: any key in an open dialog or
 * an open selection list, letters in every selection list and field, and all keys in a field with text.
 * @param {Element} element @param {string} key
 */
function handlesKey(element, key) {
  if (element.closest("dialog[open]")) return true;
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (element instanceof HTMLSelectElement) return key.length === 1 || isListOpen(element);
  return isField && (key.length === 1 || element.value !== "");
}

/**
 * Tests if a selection list is open; returns true if the browser does not support the selector `:open`.
 * @param {HTMLSelectElement} select
 */
function isListOpen(select) {
  try {
    return select.matches(":open");
  } catch {
    return true;
  }
}

/**
 * The selection list that the pointer has pressed last; null after a press elsewhere or a choice.
 * @type {EventTarget | null}
 */
let pressedList = null;

/**
 * Sets up that a selection list loses the focus after a choice by pointer: arrow keys would otherwise change the
 * choice. After a choice by keyboard, the list keeps the focus.
 */
export function releaseListFocus() {
  addEventListener("pointerdown", ({ target }) => {
    pressedList = target instanceof HTMLSelectElement ? target : null;
  });
  addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && target === pressedList) target.blur();
    pressedList = null;
  });
}

/**
 * Adds keyboard shortcuts to the whole page. They do not apply while the focused element handles the key itself, as a
 * text field does.
 * @param {Record<string, () => void>} keys handlers by the key's name in `KeyboardEvent.key`
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

/**
 * Sets an element's text if it differs. An unchanged text is not set again, because screen readers would read it again.
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Replaces the options of a `<select>` by pairs of value and text, and keeps the selected value. Does nothing if all
 * options are unchanged, so that an open list stays open.
 */
export function setOptions(select, options) {
  const isSame = ([value, text], at) => select.options[at]?.value === String(value) && select.options[at].textContent === text;
  if (select.options.length === options.length && options.every(isSame)) return;
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, text]) => makeElement("option", { value }, text)));
  if (options.some(([value]) => String(value) === chosen)) select.value = chosen;
}
