import type { Document } from "yaml";
import { UsageError } from "../../failure/failure.ts";
import { loadYaml, parseYamlDocument } from "../../text/yaml.ts";

/** A number, boolean or null of YAML, with its spelling: `1.0` can be a name, and 000000 a color. */
export class Literal {
  constructor(
    readonly value: unknown,
    readonly source: string,
  ) {}
}

/** A YAML value: text, a literal, a list, or a map whose keys are text as they are spelled. */
export type Yaml = string | Literal | readonly Yaml[] | ReadonlyMap<string, Yaml>;

/** How many values a file can have, aliases included. */
const maxValues = 200_000;

/** Parses YAML, which includes JSON. Throws a usage error with the line if it is not valid, or has too many values. */
export async function parseYaml(text: string, file: string): Promise<Yaml> {
  const parsed = await parseYamlDocument(text).catch((error: unknown) => {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  });
  return converter(await loadYaml(), parsed, file)(parsed.contents, 0);
}

function converter(library: Awaited<ReturnType<typeof loadYaml>>, parsed: Document, file: string) {
  let left = maxValues;
  return function convert(node: unknown, depth: number): Yaml {
    left -= 1;
    if (left < 0 || depth > 100) throw new UsageError(`${file} has too many values`);
    if (library.isAlias(node)) {
      const target = node.resolve(parsed);
      if (target === undefined) throw new UsageError(`${file}: alias *${node.source} has no anchor`);
      return convert(target, depth + 1);
    }
    if (library.isMap(node)) {
      const entries = node.items.map((pair): [string, Yaml] => [keyOf(pair.key), convert(pair.value, depth + 1)]);
      return new Map(entries);
    }
    if (library.isSeq(node)) return node.items.map((item) => convert(item, depth + 1));
    if (!library.isScalar(node)) return new Literal(null, "");
    return typeof node.value === "string" ? node.value : new Literal(node.value, node.source ?? "");
  };

  function keyOf(key: unknown): string {
    if (library.isScalar(key)) return typeof key.value === "string" ? key.value : (key.source ?? "");
    throw new UsageError(`${file}: a key must be text`);
  }
}

/** YAML text for a value made of objects, lists and texts. */
export async function yamlText(value: unknown): Promise<string> {
  return (await loadYaml()).stringify(value, { lineWidth: 0 });
}
