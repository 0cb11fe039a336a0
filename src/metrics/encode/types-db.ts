import type { SourceKind } from "../reading/values.ts";
/** Data sources by type name. */
export type TypesDb = ReadonlyMap<string, readonly { readonly name: string; readonly kind: SourceKind }[]>;

/** The path on Debian. */
export const defaultTypesDb = "/usr/share/collectd/types.db";

const kinds: Readonly<Record<string, SourceKind>> = {
  COUNTER: "counter",
  GAUGE: "gauge",
  DERIVE: "derive",
  ABSOLUTE: "absolute",
};

/** Parses collectd's types.db: lines such as `type  name:KIND:min:max, name:KIND:min:max`. Ignores invalid lines. */
export function parseTypesDb(text: string): TypesDb {
  const types = new Map<string, { name: string; kind: SourceKind }[]>();
  for (const line of text.split("\n")) {
    const [, type = "", rest = ""] = /^\s*([^\s#]\S*)\s+(.+)$/.exec(line) ?? [];
    const sources = rest.split(/[\s,]+/).flatMap((source) => {
      const [name = "", word = ""] = source.split(":");
      const kind = kinds[word.toUpperCase()];
      return kind === undefined ? [] : [{ name, kind }];
    });
    if (type !== "" && sources.length > 0) types.set(type, sources);
  }
  return types;
}
