// The page's client of the engine, which runs as WebAssembly in a web worker: sends questions and returns promises of answers.

import { $ } from "./elements.js";
import { say } from "./words.js";

/** What a search found: win probability, best moves, visits and so on. @typedef {Record<string, any>} Findings */

/** Default size of the search tree in MiB; the page's address can override it, as in `?memory=64`. */
const MEMORY_MB = 128;

/** Maximum size of the search tree in MiB: half of the 4 GiB that a WebAssembly module can address. */
const MAX_MB = 2048;

const memoryMb = Math.min(Number(/\bmemory=(\d+)/.exec(location.search)?.[1] ?? MEMORY_MB), MAX_MB);

/** Seconds without any message after which a busy worker is considered dead. A search reports several times a second. */
const MAX_SILENCE_S = 30;

const modules = JSON.parse($("engine").textContent);

/** Whether the page contains an engine; a report can be made without. */
export const hasEngine = modules !== null;

/** Whether the browser supports what the engine needs: WebAssembly, web workers and `DecompressionStream`. */
export const canRun = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

/** An engine in its own web worker. The worker starts at the first question, and again after a failure. */
export class Engine {
  /**
   * @param {boolean} [plain] uses the WebAssembly module without SIMD
   * @param {number} [patience] seconds without a message after which the worker is considered dead
   */
  constructor(plain = false, patience = MAX_SILENCE_S) {
    this.plain = plain;
    this.patience = patience;
    this.lastId = 0;
    /**
     * The unanswered questions by their id: the promise's functions, and the callback for a search's interim results.
     * @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void, tell?: (found: Findings) => void }>}
     */
    this.waiting = new Map();
    /** The web worker, or null while it is not running. @type {Worker | null} */
    this.worker = null;
    /** Seconds since the worker's last message, counted while a question is unanswered. */
    this.quiet = 0;
    this.watch = 0;
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
   * @param {(found: Findings) => void} [tell] receives interim results several times a second
   * @returns {Promise<Findings>}
   */
  think({ position, afresh, ...limits }, tell) {
    const setting = { cells: position.cells, to_move: position.toMove, moves: [], memory_mb: memoryMb, afresh };
    return this.send({ think: { setting, ...limits } }, tell);
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

  /** Terminates the worker. All unanswered questions are rejected with the error `Ended`. */
  end() {
    this.fail(new Ended());
  }

  send(message, tell) {
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      this.waiting.set(id, { resolve, reject, tell });
      this.start().postMessage({ id, ...message });
      this.quiet = 0;
      this.watch ||= window.setInterval(() => this.look(), 1000);
    });
  }

  /** Checks once a second if a busy worker still sends messages, and fails all questions if it does not. */
  look() {
    this.quiet += 1;
    if (this.quiet >= this.patience) this.fail(new Error(say("engineSilent")));
    if (this.waiting.size) return;
    clearInterval(this.watch);
    this.watch = 0;
  }

  /** Returns the worker. Starts it if necessary, from the worker script that is embedded in the page. */
  start() {
    if (this.worker) return this.worker;
    const address = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(new Error(event.message));
    };
    worker.postMessage({ modules, plain: this.plain });
    this.worker = worker;
    return worker;
  }

  receive({ id, found, answer, error, isTrap }) {
    this.quiet = 0;
    const waiting = this.waiting.get(id);
    if (found) {
      waiting?.tell?.(found);
      return;
    }
    this.waiting.delete(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(error));
    // After a WebAssembly trap the module's memory may be inconsistent, so the worker is discarded.
    if (isTrap) this.fail(new Error(error));
  }

  fail(error) {
    this.worker?.terminate();
    this.worker = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    waiting.forEach(({ reject }) => reject(error));
  }
}

/** Error of a question whose worker was terminated on purpose, by `Engine.end`; callers do not show it to the user. */
export class Ended extends Error {}

/** The engine that plays the bots' moves and analyses the position on the board. */
export const engine = new Engine();
