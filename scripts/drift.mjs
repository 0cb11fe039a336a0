// What the description of a server has that the table of releases has not, and the reverse: npm run drift -- FILE|URL…
// A description is what a server publishes at /swagger.v1.json, or one of test/data/releases. Exits with 1 if one differs.
// What the table has by release-overrides.json, with the reason, is no difference.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { mergedFacts, order, overridesOf, releaseNumber, shapeOf, sinceOf } from "./generate/operations.mjs";

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
  const records = Object.entries(document.definitions ?? {}).map(([name, { properties = {} }]) => [name, properties]);
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

/** @param {string} source */
async function read(source) {
  if (!/^https?:/.test(source)) return JSON.parse(readFileSync(source, "utf8"));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  return response.json();
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) {
  const sources = process.argv.slice(2);
  if (sources.length === 0) throw new Error("Usage: npm run drift -- FILE|URL…");
  for (const source of sources) {
    const document = await read(source);
    const { product, version } = releaseIn(document, source);
    const lines = drift(reduced(document), { product, version });
    console.log(`${product} ${version}: ${lines.length === 0 ? "no difference" : `${lines.length} differences`}`);
    for (const line of lines) console.log(line);
    if (lines.length > 0) process.exitCode = 1;
  }
}
