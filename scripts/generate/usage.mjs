// Which operations of src/forge each command sends, from the declarations in the sources: an operation is a value, so that
// a command uses it if a declaration that it reaches names it.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { top } from "../setup.mjs";

/**
 * A node of a syntax tree, as far as it is looked at here.
 * @typedef {{ type: string, parent?: Node | undefined, [key: string]: any }} Node
 * @typedef {string | { file: string, name: string }} Use
 * @typedef {{ declarations: Map<string, Set<Use>>, imports: Map<string, { file: string, name: string }> }} Module
 * @typedef {[file: string, name: string]} Place
 */

const source = join(top, "src");
/** The folders in which operations are used. */
const floors = new Set(["commands", "app", "download", "forge", "profiles"]);
/** @type {Map<string, Module>} */
const modules = new Map();

/**
 * The commands (`label edit`) with the operations that they reach, and the number of files between them.
 * @param {ReadonlySet<string>} operationNames
 * @returns {Map<string, Map<string, number>>}
 */
export function usage(operationNames) {
  const commands = commandsIn(join(source, "commands/index.ts"), "table", []);
  return new Map(commands.map(([words, file, name]) => [words, operationsOf(file, name, operationNames)]));
}

/**
 * @param {string} file
 * @param {string} name
 * @param {ReadonlySet<string>} operationNames
 */
function operationsOf(file, name, operationNames) {
  const distances = new Map([[`${file}#${name}`, 0]]);
  /** @type {Map<string, number>} */
  const found = new Map();
  /** @type {[file: string, name: string, distance: number][]} */
  const queue = [[file, name, 0]];
  // The nearest first: what is in the same file is no step away.
  for (let next = queue.shift(); next !== undefined; next = queue.sort((one, other) => one[2] - other[2]).shift()) {
    const [at, declared, distance] = next;
    if (operationNames.has(declared) && relative(source, at).startsWith("forge")) {
      found.set(declared, Math.min(distance, found.get(declared) ?? distance));
      continue;
    }
    for (const [target, used] of usesOf(at, declared)) {
      const key = `${target}#${used}`;
      const far = target === at ? distance : distance + 1;
      if ((distances.get(key) ?? Number.MAX_SAFE_INTEGER) <= far) continue;
      distances.set(key, far);
      queue.push([target, used, far]);
    }
  }
  return found;
}

/**
 * The declarations that one uses.
 * @param {string} file
 * @param {string} name
 * @returns {Place[]}
 */
function usesOf(file, name) {
  const { declarations, imports } = read(file);
  const used = name === "*" ? [...declarations.values()].flatMap((names) => [...names]) : declarations.get(name);
  return [...(used ?? [])].flatMap((one) => {
    if (typeof one !== "string") return follow(one.file, one.name);
    if (declarations.has(one)) return [/** @type {Place} */ ([file, one])];
    const imported = imports.get(one);
    return imported === undefined ? [] : follow(imported.file, imported.name);
  });
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {Place[]}
 */
function follow(file, name) {
  // The index of all operations is no use of any of them.
  if (/(all-operations|generated\/areas)\.ts$/.test(file)) return [];
  return floors.has(relative(source, file).split(/[\\/]/)[0] ?? "") && existsSync(file) ? [[file, name]] : [];
}

/**
 * The top-level declarations of a file with the identifiers in them, and its imports.
 * @param {string} file
 * @returns {Module}
 */
function read(file) {
  const known = modules.get(file);
  if (known !== undefined) return known;
  /** @type {Module["declarations"]} */
  const declarations = new Map();
  /** @type {Module["imports"]} */
  const imports = new Map();
  const program = parsed(file);
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") {
      if (statement.importKind === "type" || !statement.source.value.startsWith(".")) continue;
      const target = join(dirname(file), statement.source.value);
      for (const { local, imported } of statement.specifiers) {
        imports.set(local.name, { file: target, name: imported?.name ?? "*" });
      }
      continue;
    }
    const declared = statement.declaration ?? statement;
    if (declared.type === "VariableDeclaration") {
      for (const { id, init } of declared.declarations) {
        for (const name of namesIn(id)) declarations.set(name, identifiersIn(init, file));
      }
    } else if (declared.id) declarations.set(declared.id.name, identifiersIn(declared, file));
  }
  const result = { declarations, imports };
  modules.set(file, result);
  return result;
}

/** @param {string} file */
function parsed(file) {
  return /** @type {Node} */ (/** @type {unknown} */ (parseAst(readFileSync(file, "utf8"), { lang: "ts" })));
}

/** @param {Node} pattern */
function namesIn(pattern) {
  return [...identifiersIn(pattern)].filter((name) => typeof name === "string");
}

/**
 * The identifiers in a node, and what it imports when it runs.
 * @param {Node | Node[] | null} node
 * @param {string} [file]
 */
function identifiersIn(node, file) {
  /** @type {Set<Use>} */
  const found = new Set();
  walk(node, undefined, (one, parent) => {
    if (one.type === "Identifier" || one.type === "JSXIdentifier") {
      const isName = parent?.type === "MemberExpression" && parent.property === one && !parent.computed;
      const isKey = parent?.type === "Property" && parent.key === one && !parent.shorthand && !parent.computed;
      if (!isName && !isKey) found.add(one.name);
    }
    if (one.type !== "ImportExpression" || !one.source.value?.startsWith(".") || file === undefined) return;
    const target = join(dirname(file), one.source.value);
    for (const name of takenFrom(parent)) found.add({ file: target, name });
  });
  return found;
}

/**
 * The exports that are taken from an import: `const { a } = await import(…)`, or all of them.
 * @param {Node} [parent]
 * @returns {string[]}
 */
function takenFrom(parent) {
  const pattern = parent?.type === "AwaitExpression" ? parent.parent?.id : undefined;
  if (pattern?.type !== "ObjectPattern") return ["*"];
  return pattern["properties"].map((/** @type {Node} */ { key }) => key?.name ?? "*");
}

/**
 * @param {Node | Node[] | null | undefined} node
 * @param {Node | undefined} parent
 * @param {(node: Node, parent: Node | undefined) => void} visit
 */
function walk(node, parent, visit) {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, parent, visit);
    return;
  }
  if (
    typeof node.type !== "string" ||
    (node.type.startsWith("TS") &&
      node.type !== "TSAsExpression" &&
      node.type !== "TSSatisfiesExpression" &&
      node.type !== "TSNonNullExpression")
  )
    return;
  node.parent = parent;
  visit(node, parent);
  for (const [key, value] of Object.entries(node)) if (key !== "parent") walk(value, node, visit);
}

/**
 * The commands of a table and of the tables within it: their words, and the file and the name of the declaration.
 * @param {string} file
 * @param {string} name
 * @param {readonly string[]} words
 * @returns {[words: string, file: string, name: string][]}
 */
function commandsIn(file, name, words) {
  const table = declarationsIn(file).find(({ id }) => id.name === name)?.["init"];
  return entriesOf(table, file, words);
}

/**
 * @param {string} file
 * @returns {Node[]}
 */
function declarationsIn(file) {
  return parsed(file)["body"].flatMap(
    (/** @type {Node} */ statement) => (statement.declaration ?? statement).declarations ?? [],
  );
}

/**
 * @param {Node | undefined} table
 * @param {string} file
 * @param {readonly string[]} words
 * @returns {[words: string, file: string, name: string][]}
 */
function entriesOf(table, file, words) {
  return (table?.["properties"] ?? []).flatMap((/** @type {Node} */ { key, value }) => {
    const named = [...words, key.name ?? key.value];
    if (value.type === "ObjectExpression") {
      const verbs = value.properties.find((/** @type {Node} */ { key: one }) => one.name === "verbs")?.value;
      return entriesOf(verbs.body, file, named);
    }
    if (value.callee?.name === "noun") {
      return commandsIn(join(dirname(file), value.arguments[1].body.source.value), "verbs", named);
    }
    const line = named.join(" ");
    const declared = value.body?.callee?.name === "defineCommand" ? value.body : value;
    if (declared.type === "CallExpression") {
      // A plain verb is declared in the table itself, most of them by a resource.
      const { callee } = declared;
      const parts = callee.type === "MemberExpression" ? usedParts(callee, file) : callee;
      read(file).declarations.set(
        line,
        new Set([parts, declared.arguments].flatMap((node) => [...identifiersIn(node, file)])),
      );
      return [[line, file, line]];
    }
    // `() => set()` is what loads the command of the same file, as `async () => set` does.
    const own = value.body.type === "CallExpression" ? value.body.callee : value.body;
    if (own.type === "Identifier") return [[line, file, own.name]];
    const [target, exported] = loaded(value, file);
    return [[line, target, exported]];
  });
}

/**
 * What of a resource (`const labels = resource({ … })`) its verb uses: a list selects no record, a deletion reads none that
 * is a target without it.
 * @param {Node} callee
 * @param {string} file
 * @returns {Node[]}
 */
function usedParts({ object, property }, file) {
  const declared = declarationsIn(file).find(({ id }) => id.name === object.name)?.["init"];
  const parts = declared.arguments[0].properties;
  const hasTarget = parts.some((/** @type {Node} */ { key }) => key?.name === "target");
  const reads = ["view", "edit"].includes(property.name);
  const works = ["each", "delete", "check"].includes(property.name);
  const unused = new Set([...(works ? [] : ["target"]), ...(reads || (works && !hasTarget) ? [] : ["get", "select"])]);
  return parts.filter((/** @type {Node} */ { key }) => !unused.has(key?.name));
}

/**
 * The file and the export of `() => import("./x.ts").then((file) => file.verb)`.
 * @param {Node} loader
 * @param {string} file
 * @returns {Place}
 */
function loaded({ body }, file) {
  let found = body.arguments[0].body;
  // `file.commits()` is what loads the command.
  if (found.type === "CallExpression") found = found.callee;
  // `file.ofIssue.list` is of the export `ofIssue`.
  while (found.object.type === "MemberExpression") found = found.object;
  return [join(dirname(file), body.callee.object.source.value), found.property.name];
}
