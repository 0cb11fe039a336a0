// Checks that the sources import only what the floors allow (docs/architecture.md), types included, that only src/forge
// names a path of the API, and that no folder has more lines than its budget (budgets.json): npm run lint. Biome checks that there
// are no circles.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";

/** @typedef {{ from: string, to: string, names: string[] }} Import */
/** @typedef {import("rolldown/utils").ESTree.Expression | null} Source */

const ground = "failure < text < shape < system < repo";

/**
 * What the files and directories of a directory may import of each other: what stands on a lower floor. `*` is every name
 * that is not listed: a noun of src/commands imports no other noun.
 */
const floors = {
  src: `${ground} < http < forge git < profiles < output prompts archive < download < command < app < docs metrics sandbox < commands < main.ts`,
  "src/commands": "activity.ts ref-path.ts walks.ts < * < index.ts",
  "src/sandbox":
    "state < release.ts < site.ts < http < git < pulls < actions < serializers < options.ts oauth webhooks < api < demo < areas.ts < serve.ts",
};

/**
 * Products of their own, which import only these floors of src.
 * @type {Record<string, string>}
 */
const products = { metrics: ground, sandbox: `${ground} < forge` };

/** What else is refused, and the reason. */
const rules = [
  { from: /^src\/http\//, to: /^node:(net|tls)$/, reason: "HTTP is Node's own: node:http and node:https" },
  {
    from: /^src\/commands\/(?!api\/|operation\/)/,
    to: /^src\/http\/path\.ts$/,
    reason: "commands do not build paths: add the operation to src/forge",
  },
];

/**
 * The imports of a file: the path or module, and the names of the values; `*` for all that the module exports.
 * @param {string} file
 * @param {string} folder
 */
function importsOf(file, folder) {
  /** @type {Import[]} */
  const imports = [];
  /** @type {(source: Source, kind: string | null | undefined, names: string[]) => void} */
  const add = (source, kind, names) => {
    if (source?.type !== "Literal" || typeof source.value !== "string") return;
    const to = source.value.startsWith(".")
      ? posix.join(dirname(file), source.value.replace(/\?.*/, ""))
      : source.value;
    imports.push({ from: file, to, names: kind === "type" ? [] : names });
  };
  /** @type {(name: import("rolldown/utils").ESTree.ModuleExportName) => string} */
  const text = (name) => (name.type === "Literal" ? name.value : name.name);
  new Visitor({
    ImportDeclaration: ({ source, importKind, specifiers }) => {
      const values = specifiers.filter((part) => part.type !== "ImportSpecifier" || part.importKind !== "type");
      add(
        source,
        importKind,
        values.map((part) => (part.type === "ImportSpecifier" ? text(part.imported) : "*")),
      );
    },
    ExportNamedDeclaration: ({ source, exportKind, specifiers }) => {
      const values = specifiers.filter((part) => part.exportKind !== "type");
      add(
        source,
        exportKind,
        values.map((part) => text(part.local)),
      );
    },
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind, ["*"]),
    ImportExpression: ({ source }) => add(source, "value", ["*"]),
    TSImportType: ({ source }) => add(source, "type", []),
  }).visit(parseSync(file, readFileSync(join(folder, file), "utf8")).program);
  return imports;
}

/**
 * The floor of a name, counted from below; -1 if it has none.
 * @param {string} name
 * @param {string} ladder
 */
function floorOf(name, ladder) {
  const steps = ladder.split(" < ").map((step) => step.split(" "));
  const listed = steps.findIndex((step) => step.includes(name));
  return listed === -1 ? steps.findIndex((step) => step.includes("*")) : listed;
}

/**
 * Why an import is refused; undefined if it is allowed.
 * @param {Import} each
 * @param {string} folder
 * @returns {string | undefined}
 */
function refusal({ from, to, names }, folder) {
  const rule = rules.find((each) => each.from.test(from) && each.to.test(to));
  if (rule !== undefined) return rule.reason;
  for (const [directory, ladder] of Object.entries(floors)) {
    if (![from, to].every((path) => path.startsWith(`${directory}/`))) continue;
    /** @param {string} path */
    const nameOf = (path) => path.slice(directory.length + 1).replace(/\/.*/, "");
    const [own, other] = [nameOf(from), nameOf(to)];
    const below = floorOf(other, ladder);
    const narrower = directory === "src" ? products[own] : undefined;
    const isAllowed = below !== -1 && below < floorOf(own, ladder) && (!narrower || floorOf(other, narrower) !== -1);
    if (own !== other && !isAllowed) return `${own} may not import ${other} in ${directory}`;
  }
  if (
    /^src\/sandbox\//.test(from) &&
    /^src\/forge\/(?!(facts|scopes|support)\.ts$)/.test(to) &&
    names.some((name) => isFunction(name, join(folder, to)))
  )
    return "src/sandbox may import operations, records, facts and scopes of src/forge, but none of its functions";
  return undefined;
}

/**
 * Whether a name, or `*` for any, is a function that a file exports.
 * @param {string} name
 * @param {string} file
 */
function isFunction(name, file) {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return new RegExp(String.raw`^export (async )?function\*? ${name === "*" ? "" : String.raw`${name}\b`}`, "m").test(
    text,
  );
}

/** A path of the API in code: `"/repos/{owner}`, `` `/orgs/${org}` ``, `"/api/v1/user"`, `/^\\/api\\/v1\\/orgs/`. */
const apiPath =
  /["'`]\/(?:repos|orgs|users?|admin|teams|packages|notifications)\/[{$]|["'`]\/api\/v1\/[a-z$]|\\\/api\\\/v1\\\/[a-z]/;

/**
 * Whether a file names a path of the API, besides comments and the command lines of examples.
 * @param {string} file
 */
function namesPath(file) {
  const code = readFileSync(file, "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
  return apiPath.test(code.replace(/(["'`])tongs .*?\1/g, ""));
}

/**
 * The imports below src that the floors refuse, and the files besides src/forge that name a path of the API: a line each.
 * @param {string} folder
 */
export function floorProblems(folder) {
  const files = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const imports = files.flatMap((name) => importsOf(`src/${name.replaceAll("\\", "/")}`, folder));
  const lines = imports.flatMap((each) => {
    const reason = refusal(each, folder);
    return reason === undefined ? [] : [`${each.from}: ${reason} (${each.to})`];
  });
  const naming = files
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((file) => !file.startsWith("src/forge/") && namesPath(join(folder, file)))
    .map((file) => `${file}: only src/forge names a path of the API`);
  return [...new Set([...lines, ...naming])];
}

/**
 * The lines of a folder's TypeScript, written by hand.
 * @param {string} folder
 */
function linesIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/(^|[\\/])generated[\\/]/.test(name),
  );
  return files.reduce((sum, name) => sum + readFileSync(join(folder, name), "utf8").split("\n").length - 1, 0);
}

/**
 * The folders with more lines than their budget or without one, and the files that ask or work on many outside of src/app
 * though the budget does not name them: a line each.
 * @param {string} folder
 * @param {{ lines: Record<string, number>, ownQuestions: string[] }} budgets
 */
export function budgetProblems(folder, { lines, ownQuestions }) {
  /** @param {string} path */
  const below = (path) =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [`${path}/${entry.name}`] : [],
    );
  const folders = [...below("src").filter((name) => name !== "src/commands"), ...below("src/commands"), "test"];
  const over = folders.flatMap((name) => {
    const [count, budget] = [linesIn(join(folder, name)), lines[name]];
    if (budget === undefined) return [`${name} has no budget in scripts/budgets.json`];
    const way = "take something away, or raise it in a commit of its own that says why";
    return count <= budget ? [] : [`${name} has ${count} lines, and its budget is ${budget}: ${way}`];
  });
  const files = readdirSync(join(folder, "src/commands"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/commands/${name.replaceAll("\\", "/")}`);
  const asking = files.filter(
    (file) =>
      !ownQuestions.includes(file) &&
      /\.confirmAction\(|^import .*"[^"]*\/app\/batch\.ts"/m.test(readFileSync(join(folder, file), "utf8")),
  );
  const way = "a question and work on many belong to the plan engine (src/app/plan.ts) or to a verb of a resource";
  return [...over, ...asking.map((file) => `${file}: ${way}`)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const top = dirname(dirname(fileURLToPath(import.meta.url)));
  const budgets = JSON.parse(readFileSync(join(top, "scripts", "budgets.json"), "utf8"));
  const problems = [...floorProblems(top), ...budgetProblems(top, budgets)];
  for (const problem of problems) console.error(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
