// The page's client of the engine, which runs as WebAssembly in a web worker: sends questions and returns promises of answers.

import { $ } from "./dom.js";
import { t } from "./texts.js";

/** What a search found: win probability, best moves, visits and so on. @typedef {Record<string, any>} Findings */

/** Default size of the search tree in MiB; the page's address can override it, as in `?memory=64`. */
const MEMORY_MB = 128;

/** Maximum size of the search tree in MiB: half of the 4 GiB that a WebAssembly module can address. */
const MAX_MEMORY_MB = 2048;

const memoryMb = Math.min(Number(/\bmemory=(\d+)/.exec(location.search)?.[1] ?? MEMORY_MB), MAX_MEMORY_MB);

/** Seconds without any message after which a busy worker is considered dead. A search reports several times a second. */
const TIMEOUT_S = 30;

const MODULES = JSON.parse($("engine").textContent);

/** Whether the page contains an engine; a report can be made without. */
export const hasEngine = MODULES !== null;

/** Whether the browser supports what the engine needs: WebAssembly, web workers and `DecompressionStream`. */
export const canRun = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

/** An engine in its own web worker. The worker starts at the first question, and again after a failure. */
export class Engine {
  /**
   * @param {boolean} [plain] uses the WebAssembly module without SIMD
   * @param {number} [timeoutSeconds] seconds without a message after which the worker is considered dead
   */
  constructor(plain = false, timeoutSeconds = TIMEOUT_S) {
    this.plain = plain;
    this.timeoutSeconds = timeoutSeconds;
    this.lastId = 0;
    /**
     * The unanswered questions by their id: the promise's functions, and the callback for a search's interim results.
     * @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void, onFindings?: (findings: Findings) => void }>}
     */
    this.pending = new Map();
    /** The web worker, or null while it is not running. @type {Worker | null} */
    this.worker = null;
    /** Seconds since the worker's last message, counted while a question is unanswered. */
    this.silentSeconds = 0;
    this.watchdog = 0;
  }

  /**
   * Asks the engine one of the questions of ../engine/question.rs, and returns its answer.
   * @param {object} question @returns {Promise<any>}
   */
  ask(question) {
    return this.send({ question });
  }

  /**
   * Parses all games of a file.
   * @param {Uint8Array} file the file's bytes @returns {Promise<{ games: Record<string, any>[] }>}
   */
  read(file) {
    return this.send({ file });
  }

  /**
   * Searches a position until its result is proven, a limit is reached, or another search begins.
   * @param {{ position: import("./rules.js").Position, candidates: number, ms?: number, iterations?: number, afresh?: boolean }} task
   * `candidates` is the number of best moves to report; `ms` and `iterations` are limits; `afresh` clears the search tree first
   * @param {(findings: Findings) => void} [onFindings] receives interim results several times a second
   * @returns {Promise<Findings>}
   */
  search({ position, afresh, ...limits }, onFindings) {
    const setting = { cells: position.cells, to_move: position.toMove, moves: [], memory_mb: memoryMb, afresh };
    return this.send({ search: { setting, ...limits } }, onFindings);
  }

  /**
   * Returns the best of `count` random legal moves. The weakest levels of the bot play this way.
   * @param {import("./rules.js").Position} position @param {number} count @param {number} seed
   * @returns {Promise<string | null>}
   */
  async sampleMove(position, count, seed) {
    const setting = { cells: position.cells, to_move: position.toMove, moves: [], memory_mb: memoryMb };
    return (await this.send({ sample_move: { setting, count, seed } })).move;
  }

  /** Stops the current search; its promise resolves with the results so far. */
  stop() {
    this.worker?.postMessage({ stop: true });
  }

  /** Terminates the worker. All unanswered questions are rejected with the error `EngineEnded`. */
  terminate() {
    this.failAll(new EngineEnded());
  }

  send(message, onFindings) {
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      this.pending.set(id, { resolve, reject, onFindings });
      this.start().postMessage({ id, ...message });
      this.silentSeconds = 0;
      this.watchdog ||= window.setInterval(() => this.checkSilence(), 1000);
    });
  }

  /** Checks once a second if a busy worker still sends messages, and fails all questions if it does not. */
  checkSilence() {
    this.silentSeconds += 1;
    if (this.silentSeconds >= this.timeoutSeconds) this.failAll(new Error(t("engineSilent")));
    if (this.pending.size) return;
    clearInterval(this.watchdog);
    this.watchdog = 0;
  }

  /** Returns the worker. Starts it if necessary, from the worker script that is embedded in the page. */
  start() {
    if (this.worker) return this.worker;
    const address = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.failAll(new Error(event.message));
    };
    worker.postMessage({ modules: MODULES, plain: this.plain });
    this.worker = worker;
    return worker;
  }

  receive({ id, findings, answer, error, isTrap }) {
    this.silentSeconds = 0;
    const question = this.pending.get(id);
    if (findings) {
      question?.onFindings?.(findings);
      return;
    }
    this.pending.delete(id);
    if (error === undefined) question?.resolve(answer);
    else question?.reject(new Error(error));
    // After a WebAssembly trap the module's memory may be inconsistent, so the worker is discarded.
    if (isTrap) this.failAll(new Error(error));
  }

  failAll(error) {
    this.worker?.terminate();
    this.worker = null;
    const questions = [...this.pending.values()];
    this.pending.clear();
    questions.forEach(({ reject }) => reject(error));
  }
}

/** Error of a question whose worker was terminated on purpose, by `Engine.terminate`; callers do not show it to the user. */
export class EngineEnded extends Error {}

/** The engine that plays the bots' moves and analyses the position on the board. */
export const engine = new Engine();
