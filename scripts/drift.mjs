// What the description of a server has that the table of releases has not, and the reverse: npm run drift -- FILE|FOLDER|URL…
// A description is what a server publishes at /swagger.v1.json, or one of test/data/releases, all of which are read without
// arguments; for an update, name those of the newest releases and of a server that is built from a main branch. Exits with 1
// if one differs. What is new since the last time is marked; TONGS_DRIFT is the folder that remembers it, by default
// ~/.cache/tongs-drift. What the table has by release-overrides.json, with the reason, is no difference.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { mergedFacts, order, overridesOf, releaseNumber, shapeOf, sinceOf } from "./generate/operations.mjs";
import { top } from "./setup.mjs";

/**
 * @typedef {import("./generate/operations.mjs").Since} Since
 * @typedef {{ query: Record<string, string> }} Described
 * @typedef {{ operations: Record<string, Described>, records: Record<string, Record<string, string>> }} Description
 * @typedef {{ product: "gitea" | "forgejo", version: string }} Release
 */

const facts = mergedFacts();
const overrides = overridesOf();

/**
 * The differences between a description and the table for a release, a line each: `+` has only the description, `-` only
 * the table.
 * @param {Description} described
 * @param {Release} release
 */
export function drift({ operations, records }, release) {
  /** @type {string[]} */
  const lines = [];
  const shapes = new Map(Object.keys(operations).map((key) => [shapeOf(key), key]));
  for (const [key, { query, seen, since }] of Object.entries(facts.operations)) {
    const here = operations[shapes.get(shapeOf(key)) ?? ""];
    shapes.delete(shapeOf(key));
    const known = has({ ...sinceOf(seen, facts.releases), ...since }, release);
    if (!here) {
      if (known && overrides.operations[key] === undefined) lines.push(`- ${key}`);
      continue;
    }
    if (!known) lines.push(`+ ${key}`);
    const own = overrides.operations[key]?.query ?? {};
    lines.push(...fields(`${key} ?`, here.query, query, { release, own, within: seen }));
  }
  lines.push(...[...shapes.values()].map((key) => `+ ${key}`));
  for (const [name, record] of Object.entries(facts.records)) {
    const here = records[name];
    const own = overrides.records[name]?.fields ?? {};
    const within = facts.releases.filter((one) => one.records[name] !== undefined);
    if (here) lines.push(...fields(`${name}.`, here, record.fields, { release, own, within }));
  }
  return lines.sort();
}

/**
 * @param {string} prefix
 * @param {Record<string, string>} here
 * @param {import("./generate/operations.mjs").Fields} table
 * @param {{ release: Release, own: Record<string, string>, within: import("./generate/operations.mjs").Release[] }} options
 */
function fields(prefix, here, table, { release, own, within }) {
  const names = new Map(Object.keys(here).map((name) => [name.toLowerCase(), name]));
  const lines = [];
  for (const [name, { seen }] of Object.entries(table)) {
    const described = names.delete(name.toLowerCase());
    if (Object.hasOwn(own, name)) continue;
    const known = has(sinceOf(seen, facts.releases, within), release);
    if (described !== known) lines.push(`${described ? "+" : "-"} ${prefix}${name}`);
  }
  return [...lines, ...[...names.values()].map((name) => `+ ${prefix}${name}`)];
}

/**
 * @param {Since} since
 * @param {Release} release
 */
function has(since, { product, version }) {
  const from = since[product];
  const until = since.until?.[product];
  if (from === "-" || (from !== undefined && order(version) < order(from))) return false;
  return until === undefined || order(version) < order(until);
}

/**
 * The facts of a description: of OpenAPI 2 as servers publish it, or reduced already.
 * @param {any} document
 * @returns {Description}
 */
export function reduced(document) {
  if (document.operations !== undefined) return document;
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => {
      const query = parameters.filter((/** @type {any} */ one) => one.in === "query");
      const names = query.map((/** @type {any} */ one) => [one.name, one.type]);
      return [`${method.toUpperCase()} ${path}`, { query: Object.fromEntries(names) }];
    }),
  );
  const described = document.definitions ?? document.components?.schemas ?? {};
  const records = Object.entries(described).map(([name, { properties = {} }]) => [name, properties]);
  return { operations: Object.fromEntries(operations), records: Object.fromEntries(records) };
}

/**
 * The release of a description: the version that it says, or the name of its file.
 * @param {any} document
 * @param {string} source
 * @returns {Release}
 */
export function releaseIn(document, source) {
  const said = document.info?.version;
  const [, product, version] = /(gitea|forgejo)-(\d+\.\d+)[^/]*\.json$/.exec(basename(source)) ?? [];
  const number = said === undefined ? version : /^\d+\.\d+/.exec(said)?.[0];
  if (number === undefined) throw new Error(`${source} does not say its version, nor does its name (gitea-1.26.json)`);
  const isForgejo = said === undefined ? product === "forgejo" : said.includes("+gitea-");
  const own = isForgejo ? "forgejo" : "gitea";
  return { product: own, version: releaseNumber(own, number) };
}

/**
 * The lines with those marked that the last comparison with this product did not have, which are then remembered.
 * @param {readonly string[]} lines
 * @param {string} name of the source
 * @param {string} folder that remembers
 */
export function sinceLastTime(lines, name, folder) {
  const file = join(folder, `${name.replace(/[^\w.-]+/g, "-")}.txt`);
  const isFirst = statSync(file, { throwIfNoEntry: false }) === undefined;
  const before = isFirst ? [...lines] : readFileSync(file, "utf8").split("\n");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, lines.join("\n"));
  return lines.map((line) => (before.includes(line) ? line : `${line} (new)`));
}

/** @param {string} source */
async function read(source) {
  if (!/^https?:/.test(source)) return JSON.parse(readFileSync(source, "utf8"));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  return response.json();
}

/** @param {string} source */
function filesIn(source) {
  if (/^https?:/.test(source) || !statSync(source).isDirectory()) return [source];
  const names = readdirSync(source).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => join(source, name));
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) {
  const given = process.argv.slice(2);
  const sources = (given.length === 0 ? [join(top, "test/data/releases")] : given).flatMap(filesIn);
  const memory = process.env["TONGS_DRIFT"] ?? join(homedir(), ".cache", "tongs-drift");
  let differing = 0;
  for (const source of sources) {
    const document = await read(source);
    const { product, version } = releaseIn(document, source);
    const lines = sinceLastTime(drift(reduced(document), { product, version }), source, memory);
    const added = lines.filter((line) => line.endsWith(" (new)")).length;
    const count = `${lines.length} differences${added > 0 ? `, ${added} new since the last time` : ""}`;
    console.log(`${product} ${version}: ${lines.length === 0 ? "no difference" : count}`);
    for (const line of lines) console.log(line);
    if (lines.length > 0) differing += 1;
  }
  console.log(`${sources.length} descriptions, ${differing} with differences`);
  process.exitCode = differing > 0 ? 1 : 0;
}
