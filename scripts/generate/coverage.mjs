// Writes docs/coverage.md: every operation that a release of Gitea or Forgejo describes, with the commands that send it.
/**
 * @typedef {{ name: string, operation: { method: string, path: string }, path: string }} PlacedOperation
 * @typedef {{ method: string, path: string, servers: string[], commands: string[], reason: string | undefined }} Row
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSources } from "../bundle.mjs";
import { top } from "../setup.mjs";
import { mergedFacts, shapeOf } from "./operations.mjs";
import { usage } from "./usage.mjs";

export async function generate() {
  const rows = await coverage();
  const page = coveragePage(rows);
  writeFileSync(join(top, "docs/coverage.md"), page);
  console.log(
    `${rows.filter(({ commands }) => commands.length > 0).length} of ${rows.length} operations in docs/coverage.md`,
  );
}

/**
 * The operations of all releases, each with the commands that send it, the most direct ones first.
 * @returns {Promise<Row[]>}
 */
export async function coverage() {
  const placed = await loadOperations();
  const commands = usage(new Set(placed.map(({ name }) => name)));
  /** @type {Map<string, string[]>} */
  const names = new Map();
  for (const { name, operation, path } of placed) {
    const shape = shapeOf(`${operation.method} ${path}`);
    names.set(shape, [...(names.get(shape) ?? []), name]);
  }
  return Object.entries(mergedFacts().operations).map(([key, { seen }]) => {
    const [method = "", path = ""] = key.split(" ");
    /** @type {Map<string, number>} */
    const distances = new Map();
    for (const name of names.get(shapeOf(key)) ?? []) {
      for (const [command, found] of commands) {
        const distance = found.get(name);
        if (distance === undefined) continue;
        distances.set(command, Math.min(distance, distances.get(command) ?? distance));
      }
    }
    const nearest = Math.min(...distances.values());
    const direct = [...distances].filter(([, distance]) => distance === nearest).map(([command]) => command);
    direct.sort((one, other) => rank(one, method) - rank(other, method) || (one < other ? -1 : 1));
    const servers = [...new Set(seen.map(({ product }) => product))].sort();
    return { method, path, servers, commands: direct, reason: reasons.get(key) };
  });
}

/**
 * Why operations have no command (coverage-reasons.json), by `METHOD PATH`.
 * @type {ReadonlyMap<string, string>}
 */
export const reasons = new Map(
  Object.entries(JSON.parse(readFileSync(join(top, "scripts/generate/coverage-reasons.json"), "utf8"))).flatMap(
    ([reason, operations]) => operations.map((/** @type {string} */ operation) => [operation, reason]),
  ),
);

/**
 * The operations of src/forge at all their levels.
 * @returns {Promise<PlacedOperation[]>}
 */
export async function loadOperations() {
  return (await fromSources("src/forge/all-operations.ts")).placedOperations;
}

/**
 * What modules of the sources export.
 * @param {readonly string[]} modules
 */
export async function fromSources(...modules) {
  mkdirSync(join(top, "node_modules", ".cache"), { recursive: true });
  const scratch = mkdtempSync(join(top, "node_modules", ".cache", "sources-"));
  const exported = await loadSources(modules, scratch);
  rmSync(scratch, { recursive: true });
  return exported;
}

/** @type {Readonly<Record<string, readonly string[]>>} */
const verbs = {
  GET: ["list", "view", "get", "show", "jobs", "check"],
  POST: ["create", "add", "set", "upload", "run"],
  PUT: ["add", "set", "edit", "update"],
  PATCH: ["edit", "rename", "set"],
  DELETE: ["delete", "remove"],
};

/**
 * Commands whose verb is what the method is for come first.
 * @param {string} command
 * @param {string} method
 */
function rank(command, method) {
  const at = (verbs[method] ?? []).indexOf(command.split(" ").at(-1) ?? "");
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}

/** @param {readonly Row[]} rows */
export function coveragePage(rows) {
  const covered = rows.filter(({ commands }) => commands.length > 0);
  const table = rows.map(({ method, path, servers, commands, reason }) => {
    const shown = commands.slice(0, 3).map((command) => `\`${command}\``);
    const command = shown.length > 0 ? shown.join(", ") : `(${reason ?? "`api`"})`;
    return `| ${method} | \`${path}\` | ${servers.length === 2 ? "both" : (servers[0] ?? "undescribed")} | ${command} |`;
  });
  return [
    "# Coverage of the API",
    "",
    "The operations of Gitea and Forgejo and the commands that use them; in brackets, why there is none. `tongs api` sends all.",
    "This page is generated from the descriptions of 18 releases and the commands by `npm run generate`.",
    "",
    `${covered.length} of ${rows.length} operations have a command.`,
    "",
    "| method | path | server | commands |",
    "| --- | --- | --- | --- |",
    ...table,
    "",
  ].join("\n");
}
