// The engine in its worker, as the page asks it.

import { $ } from "./elements.js";
import { say } from "./words.js";

/** @typedef {Record<string, any>} Findings */

/** MiB of the tree of a search, if the address does not say (`?memory=64`). */
const MEMORY_MB = 128;

/** Half of what a module can have. */
const MOST_MB = 2048;

const memoryMb = Math.min(Number(/\bmemory=(\d+)/.exec(location.search)?.[1] ?? MEMORY_MB), MOST_MB);

/** Seconds without a word after which a worker that is asked something has died. A search tells something many times a second. */
const PATIENCE = 30;

const modules = JSON.parse($("engine").textContent);

/** Whether the page has an engine. */
export const hasEngine = modules !== null;

/** Whether the browser can run it. */
export const canRun = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

/** The engine in a worker of its own. */
export class Engine {
  /** @param {boolean} [plain] takes the module without SIMD @param {number} [patience] in seconds */
  constructor(plain = false, patience = PATIENCE) {
    this.plain = plain;
    this.patience = patience;
    this.lastId = 0;
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void, tell?: (found: Findings) => void }>} */
    this.waiting = new Map();
    /** @type {Worker | null} */
    this.worker = null;
    /** Seconds for which nothing was heard of what is waited for. */
    this.quiet = 0;
    this.watch = 0;
  }

  /** The answer to a question, see ../engine/question.rs. @param {object} question @returns {Promise<any>} */
  ask(question) {
    return this.send({ question });
  }

  /** The games of a file. @param {Uint8Array} file @returns {Promise<{ games: Record<string, any>[] }>} */
  read(file) {
    return this.send({ file });
  }

  /**
   * Searches a position until it is proven, a limit is reached, or another search begins. What is found so far is told
   * now and then.
   * @param {{ position: import("./rules.js").Position, candidates: number, ms?: number, iterations?: number, afresh?: boolean }} task
   * @param {(found: Findings) => void} [tell] @returns {Promise<Findings>}
   */
  think({ position, afresh, ...limits }, tell) {
    const setting = { cells: position.cells, to_move: position.toMove, moves: [], memory_mb: memoryMb, afresh };
    return this.send({ think: { setting, ...limits } }, tell);
  }

  /**
   * The best of some random moves of a position, as the lowest levels choose.
   * @param {import("./rules.js").Position} position @param {number} count @param {number} seed @returns {Promise<string | null>}
   */
  async glance(position, count, seed) {
    const setting = { cells: position.cells, to_move: position.toMove, moves: [], memory_mb: memoryMb };
    return (await this.send({ glance: { setting, count, seed } })).move;
  }

  /** Ends the search under way. */
  stop() {
    this.worker?.postMessage({ stop: true });
  }

  /** Ends the worker; whoever waits for an answer hears of it. */
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

  /** Looks every second if the worker lives. */
  look() {
    this.quiet += 1;
    if (this.quiet >= this.patience) this.fail(new Error(say("engineSilent")));
    if (this.waiting.size) return;
    clearInterval(this.watch);
    this.watch = 0;
  }

  /** The worker, made from the page itself at its first use. */
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
    // After a trap the module's state is not known.
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

/** The worker was ended on purpose. */
export class Ended extends Error {}

/** The engine that plays and thinks on what is shown. */
export const engine = new Engine();
