// Writes src/forge/generated: what 18 releases of Gitea and Forgejo describe of their operations (test/data/releases),
// corrected by release-overrides.json. `operations.ts` has the types of queries and bodies; `since.ts` says which releases have
// the operations that not all have; `facts.ts` has the rest, and is loaded only where that is needed; `answers.ts` has the
// fields of responses. `areas.ts` names the files of src/forge with operations.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../setup.mjs";

/**
 * @typedef {{ id?: string, query: Record<string, string>, body?: string, form?: Record<string, string>, answers: Record<string, string> }} Described
 * @typedef {{ product: string, version: string, operations: Record<string, Described>, records: Record<string, Record<string, string>>, required: Record<string, string[]> }} Release
 * @typedef {{ type: string, seen: Release[] | "all" }} Field
 * @typedef {Record<string, Field>} Fields
 * @typedef {{ gitea?: string, forgejo?: string, until?: Record<string, string> }} Since
 * @typedef {Record<string, Record<string, string>>} Ignored by product, the fields with the labels of what proves it
 * @typedef {Omit<Described, "query"> & { query: Fields, seen: Release[], since?: Since, ignored?: Ignored }} Operation
 * @typedef {{ fields: Fields, required: string[], ignored?: Ignored }} RecordOfFields
 * @typedef {{ releases: Release[], operations: Record<string, Operation>, records: Record<string, RecordOfFields> }} Facts
 * @typedef {Partial<Omit<Described, "query">> & { reason: string, query?: Record<string, string>, since?: Since, ignored?: Ignored }} OperationOverride
 * @typedef {{ reason: string, fields?: Record<string, string>, required?: string[], ignored?: Ignored }} RecordOverride
 * @typedef {{ operations: Record<string, OperationOverride>, records: Record<string, RecordOverride>, behaviors: Record<string, { reason: string, since: Since }> }} Overrides
 */

const folder = join(top, "test/data/releases");

export function generate() {
  for (const [file, text] of Object.entries(sources())) writeFileSync(join(top, "src/forge/generated", file), text);
  console.log("src/forge/generated");
}

/** The texts of the generated files, by name. */
export function sources() {
  const facts = mergedFacts();
  return {
    "operations.ts": typesOf(facts),
    "since.ts": sinceTable(facts),
    "facts.ts": runtimeOf(facts),
    "answers.ts": answersOf(facts),
    "areas.ts": areas(),
  };
}

/** The files of src/forge that have operations. */
function areas() {
  const folder = join(top, "src/forge");
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const found = files.filter((file) =>
    /^export const \w+ = operation\(/m.test(readFileSync(join(folder, file), "utf8")),
  );
  const name = (/** @type {string} */ file) => file.slice(0, -3).replace(/-./g, (dash) => dash.slice(1).toUpperCase());
  const lines = found.sort().map((file) => `export * as ${name(file)} from "../${file}";\n`);
  return `// Made by scripts/generate/operations.mjs of the files of src/forge; do not edit.\n\n${lines.join("")}`;
}

/**
 * The path with parameters without names, and the method: operations are compared by it.
 * @param {string} key
 */
export function shapeOf(key) {
  return key.replace(/\{[^}]*\}/g, "{}").toLowerCase();
}

/**
 * The operations and records of all releases, with the releases that have them.
 * @returns {Facts}
 */
export function mergedFacts() {
  const releases = readReleases();
  const overrides = overridesOf();
  /** @type {Record<string, Operation>} */
  const operations = {};
  /** @type {Record<string, RecordOfFields>} */
  const records = {};
  /** @type {Map<string, string>} */
  const keys = new Map();
  // The newest release comes first: its names and types apply, those of Gitea before those of Forgejo.
  for (const release of releases) {
    for (const [name, described] of Object.entries(release.operations)) {
      const key = keys.get(shapeOf(name)) ?? name;
      keys.set(shapeOf(name), key);
      operations[key] ??= {
        ...(described.id ? { id: described.id } : {}),
        query: {},
        answers: described.answers,
        seen: [],
      };
      const operation = operations[key];
      operation.seen.push(release);
      if (described.body) operation.body ??= described.body;
      if (described.form) operation.form ??= described.form;
      for (const [parameter, type] of Object.entries(described.query)) add(operation.query, parameter, type, release);
    }
    for (const [name, fields] of Object.entries(release.records)) {
      records[name] ??= { fields: {}, required: release.required[name] ?? [] };
      const record = records[name];
      for (const [field, type] of Object.entries(fields)) add(record.fields, field, type, release);
    }
  }
  const all = { releases, operations: sorted(operations), records: sorted(records) };
  applyOverrides(all, overrides);
  return all;
}

/**
 * A field with its type; the spelling of the oldest release is kept, which every release reads.
 * @param {Fields} fields
 * @param {string} name
 * @param {string} type
 * @param {Release} release
 */
function add(fields, name, type, release) {
  const [known, field] = Object.entries(fields).find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
  if (known !== undefined) delete fields[known];
  const seen = field === undefined || field.seen === "all" ? [] : field.seen;
  fields[name] = { type: field?.type ?? type, seen: [...seen, release] };
}

/** @returns {Overrides} */
export function overridesOf() {
  return JSON.parse(readFileSync(join(import.meta.dirname, "release-overrides.json"), "utf8"));
}

/** @returns {Release[]} */
function readReleases() {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const read = names.map((name) => {
    const [, product = "", version = ""] = /^(gitea|forgejo)-(.*)\.json$/.exec(name) ?? [];
    return {
      product,
      version: releaseNumber(product, version),
      ...JSON.parse(readFileSync(join(folder, name), "utf8")),
    };
  });
  return read.sort((one, other) =>
    one.product === other.product ? order(other.version) - order(one.version) : one.product === "gitea" ? -1 : 1,
  );
}

/**
 * A number by which releases compare.
 * @param {string} version
 */
export function order(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major * 1000 + minor;
}

/**
 * The release of a version: `1.26` of Gitea 1.26.0, `28` of 28.1.0 (which dropped the "1."), `16.0` of Forgejo 16.0.1.
 * @param {string} product
 * @param {string} version
 */
export function releaseNumber(product, version) {
  const number = product === "gitea" ? /^(1\.\d+|\d+)/ : /^\d+\.\d+/;
  return number.exec(version)?.[0] ?? version;
}

/**
 * Corrections: operations that no release describes, fields that servers take, and releases that practice shows.
 * @param {Facts} facts
 * @param {Overrides} overrides
 */
function applyOverrides({ operations, records }, overrides) {
  for (const [key, { reason: _reason, query, since, ...rest }] of Object.entries(overrides.operations)) {
    operations[key] ??= { query: {}, answers: {}, seen: [] };
    const operation = Object.assign(operations[key], rest);
    for (const [name, type] of Object.entries(query ?? {})) operation.query[name] = { type, seen: "all" };
    if (since) operation.since = since;
    else if (operation.seen.length === 0) operation.since = {};
  }
  for (const [name, { reason: _reason, fields, required, ignored }] of Object.entries(overrides.records)) {
    records[name] ??= { fields: {}, required: [] };
    const record = records[name];
    for (const [field, type] of Object.entries(fields ?? {})) record.fields[field] = { type, seen: "all" };
    if (required) record.required = required;
    if (ignored) record.ignored = ignored;
  }
}

/**
 * The first release of each product that has something, if its oldest has it not; "-" if none has it.
 * @param {Release[] | "all"} seen
 * @param {Release[]} releases
 * @returns {Since}
 */
export function sinceOf(seen, releases, within = releases) {
  if (seen === "all") return {};
  /** @type {Since} */
  const found = {};
  for (const product of /** @type {const} */ (["gitea", "forgejo"])) {
    const base = within.filter((one) => one.product === product);
    if (base.length === 0) continue;
    const having = seen.filter((one) => one.product === product);
    const oldest = having.at(-1);
    if (oldest === undefined) found[product] = "-";
    else if (oldest !== base.at(-1)) found[product] = oldest.version;
    const newest = base[0];
    if (oldest !== undefined && newest !== undefined && !having.includes(newest)) {
      // The releases are in order, the newest first.
      const own = releases.filter((one) => one.product === product);
      const last = own.indexOf(having[0] ?? oldest);
      found.until = { ...found.until, [product]: own[last - 1]?.version ?? "" };
    }
  }
  return found;
}

const head = "// Made by scripts/generate/operations.mjs of the descriptions of 18 releases; do not edit.";

/** @param {Facts} facts */
function sinceTable(facts) {
  const { releases, operations } = facts;
  /** @param {string} product */
  const versions = (product) => releases.filter((one) => one.product === product).map(({ version }) => version);
  const rows = Object.entries(operations).flatMap(([key, { seen, since }]) => {
    const own = { ...sinceOf(seen, releases), ...since };
    // What no description has is sent: practice shows who has it.
    const isDescribed = own.gitea !== "-" || own.forgejo !== "-";
    return !isDescribed || Object.keys(own).length === 0
      ? []
      : [`${JSON.stringify(shapeOf(key))}: ${JSON.stringify(own)},`];
  });
  return `${head}

/**
 * Since when something exists. Without a product, its oldest known release has it; \`-\`: no release has it. \`until\`: the first
 * releases that have it no longer.
 */
export interface Since {
  readonly gitea?: string;
  readonly forgejo?: string;
  readonly until?: { readonly gitea?: string; readonly forgejo?: string };
}

/** What servers do since a release that no description tells. */
export const behaviors = ${JSON.stringify(behaviors())} satisfies Record<string, Since>;

/** The known releases, the newest first. */
export const releases = ${JSON.stringify({ gitea: versions("gitea"), forgejo: versions("forgejo") })};

/** The operations that not all releases have, by method and path with parameters without names. */
export const since: Readonly<Record<string, Since>> = {
${rows.join("\n")}
};

/** The operations that servers have, though the newest description of their product does not name them. */
export const undescribed: readonly string[] = ${JSON.stringify(undescribed(facts))};

/** A field that servers of these products ignore in releases that do not have it, as recordings prove. */
export interface IgnoredField extends Since {
  readonly by: readonly ("gitea" | "forgejo")[];
}

/** The fields of queries and bodies that are ignored, by operation as in \`since\`. */
export const ignoredFields: Readonly<Record<string, Readonly<Record<string, IgnoredField>>>> = {
${ignoredRows(facts).join("\n")}
};
`;
}

/** @param {Facts} facts */
function undescribed({ releases, operations }) {
  const newest = releases.filter(({ product }, index) => product !== releases[index - 1]?.product);
  const found = Object.entries(operations).filter(([, { seen, since }]) => {
    const own = { ...sinceOf(seen, releases), ...since };
    return newest.some((release) => {
      const product = /** @type {"gitea" | "forgejo"} */ (release.product);
      return own[product] !== "-" && own.until?.[product] === undefined && !seen.includes(release);
    });
  });
  return found.map(([key]) => shapeOf(key));
}

/** What servers do since which releases, without the reasons. */
function behaviors() {
  return Object.fromEntries(Object.entries(overridesOf().behaviors).map(([name, { since }]) => [name, since]));
}

/** @param {Facts} facts */
function ignoredRows({ releases, operations, records }) {
  return Object.entries(operations).flatMap(([key, { query, body = "", seen, ignored: inQuery = {} }]) => {
    /** @type {RecordOfFields} */
    const { fields, ignored: inBody = {} } = records[body] ?? { fields: {}, required: [] };
    const having = releases.filter((one) => one.records[body] !== undefined);
    /** @type {Record<string, Since & { by: string[] }>} */
    const found = {};
    for (const [ignored, all, within] of /** @type {const} */ ([
      [inQuery, query, seen],
      [inBody, fields, having],
    ])) {
      for (const [product, names] of Object.entries(ignored)) {
        for (const name of Object.keys(names)) {
          const since = sinceOf(all[name]?.seen ?? "all", releases, within);
          found[name] = { ...since, by: [...(found[name]?.by ?? []), product] };
        }
      }
    }
    return Object.keys(found).length === 0 ? [] : [`${JSON.stringify(shapeOf(key))}: ${JSON.stringify(found)},`];
  });
}

/** The types of what is generated. */
const interfaces = `/** A field or a query parameter: its type (\`string\`, \`integer:int64\`, \`User[]\`, \`string(open|closed)\`) and its releases. */
export type FieldFacts = string | (Since & { readonly type: string });

/** What the descriptions of all releases say of an operation. */
export interface OperationFacts {
  /** Its name in the description: \`issueEditLabel\`. */
  readonly id?: string;
  readonly query: Readonly<Record<string, FieldFacts>>;
  /** The record of its body. */
  readonly body?: string;
  readonly form?: Readonly<Record<string, string>>;
  /** The records of its answers, by status below 300. */
  readonly answers: Readonly<Record<string, string>>;
}

/** What the descriptions say of a record that is sent. */
export interface RecordFacts {
  readonly fields: Readonly<Record<string, FieldFacts>>;
  readonly required: readonly string[];
}
`;

/**
 * The names of the records that types are made of, sorted.
 * @param {Facts} facts
 * @param {(string | undefined)[]} types
 */
function recordsIn({ records }, types) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {string} [name] */
  const add = (name) => {
    const inner = /^(?:map<)?(\w+)/.exec(name ?? "")?.[1];
    const record = inner === undefined ? undefined : records[inner];
    if (inner === undefined || record === undefined || found.has(inner)) return;
    found.add(inner);
    for (const { type } of Object.values(record.fields)) add(type);
  };
  for (const type of types) add(type);
  return [...found].sort();
}

/**
 * The fields of a record, with their releases.
 * @param {Facts} facts
 * @param {string} name
 */
function fieldsOf({ releases, records }, name) {
  const having = releases.filter((one) => one.records[name] !== undefined);
  const fields = Object.entries(records[name]?.fields ?? {}).map(([field, { type, seen }]) => [
    field,
    withSince(type, sinceOf(seen, releases, having)),
  ]);
  return Object.fromEntries(fields);
}

/** @param {Facts} facts */
function runtimeOf(facts) {
  const { releases, operations, records } = facts;
  const described = Object.entries(operations).map(([key, one]) => {
    const query = Object.entries(one.query).map(([name, { type, seen }]) => [
      name,
      withSince(type, sinceOf(seen, releases, one.seen)),
    ]);
    const answers = Object.fromEntries(Object.entries(one.answers).filter(([status]) => status < "300"));
    return [key, { id: one.id, query: Object.fromEntries(query), body: one.body, form: one.form, answers }];
  });
  const bodies = recordsIn(
    facts,
    Object.values(operations).map(({ body }) => body),
  );
  const shapes = bodies.map((name) => [
    name,
    { fields: fieldsOf(facts, name), required: records[name]?.required ?? [] },
  ]);
  return [
    head,
    "",
    'import type { Since } from "./since.ts";',
    "",
    interfaces,
    "export const operationFacts: Readonly<Record<string, OperationFacts>> = {",
    ...described.map(([key, facts]) => `${JSON.stringify(key)}: ${JSON.stringify(facts)},`),
    "};",
    "",
    "/** The records that bodies of requests are made of. */",
    "export const recordFacts: Readonly<Record<string, RecordFacts>> = {",
    ...shapes.map(([key, facts]) => `${JSON.stringify(key)}: ${JSON.stringify(facts)},`),
    "};",
    "",
  ].join("\n");
}

/** @param {Facts} facts */
function answersOf(facts) {
  const types = Object.values(facts.operations).flatMap(({ answers }) => Object.values(answers));
  return [
    head,
    "",
    'import type { FieldFacts } from "./facts.ts";',
    "",
    "/** The fields of the records that responses are made of. */",
    "export const answerFacts: Readonly<Record<string, Readonly<Record<string, FieldFacts>>>> = {",
    ...recordsIn(facts, types).map((name) => `${JSON.stringify(name)}: ${JSON.stringify(fieldsOf(facts, name))},`),
    "};",
    "",
  ].join("\n");
}

/**
 * @param {string} type
 * @param {Since} since
 */
function withSince(type, since) {
  return Object.keys(since).length === 0 ? type : { type, ...since };
}

/** @param {Facts} facts */
function typesOf({ operations, records }) {
  /** @type {Set<string>} */
  const used = new Set();
  /**
   * @param {string} described
   * @returns {string}
   */
  const type = (described) => {
    if (described.endsWith("[]")) return `readonly ${paren(type(described.slice(0, -2)))}[]`;
    const words = /^string\((.*)\)$/.exec(described)?.[1];
    if (words !== undefined)
      return `${words
        .split("|")
        .map((word) => JSON.stringify(word))
        .join(" | ")} | Other`;
    const [name = ""] = described.split(":");
    const inner = /^map<(.*)>$/.exec(described)?.[1];
    if (inner !== undefined) return `Readonly<Record<string, ${inner === "" ? "unknown" : type(inner)}>>`;
    if (name === "string" || name === "boolean") return name;
    if (name === "integer" || name === "number") return "number";
    if (records[name] === undefined) return "unknown";
    used.add(name);
    return name;
  };
  const lines = Object.entries(operations).map(([key, { query, body, form }]) => {
    const parameters = Object.entries(query).map(([name, one]) => `${property(name)}?: ${type(one.type)} | undefined`);
    const parts = [`query: { ${parameters.join("; ")} }`];
    if (body !== undefined) parts.push(`body: ${type(body)}`);
    if (form !== undefined) parts.push(`form: ${JSON.stringify(form)}`);
    return `  ${JSON.stringify(key)}: { ${parts.join("; ")} };`;
  });
  const interfaces = [];
  for (const name of used) {
    const { fields, required } = records[name] ?? { fields: {}, required: [] };
    /** @param {string} field */
    const isRequired = (field) => required.some((one) => one.toLowerCase() === field.toLowerCase());
    const rows = Object.entries(fields).map(([field, one]) =>
      isRequired(field)
        ? `  readonly ${property(field)}: ${type(one.type)};`
        : `  readonly ${property(field)}?: ${type(one.type)} | undefined;`,
    );
    interfaces.push(`export interface ${name} {\n${rows.join("\n")}\n}`);
  }
  return [
    head,
    "",
    "/** A value that no description names. */",
    "type Other = string & {};",
    "",
    "/** The query and the body of each operation. */",
    "export interface Operations {",
    ...lines,
    "}",
    "",
    ...interfaces.sort().flatMap((one) => [one, ""]),
  ].join("\n");
}

/** @param {string} name */
function property(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** @param {string} type */
function paren(type) {
  return type.includes("|") ? `(${type})` : type;
}

/**
 * @template T
 * @param {Record<string, T>} record
 * @returns {Record<string, T>}
 */
function sorted(record) {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
