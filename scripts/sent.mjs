// Lists the operations that the description of the service names and that no test sends with success to a recording of a
// server, to the sandbox or to a server, from the log of a test run: `TONGS_TEST_REQUESTS=FILE npx vitest run …`, then
// `node scripts/sent.mjs FILE`. With --all, lists the other operations, too; with --server, only what was sent to a server
// counts. The exit code is 1 if it lists any.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "./setup.mjs";

/** @typedef {ReturnType<typeof readOperations>[number]} Operation */

/**
 * The operations of docs/operations.tsv that are not in the log, as `METHOD PATH`.
 * @param {string} log
 */
export function unsent(log, { all = false, server = false } = {}) {
  const operations = readOperations();
  const sent = new Set();
  for (const line of log.trim().split("\n")) {
    const [answerer, method = "", path = "", status] = line.split("\t");
    if (answerer === "test" || (server && answerer !== "server") || Number(status) >= 400 || !path.includes("/api/v1/"))
      continue;
    const found = operationOf(operations, method, path.slice(path.indexOf("/api/v1") + "/api/v1".length));
    if (found !== undefined) sent.add(found);
  }
  return operations
    .filter((one) => (all || one.mission) && !sent.has(one))
    .map(({ method, path }) => `${method} ${path}`);
}

function readOperations() {
  const [, ...lines] = readFileSync(join(top, "docs/operations.tsv"), "utf8").trim().split("\n");
  const operations = lines.map((line) => {
    const [method = "", path = "", , mission] = line.split("\t");
    return { method, path, mission: mission === "mission", pattern: patternOf(path) };
  });
  // The ones with the most literal text first: a parameter also matches the literal text of another operation.
  return operations.sort((one, other) => literals(other.path) - literals(one.path));
}

/** @param {string} path */
function literals(path) {
  return path.replace(/\{[^}]*\}/g, "").length;
}

/**
 * A path as a pattern; a parameter at its end, such as the path of a file, can have slashes.
 * @param {string} path
 */
function patternOf(path) {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{[^}]*\}$/, ".+").replace(/\{[^}]*\}/g, "[^/]+")}/?$`);
}

/**
 * @param {readonly Operation[]} operations
 * @param {string} method
 * @param {string} path
 */
function operationOf(operations, method, path) {
  return operations.find((one) => one.method === method && one.pattern.test(path));
}

if (process.argv[1] === import.meta.filename) {
  const [file = "", ...flags] = process.argv.slice(2);
  const missing = unsent(readFileSync(file, "utf8"), {
    all: flags.includes("--all"),
    server: flags.includes("--server"),
  });
  for (const operation of missing) console.log(operation);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
