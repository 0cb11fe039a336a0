// @ts-check
// Runs jq, compiled to WebAssembly, in a worker thread: a jq program may not end.
const { parentPort } = require("node:worker_threads");

/**
 * @typedef {object} JqWeb
 * @property {(json: string, program: string, flags: string[]) => string | undefined} raw Throws an error with `stderr`
 *   when jq fails.
 */

// The package's export is a promise.
// @ts-expect-error The package has no types.
const loading = /** @type {Promise<JqWeb>} */ (require("jq-web"));

// jq-web reports what a successful program wrote to stderr as the last argument of console.warn.
let stderrText = "";
console.warn = (/** @type {unknown[]} */ ...words) => {
  stderrText = String(words.at(-1));
};

parentPort?.on("message", async (/** @type {{ json: string, program: string }} */ { json, program }) => {
  const jq = await loading;
  stderrText = "";
  try {
    // The space keeps jq from reading a program such as `--1` as an option.
    const output = jq.raw(json, ` ${program}`, ["-r", "-c"]) ?? "";
    parentPort?.postMessage({ output, stderrText });
  } catch (error) {
    const stderr = error instanceof Error && "stderr" in error ? error.stderr : error;
    parentPort?.postMessage({ failed: String(stderr) });
  }
});
