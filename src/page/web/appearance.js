// Appearance of the page: orientation of the board, light or dark colours, full screen, sound; and the buttons that
// open dialogs.

import { $, addShortcuts, queryAll } from "./dom.js";
import { emitChange, onChange, state } from "./state.js";
import { oneOf } from "./store.js";
import { playSound } from "./sounds.js";

/**
 * Colour themes of the page. Key: name of the theme; value: the media query under which the style sheet uses its dark
 * colours. With `auto`, the colours are dark if the system's are; `not all` never matches, `all` always does.
 */
const THEMES = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };

/** Names of the colour schemes of the board among which the user can choose. The style sheet defines their colours. */
const BOARD_COLOURS = ["sand", "green", "blue", "grey"];

/** Name of the board's current colour scheme, one of `BOARD_COLOURS`. */
let boardColours = BOARD_COLOURS[0];

/**
 * Selects the board's colour scheme; the style sheet then shows its colours.
 * @param {string} name one of `BOARD_COLOURS`
 */
function setBoardColours(name) {
  boardColours = name;
  document.body.dataset.colours = name;
}

/**
 * Name of the page's current colour theme: `auto`, `light` or `dark`.
 * @type {keyof typeof THEMES}
 */
let theme = "auto";

/**
 * The `@media` rule of the style sheet that contains the dark colours. `setTheme` selects a theme by changing its media
 * query.
 */
const darkRule = [...document.styleSheets[0].cssRules].find((rule) => rule instanceof CSSMediaRule);

/** Selects the page's colour theme and shows its colours. @param {keyof typeof THEMES} name */
function setTheme(name) {
  theme = name;
  if (darkRule instanceof CSSMediaRule) darkRule.media.mediaText = THEMES[theme];
  document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
}

/**
 * Returns the settings of the page's appearance, to save them in the browser's storage: orientation of the board,
 * sound, theme and colours of the board.
 */
export const savedAppearance = () => ({ isTurned: state.isTurned, hasSound: state.hasSound, theme, boardColours });

/**
 * Applies settings of the page's appearance that were loaded from the browser's storage. If the orientation is invalid,
 * the board is not turned. If the sound setting is invalid, the sound is off. An invalid theme or board colour leaves
 * the current one.
 * @param {any} saved an object as `savedAppearance` returns it
 */
export function applyAppearance(saved) {
  state.isTurned = oneOf([true, false, null], saved.isTurned, null);
  state.hasSound = oneOf([true, false], saved.hasSound, false);
  setBoardColours(oneOf(BOARD_COLOURS, saved.boardColours, boardColours));
  setTheme(oneOf(/** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES)), saved.theme, theme));
}

function flip() {
  if (state.tab === "learn") state.isPuzzleTurned = !state.isPuzzleTurned;
  else state.isTurned = !state.isTurned;
  emitChange();
}

function toggleFullScreen() {
  const switched = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  // The browser may refuse to switch full screen on or off, for example inside a frame. The page then stays as it is.
  switched.catch(() => {});
}

function renderAppearance() {
  for (const name of Object.keys(THEMES)) $("theme-" + name).setAttribute("aria-pressed", String(name === theme));
  for (const name of BOARD_COLOURS) $("colours-" + name).setAttribute("aria-pressed", String(name === boardColours));
  $("sound").setAttribute("aria-pressed", String(state.hasSound));
}

/**
 * Sets up the buttons and keyboard shortcuts for the page's appearance: orientation of the board, full screen, colours
 * and sound. Also sets up all buttons that open a dialog.
 */
export function initAppearance() {
  onChange(renderAppearance);
  $("flip").onclick = flip;
  $("full-screen").hidden = !document.fullscreenEnabled;
  $("full-screen").onclick = toggleFullScreen;
  for (const name of /** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES))) {
    $("theme-" + name).onclick = () => {
      setTheme(name);
      emitChange();
    };
  }
  for (const name of BOARD_COLOURS) {
    $("colours-" + name).onclick = () => {
      setBoardColours(name);
      emitChange();
    };
  }
  $("sound").onclick = () => {
    state.hasSound = !state.hasSound;
    playSound("step", 0);
    emitChange();
  };
  addShortcuts({ f: flip, F: flip, "?": () => $("keys").showModal() });
  for (const opener of queryAll("[data-opens]")) opener.onclick = () => $(opener.dataset.opens).showModal();
}
