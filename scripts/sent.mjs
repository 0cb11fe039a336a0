// Lists the operations of src/forge that no test sends with success to a recording of a server, to the sandbox or to a
// server, from the log of a test run: `TONGS_TEST_REQUESTS=FILE npx vitest run …`, then `node scripts/sent.mjs FILE`.
// Those of test/data/operations-not-sent.txt are left out, except with --all; with --server, only what was sent to a
// server counts. Lists the commands, too, that asked none of them (`unproven`), and those whose records were never printed as
// JSON there (`unprinted`). The exit code is 1 if it lists any.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromSources, loadOperations } from "./generate/coverage.mjs";
import { usage } from "./generate/usage.mjs";
import { top } from "./setup.mjs";

/**
 * The operations that are not in the log, as `METHOD PATH`.
 * @param {string} log
 */
export async function unsent(log, { all = false, server = false } = {}) {
  const operations = (await loadOperations())
    .map(({ operation: { method }, path }) => ({ name: `${method} ${path}`, method, path, pattern: patternOf(path) }))
    // The ones with the most literal text first: a parameter also matches the literal text of another operation.
    .sort((one, other) => literals(other.path) - literals(one.path));
  const sent = new Set();
  for (const line of log.trim().split("\n")) {
    const [answerer, method = "", path = "", status] = line.split("\t");
    if (isMadeUp(answerer) || (server && answerer !== "server") || Number(status) >= 400 || !path.includes("/api/v1/"))
      continue;
    const below = path.slice(path.indexOf("/api/v1") + "/api/v1".length);
    const found = operations.find((one) => one.method === method && one.pattern.test(below));
    if (found !== undefined) sent.add(found.name);
  }
  const known = new Set(all ? [] : readFileSync(join(top, "test/data/operations-not-sent.txt"), "utf8").split("\n"));
  const missing = operations.map(({ name }) => name).filter((name) => !sent.has(name) && !known.has(name));
  return [...new Set(missing)].sort();
}

/**
 * The commands on a server that no test runs on a recording, the sandbox or a server: without a request that succeeds there,
 * which is a write if the command sends any. A plan or a dry run is no proof of a write.
 * @param {string} log
 */
export async function unproven(log) {
  /** @type {Set<string>} */
  const proven = new Set();
  for (const line of log.trim().split("\n")) {
    const [answerer, method, , status, command = ""] = line.split("\t");
    if (isMadeUp(answerer) || Number(status) >= 400) continue;
    proven.add(command);
    if (method !== "GET") proven.add(`${command}, writing`);
  }
  const operations = await loadOperations();
  const writes = new Set(operations.filter(({ operation }) => operation.method !== "GET").map(({ name }) => name));
  const sent = usage(new Set(operations.map(({ name }) => name)));
  return (await loadCommands())
    .filter(({ command: { on } }) => on === "repository" || on === "server")
    .map(({ words, command: { effect } }) => ({ name: words.join(" "), effect }))
    .filter(({ name, effect }) => {
      const isWriting = effect !== "read" && [...(sent.get(name)?.keys() ?? [])].some((one) => writes.has(one));
      return !proven.has(isWriting ? `${name}, writing` : name);
    })
    .map(({ name }) => name)
    .sort();
}

/**
 * The commands that print records, of which no test printed any as JSON, where they are held against `tongs schema`
 * (test/support/records.ts).
 * @param {string} log
 */
export async function unprinted(log) {
  const lines = log.split("\n").flatMap((line) => (line.startsWith("printed\t") ? [line.slice(8)] : []));
  const printed = new Set(lines);
  return (await loadCommands())
    .filter(({ words, command: { output } }) => output !== undefined && !printed.has(words.join(" ")))
    .map(({ words }) => words.join(" "))
    .sort();
}

/**
 * Whether the test made up the answer, or took that to another request.
 * @param {string | undefined} answerer
 */
const isMadeUp = (answerer) => ["test", "stand-in", "printed"].includes(answerer ?? "");

/** @returns {Promise<{ words: readonly string[], command: { on: string, effect: string, output?: unknown } }[]>} */
async function loadCommands() {
  const { allCommands, table } = await fromSources("src/command/write-help.ts", "src/commands/index.ts");
  return allCommands(table);
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

if (process.argv[1] === import.meta.filename) {
  const [file = "", ...flags] = process.argv.slice(2);
  const missing = await unsent(readFileSync(file, "utf8"), {
    all: flags.includes("--all"),
    server: flags.includes("--server"),
  });
  const commands = await unproven(readFileSync(file, "utf8"));
  const silent = await unprinted(readFileSync(file, "utf8"));
  const listed = [
    ...missing,
    ...commands.map((command) => `tongs ${command}`),
    ...silent.map((command) => `tongs ${command} --json`),
  ];
  for (const name of listed) console.log(name);
  process.exitCode = listed.length === 0 ? 0 : 1;
}
