// Messages to the user: a temporary notice, a progress bar with a stop button, and a yes-or-no dialog.

import { $, setText } from "./dom.js";
import { game, onChange, state } from "./state.js";

let timer = 0;

/** Shows a message for eight seconds. @param {string} text */
export function notify(text) {
  setText($("notice"), text);
  $("notice").hidden = false;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    $("notice").hidden = true;
  }, 8000);
}

/**
 * Shows the progress of a long task with a stop button; hides both when `done` equals `of`.
 * @param {string} text @param {number} done number of finished steps @param {number} of number of all steps
 * @param {() => void} end called when the user presses the stop button
 */
export function showProgress(text, done, of, end) {
  $("reading").hidden = done === of;
  setText($("reading-text"), text);
  [$("reading-meter").value, $("reading-meter").max] = [done, of];
  $("reading-stop").onclick = end;
}

/**
 * Asks the user a yes-or-no question in a dialog; closing the dialog means no. So does the opening of another tab or game, for
 * example by a file that is dropped on the page: an answer never changes anything but what was shown with its question.
 * @param {string} text of the question @param {string} yes text of the button for yes
 * @param {string} no text of the button for no
 * @returns {Promise<boolean>} true for yes
 */
export function askUser(text, yes, no) {
  const dialog = $("question");
  $("question-text").textContent = text;
  [$("answer-yes").textContent, $("answer-no").textContent] = [yes, no];
  dialog.returnValue = "";
  dialog.showModal();
  const [shown, playing] = [game(), state.games.play];
  isStillShown = () => game() === shown && state.games.play === playing;
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes" && isStillShown());
  });
}

/** Tests if the page still shows what the open question is about. */
let isStillShown = () => true;

/** Closes the open question as soon as the page shows another tab or game. */
export function showNotices() {
  onChange(() => {
    if ($("question").open && !isStillShown()) $("question").close("no");
  });
}
