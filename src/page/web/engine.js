// `Engine`: the page's client of the game engine, which runs as WebAssembly in a web worker. Sends requests to the
// worker and returns promises of the responses.

import { $ } from "./dom.js";
import { t } from "./texts.js";

/**
 * Results of a search: win probability, candidate moves, visits and other fields (see `search_results_json` in
 * ../engine/lib.rs).
 * @typedef {Record<string, any>} Findings
 */

/** Default size of the search tree in MiB. The query `?memory=64` in the page's address selects another size. */
const MEMORY_MB = 128;

/** Maximum size of the search tree in MiB: half of the 4 GiB that a WebAssembly module can address. */
const MAX_MEMORY_MB = 2048;

/**
 * Size of the search tree in MiB: the query parameter `memory` of the page's address, by default `MEMORY_MB`; at most
 * `MAX_MEMORY_MB`.
 */
const memoryMb = Math.min(Number(/\bmemory=(\d+)/.exec(location.search)?.[1] ?? MEMORY_MB), MAX_MEMORY_MB);

/**
 * Time in seconds after which a worker that has sent no message during a request is considered dead. A working search
 * sends results several times a second.
 */
const TIMEOUT_S = 30;

/**
 * The engine's WebAssembly modules, compressed and encoded as text, which the page contains as JSON (see `Modules` in
 * worker.js). Null in a page without an engine.
 */
const MODULES = JSON.parse($("engine").textContent);

/**
 * True if the page contains an engine. Only a report (a page with analysed games) may have been written without one;
 * such a report shows its games but cannot search.
 */
export const hasEngine = MODULES !== null;

/** Whether the browser supports what the engine needs: WebAssembly, web workers and `DecompressionStream`. */
export const canRun = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

/**
 * Client of the game engine: starts the engine in a web worker, sends requests to it and returns promises of the
 * responses. The worker starts at the first request, and restarts at the first request after a failure.
 */
export class Engine {
  /**
   * Creates a client. The worker starts at the first request.
   * @param {boolean} [plain] whether to use the WebAssembly module without SIMD in any case
   * @param {number} [timeoutSeconds] seconds without a message after which a busy worker is considered dead
   */
  constructor(plain = false, timeoutSeconds = TIMEOUT_S) {
    this.plain = plain;
    this.timeoutSeconds = timeoutSeconds;
    /** Id of the latest request to the worker; the first request has the id 1. */
    this.lastId = 0;
    /**
     * The requests to the worker that have not been answered yet, by id. `resolve` and `reject` settle the promise of
     * the request; `onFindings` is called with the interim results of a search.
     * @type {Map<number, { resolve: (response: any) => void, reject: (error: Error) => void, onFindings?: (findings: Findings) => void }>}
     */
    this.pendingRequests = new Map();
    /** The web worker; null while it is not running. @type {Worker | null} */
    this.worker = null;
    /** Seconds since the worker's last message; counted only while a request has not been answered yet. */
    this.silentSeconds = 0;
    /** Id of the timer that calls `checkSilence` once a second to detect a dead worker; 0 while the timer is off. */
    this.watchdog = 0;
  }

  /**
   * Sends a request to the engine. Returns a promise that resolves with the response, or rejects with the engine's
   * error message.
   * @param {object} request one of the requests of ../engine/request.rs @returns {Promise<any>}
   */
  ask(request) {
    return this.send({ request });
  }

  /**
   * Parses all games of a file. Resolves with a list `games`, which has one object for each game of the file: a parsed
   * game (see `gameFromResponse` in files.js), or for an invalid game an object whose field `error` is the error
   * message.
   * @param {Uint8Array} file content of the file @returns {Promise<{ games: Record<string, any>[] }>}
   */
  read(file) {
    return this.send({ file });
  }

  /**
   * Searches a position until its result is proven, a limit is reached, or another search begins; resolves with the
   * results at that time.
   * @param {{ position: import("./rules.js").Position, candidates: number, ms?: number, iterations?: number, afresh?: boolean }} task
   * `candidates` is the number of best moves to report. `ms` (milliseconds) and `iterations` are the limits; without
   * them the search is unlimited. If `afresh` is true, the engine clears the search tree first.
   * @param {(findings: Findings) => void} [onFindings] receives interim results several times a second
   * @returns {Promise<Findings>}
   */
  search({ position, afresh, ...limits }, onFindings) {
    const setting = { cells: position.cells, to_move: position.toMove, moves: [], memory_mb: memoryMb, afresh };
    return this.send({ search: { setting, ...limits } }, onFindings);
  }

  /**
   * Draws `count` random legal moves and returns the one with the best static evaluation, such as `c1 c6 f6`; null if
   * there is no legal move. The bot's weakest levels play this way.
   * @param {import("./rules.js").Position} position @param {number} count
   * @param {number} seed of the random generator, an integer from 0 to 2³² − 1
   * @returns {Promise<string | null>}
   */
  async sampleMove(position, count, seed) {
    const setting = { cells: position.cells, to_move: position.toMove, moves: [], memory_mb: memoryMb };
    return (await this.send({ sample_move: { setting, count, seed } })).move;
  }

  /** Stops the running search. The promise of the search resolves with the results so far. */
  stop() {
    this.worker?.postMessage({ stop: true });
  }

  /** Terminates the worker. The promises of all pending requests are rejected with an `EngineTerminated` error. */
  terminate() {
    this.failAll(new EngineTerminated());
  }

  /**
   * Sends a message to the worker with a new request id, and returns a promise of the response. The promise rejects if
   * the engine reports an error, or if the worker fails or is terminated. `onFindings`, if given, receives the interim
   * results of a search.
   */
  send(message, onFindings) {
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      this.pendingRequests.set(id, { resolve, reject, onFindings });
      this.ensureWorker().postMessage({ id, ...message });
      this.silentSeconds = 0;
      this.watchdog ||= window.setInterval(() => this.checkSilence(), 1000);
    });
  }

  /**
   * Runs once a second while requests are pending: terminates the worker and rejects all requests if the worker has
   * sent no message for `timeoutSeconds`.
   */
  checkSilence() {
    this.silentSeconds += 1;
    if (this.silentSeconds >= this.timeoutSeconds) this.failAll(new Error(t("engineSilent")));
    if (this.pendingRequests.size) return;
    clearInterval(this.watchdog);
    this.watchdog = 0;
  }

  /** Returns the web worker. If no worker is running, first starts one from the script embedded in the page. */
  ensureWorker() {
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

  /**
   * Handles a message of the worker about the request `id`: passes interim results (`findings`) to the request's
   * callback, or settles the request's promise with the `response` or the `error`. If `isTrap` is true, the WebAssembly
   * module has crashed; the worker is then terminated.
   */
  receive({ id, findings, response, error, isTrap }) {
    this.silentSeconds = 0;
    const request = this.pendingRequests.get(id);
    if (findings) {
      request?.onFindings?.(findings);
      return;
    }
    this.pendingRequests.delete(id);
    if (error === undefined) request?.resolve(response);
    else request?.reject(new Error(error));
    // After a WebAssembly trap (such as a failed assertion) the memory of the module may be inconsistent. The worker is
    // therefore terminated, and the next request starts a new one.
    if (isTrap) this.failAll(new Error(error));
  }

  /** Terminates the worker, and rejects the promises of all pending requests with `error`. */
  failAll(error) {
    this.worker?.terminate();
    this.worker = null;
    const requests = [...this.pendingRequests.values()];
    this.pendingRequests.clear();
    requests.forEach(({ reject }) => reject(error));
  }
}

/** Error with which pending requests reject if `Engine.terminate` is called. Callers do not show it to the user. */
export class EngineTerminated extends Error {}

/** The engine that plays the bots' moves, analyses the position on the board, and reads and writes game files. */
export const engine = new Engine();
