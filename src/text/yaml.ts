import type { Document, Node, Pair, YAMLMap } from "yaml";

type Library = typeof import("yaml");

/** Loads the YAML library. */
export async function loadYaml(): Promise<Library> {
  // In the bundle, the library has only a default export.
  const library: Library & { readonly default?: Library } = await import("yaml");
  return library.default ?? library;
}

/** Text that is not valid YAML: what is wrong, and where; line and column are from 1. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  constructor(
    readonly reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${reason} at line ${line}, column ${column}`);
  }
}

/** How many values a text can have, with what its aliases stand for, and how many levels. */
const maxValues = 200_000;
const maxLevels = 100;
/** The reason of an error for text with several documents. */
export const secondDocument = "A second YAML document";
const tooMany = "The file has too many values";

/**
 * Parses YAML 1.2, which includes JSON, as a document of the library: what aliases stand for is in their places, and what `<<`
 * merges is in the maps. Throws a `YamlError`, which says why in one line, if it is not valid, a map has a key twice, or it has
 * too many values. For some texts the time grows with the square of their length.
 */
export async function parseYamlDocument(text: string): Promise<Document> {
  const library = await loadYaml();
  const lines = new library.LineCounter();
  const fail = (message: string, offset: number): never => {
    const { line, col } = lines.linePos(offset);
    throw new YamlError(message, line, col);
  };
  // The library prints its warnings on stderr itself, and compares each key of a map with all others.
  const settings = { logLevel: "error", prettyErrors: false, uniqueKeys: false, lineCounter: lines } as const;
  const document = library.parseDocument(text, settings);
  const [problem] = document.errors;
  if (problem?.code === "MULTIPLE_DOCS") fail(secondDocument, problem.pos[0]);
  if (problem !== undefined) fail(problem.message, problem.pos[0]);
  library.visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!library.isScalar(key)) continue;
        if (seen.has(key.value)) fail("Map keys must be unique", key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  await resolveAliases(document, fail);
  return document;
}

/**
 * Puts what aliases stand for in their places, and what `<<` merges into the maps (YAML 1.1), in one walk: the library walks
 * through the whole document for each alias. Calls `fail` for an alias without an anchor and for too many values.
 */
export async function resolveAliases(
  document: Document,
  fail: (message: string, offset: number) => never,
): Promise<void> {
  const { isAlias, isMap, isNode, isScalar, isSeq } = await loadYaml();
  const anchors = new Map<string, Node>();
  let merged = 0;
  const sizes = new Map<unknown, { readonly values: number; readonly levels: number }>();
  const resolve = (node: unknown, depth: number): unknown => {
    const found = isAlias(node) ? anchors.get(node.source) : node;
    if (isAlias(node) && found === undefined)
      fail(`alias *${node.source} has no anchor; put text that begins with * in quotes`, node.range?.[0] ?? 0);
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    if (!isAlias(node) && depth < maxLevels) resolveIn(node, depth + 1);
    const { values, levels } = sizes.get(found) ?? { values: maxValues + 1, levels: 0 };
    if (values > maxValues || depth + levels > maxLevels) fail(tooMany, 0);
    return found;
  };
  const resolveIn = (node: unknown, depth: number): void => {
    if (isSeq(node)) node.items = node.items.map((item) => resolve(item, depth));
    if (isMap(node)) {
      for (const pair of node.items) {
        pair.key = resolve(pair.key, depth);
        pair.value = resolve(pair.value, depth);
      }
      mergeInto(node);
    }
    const inside = isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : [];
    let [values, levels] = [1, 0];
    for (const one of inside) {
      const size = sizes.get(one) ?? { values: 1, levels: 0 };
      values += size.values;
      levels = Math.max(levels, size.levels + 1);
    }
    sizes.set(node, { values, levels });
  };
  /** What is no map is left as it is. */
  const mergeInto = (map: YAMLMap): void => {
    const nameOf = ({ key }: Pair) => (isScalar(key) ? key.value : key);
    const names = new Set(map.items.map(nameOf));
    map.items = map.items.flatMap((pair): Pair[] => {
      const { key, value } = pair;
      if (!isScalar(key) || key.value !== "<<" || key.type !== "PLAIN") return [pair];
      const sources = isSeq(value) ? value.items : [value];
      if (!sources.every((one) => isMap(one))) return [pair];
      return sources.flatMap(({ items }) => {
        merged += items.length;
        if (merged > maxValues) fail(tooMany, 0);
        return items.filter((one) => {
          const isNew = !names.has(nameOf(one));
          names.add(nameOf(one));
          return isNew;
        });
      });
    });
  };
  document.contents = resolve(document.contents, 0) as Node | null;
}
