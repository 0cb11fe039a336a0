// @ts-check
// Matches lines with a regular expression in a worker thread: some patterns take exponential time.
const { parentPort } = require("node:worker_threads");

parentPort?.on("message", (/** @type {{ pattern: RegExp, texts: string[] }} */ { pattern, texts }) => {
  try {
    parentPort?.postMessage({ matches: texts.map((text) => pattern.test(text)) });
  } catch (error) {
    // V8 throws a RangeError when backtracking needs too much memory.
    parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
});
