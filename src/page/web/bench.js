// Runs the benchmark of `amazons bench` if the page's address ends with `#bench`, and shows its signature and speed.
// `#bench=2000` sets the number of iterations per position; `#bench=2000,plain` uses the WebAssembly module without
// SIMD.

import { $, formatCount, setText } from "./dom.js";
import { t } from "./texts.js";
import { Engine } from "./engine.js";

/** Default number of search iterations per position; the same as that of `amazons bench`. */
const ITERATIONS = 50_000;

/**
 * Result of matching the hash of the page's address with `#bench`, `#bench=ITERATIONS` or `#bench=ITERATIONS,plain`.
 * Group 1 is the number of iterations per position; group 2 is `,plain` if the WebAssembly module without SIMD is
 * wanted. Null for all other addresses.
 */
const hashMatch = /^#bench(?:=(\d+)?(,plain)?)?$/.exec(location.hash);

/**
 * True if the page's address contains `#bench`, which opens the page to run the benchmark. The page then runs no other
 * search and saves no state.
 */
export const isBench = hashMatch !== null;

/**
 * Runs the benchmark in a web worker of its own, and shows on the page: the signature (a checksum of the search
 * results, to compare with other builds), iterations per second, and evaluations by the network per second.
 * @returns {Promise<void>}
 */
export async function runBench() {
  const iterations = Number(hashMatch?.[1] ?? ITERATIONS);
  const engine = new Engine(Boolean(hashMatch?.[2]), Infinity);
  $("bench").hidden = false;
  setText($("bench"), t("benchRunning", formatCount(iterations)));
  try {
    const { signature, iterations: all, evaluations, ms } = await engine.ask({ ask: "bench", iterations });
    const perSecond = (count) => Math.floor(count / ms * 1000);
    setText($("bench"), `signature: ${signature}\niterations/s: ${perSecond(all)}\nevaluations/s: ${perSecond(evaluations)}`);
  } catch (error) {
    setText($("bench"), t("engineFailed", error.message));
  }
  engine.terminate();
}
