import { UsageError } from "../failure/failure.ts";
import { safe } from "../text/safe.ts";
import { loadYaml, parseYamlDocument } from "../text/yaml.ts";

/** A number, boolean or null of YAML, with its spelling: `1.0` can be a name, and 000000 a color. */
export class Literal {
  constructor(
    readonly value: unknown,
    readonly source: string,
  ) {}
}

/** A YAML value: text, a literal, a list, or a map whose keys are text as they are spelled. */
export type Yaml = string | Literal | readonly Yaml[] | ReadonlyMap<string, Yaml>;

/** A file of YAML. */
export interface YamlFile {
  readonly value: Yaml;
  /** Where a key, or a name in a list, is, by its path from the top, in any case. */
  readonly find: (path: readonly string[]) => Position | undefined;
}

/** A place in a file: both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A place as messages name it: `policy.yml:12:7`. */
export function placeText(file: string, at: Position | undefined): string | undefined {
  return at && `${file}:${at.line}:${at.column}`;
}

/** Parses YAML, which includes JSON. Throws a usage error with the line if it is not valid, or has too many values. */
export async function parseYaml(text: string, file: string): Promise<YamlFile> {
  const parsed = await parseYamlDocument(text).catch((error: unknown) => {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  });
  const offsets = new Map<string, number>();
  const value = converter(await loadYaml(), { file, offsets })(parsed.contents, []);
  const find = (path: readonly string[]) => {
    const offset = offsets.get(JSON.stringify(path)) ?? offsets.get(anyCase(path));
    if (offset === undefined) return undefined;
    const before = text.slice(0, offset).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };
  return { value, find };
}

/** The key of a path that is looked up in another case than it is spelled. */
function anyCase(path: readonly string[]): string {
  return `~${JSON.stringify(path).toLowerCase()}`;
}

interface Conversion {
  readonly file: string;
  readonly offsets: Map<string, number>;
}

function converter(library: Awaited<ReturnType<typeof loadYaml>>, { file, offsets }: Conversion) {
  const remember = (path: readonly string[], range: readonly number[] | null | undefined) => {
    if (range?.[0] === undefined) return;
    offsets.set(JSON.stringify(path), range[0]);
    if (!offsets.has(anyCase(path))) offsets.set(anyCase(path), range[0]);
  };
  return function convert(node: unknown, path: readonly string[]): Yaml {
    if (library.isMap(node)) {
      const entries = node.items.map((pair): [string, Yaml] => {
        const at = [...path, keyOf(pair.key)];
        if (library.isScalar(pair.key)) remember(at, pair.key.range);
        return [keyOf(pair.key), convert(pair.value, at)];
      });
      return new Map(entries);
    }
    if (library.isSeq(node)) {
      return node.items.map((item) => {
        if (library.isScalar(item)) remember([...path, keyOf(item)], item.range);
        return convert(item, path);
      });
    }
    if (!library.isScalar(node)) return new Literal(null, "");
    return typeof node.value === "string" ? node.value : new Literal(node.value, node.source ?? "");
  };

  function keyOf(key: unknown): string {
    if (library.isScalar(key)) return typeof key.value === "string" ? key.value : (key.source ?? "");
    throw new UsageError(`${file}: a key must be text`);
  }
}

/**
 * YAML text for a value made of objects, lists and texts. Readers of YAML 1.1 take `no` for false, so that it is quoted;
 * characters that are not text, such as those that turn the direction of writing, are escaped.
 */
export async function yamlText(value: unknown): Promise<string> {
  const { Document, visit } = await loadYaml();
  const written = new Document(value, { compat: "yaml-1.1" });
  visit(written, {
    Scalar(_key, node) {
      if (typeof node.value === "string" && safe(node.value) !== node.value) node.type = "QUOTE_DOUBLE";
    },
  });
  const text = written.toString({ lineWidth: 0 });
  return text.replace(/[^\n\t]/gu, (one) => (safe(one) === one ? one : escaped(one)));
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
