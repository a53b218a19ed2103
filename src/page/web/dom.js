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

/** CSS selector of the elements in which the page's keyboard shortcuts are disabled, because they handle keys themselves. */
const NO_SHORTCUTS = "select, input, textarea, dialog[open]";

/**
 * Adds keyboard shortcuts to the whole page, except while the focus is in a form field or a dialog.
 * @param {Record<string, () => void>} keys the handler of each key, by the name in `KeyboardEvent.key`
 * @param {() => boolean} [isEnabled] tests if the shortcuts are enabled now
 */
export function addShortcuts(keys, isEnabled = () => true) {
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target instanceof Element && event.target.closest(NO_SHORTCUTS);
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
