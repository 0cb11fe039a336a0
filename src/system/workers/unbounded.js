// @ts-check
// Runs work that may not end in a worker thread: a jq program, or a regular expression on lines. `workerData` says which.
const { parentPort, workerData } = require("node:worker_threads");

/**
 * @typedef {object} JqWeb
 * @property {(json: string, program: string, flags: string[]) => string | undefined} raw Throws an error with `stderr`
 *   when jq fails.
 */

/**
 * @typedef {object} Question
 * @property {string} [json] For jq, with a program.
 * @property {string} [program]
 * @property {RegExp} [pattern] For a search, with the lines.
 * @property {string[]} [texts]
 */

/** jq, compiled to WebAssembly. Returns a function that runs a program. */
async function openJq() {
  // jq-web reports what a successful program wrote to stderr as the last argument of console.warn.
  let stderrText = "";
  console.warn = (/** @type {unknown[]} */ ...words) => {
    stderrText = String(words.at(-1));
  };
  // The package's export is a promise.
  // @ts-expect-error The package has no types.
  const jq = await /** @type {Promise<JqWeb>} */ (require("jq-web"));
  return (/** @type {Question} */ { json = "", program = "" }) => {
    stderrText = "";
    // The space keeps jq from reading a program such as `--1` as an option.
    const output = jq.raw(json, ` ${program}`, ["-r", "-c"]) ?? "";
    return { output, stderrText };
  };
}

/** Returns a function that matches lines. Some patterns take exponential time. */
async function openSearch() {
  return (/** @type {Question} */ { pattern, texts = [] }) => ({
    matches: texts.map((text) => pattern?.test(text) === true),
  });
}

const opened = workerData === "jq" ? openJq() : openSearch();

parentPort?.on("message", async (/** @type {Question} */ question) => {
  const answer = await opened;
  try {
    parentPort?.postMessage(answer(question));
  } catch (error) {
    // jq's errors have its stderr. V8 throws a RangeError when backtracking needs too much memory.
    const reason = error instanceof Error && "stderr" in error ? error.stderr : error;
    parentPort?.postMessage({
      failed: reason instanceof Error && workerData !== "jq" ? reason.message : String(reason),
    });
  }
});
