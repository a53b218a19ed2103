// Messages to the user: a temporary notice, a progress bar with a stop button, and a yes-or-no dialog.

import { $, setText } from "./dom.js";
import { game, onChange, state } from "./state.js";

/** Id of the timer that will hide the notice; a new notice cancels this timer. */
let timer = 0;

/**
 * Shows a notice for eight seconds, or until the user presses it or opens another tab. A new notice replaces the one
 * before.
 * @param {string} text
 */
export function notify(text) {
  setText($("notice"), text);
  $("notice").hidden = false;
  clearTimeout(timer);
  timer = window.setTimeout(hideNotice, 8000);
}

/** Hides the notice. */
export function hideNotice() {
  $("notice").hidden = true;
}

/**
 * Shows the progress of a task: a progress bar, a text and a stop button. Hides all three if `done` equals `total`,
 * that is, if the task is finished.
 * @param {string} text description of the task @param {number} done number of finished steps
 * @param {number} total number of all steps @param {() => void} stop called when the user presses the stop button
 */
export function showProgress(text, done, total, stop) {
  $("reading").hidden = done === total;
  setText($("reading-text"), text);
  [$("reading-meter").value, $("reading-meter").max] = [done, total];
  $("reading-stop").onclick = stop;
}

/**
 * Asks the user a yes-or-no question in a dialog. The answer is no if the user closes the dialog without an answer, or
 * if another tab or game is opened while the dialog is open, for example by dropping a file on the page.
 * @param {string} text the question @param {string} yes label of the button for yes
 * @param {string} no label of the button for no
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

/**
 * Tests if the page still shows the tab and the game that it showed when `askUser` opened its dialog with a question.
 * `askUser` replaces this function at each question.
 */
let isStillShown = () => true;

/**
 * Sets up notices and questions. A click hides the notice. If another tab or game is opened while a question waits for
 * an answer, the question is closed with the answer no.
 */
export function initNotices() {
  $("notice").onclick = hideNotice;
  onChange(() => {
    if ($("question").open && !isStillShown()) $("question").close("no");
  });
}
