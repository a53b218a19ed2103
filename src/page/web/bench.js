// Runs the benchmark of `amazons bench` if the page's address ends with `#bench`, and shows its signature and speed.
// `#bench=2000` sets the number of iterations per position; `#bench=2000,plain` uses the WebAssembly module without
// SIMD.

import { $, formatCount, setText } from "./dom.js";
import { t } from "./texts.js";
import { Engine } from "./engine.js";

/** Default number of search iterations per position, as in `amazons bench`. */
const ITERATIONS = 50_000;

/**
 * Match of `#bench=ITERATIONS,plain` in the page's address (both parameters are optional); null if the page is opened
 * normally.
 */
const hashMatch = /^#bench(?:=(\d+)?(,plain)?)?$/.exec(location.hash);

/** Whether the page was opened to run the benchmark. No other search runs then, and no state is saved. */
export const isBench = hashMatch !== null;

/**
 * Runs the benchmark in an engine of its own; shows the signature, and iterations and evaluations per second.
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
