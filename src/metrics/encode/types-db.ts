import type { SourceKind } from "../reading/values.ts";
/** The data sources of each type by its name. */
export type TypesDb = ReadonlyMap<string, readonly { readonly name: string; readonly kind: SourceKind }[]>;

/** Where Debian's collectd keeps its own. */
export const defaultTypesDb = "/usr/share/collectd/types.db";

const kinds: Readonly<Record<string, SourceKind>> = {
  COUNTER: "counter",
  GAUGE: "gauge",
  DERIVE: "derive",
  ABSOLUTE: "absolute",
};

/** Reads collectd's types.db: lines of `type  name:KIND:min:max, name:KIND:min:max`. Lines it does not understand count as absent. */
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
