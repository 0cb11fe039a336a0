import { readFileSync } from "node:fs";
import { diskFailure, hasCode } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { fullPath, type Place } from "../../system/files.ts";
import type { SourceKind } from "../reading/values.ts";

/** A data source of a type. A value or rate outside `min` and `max` is unknown; undefined is no limit. */
export interface TypeSource {
  readonly name: string;
  readonly kind: SourceKind;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Data sources by type name. */
export type TypesDb = ReadonlyMap<string, readonly TypeSource[]>;

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
  const types = new Map<string, TypeSource[]>();
  for (const line of text.split("\n")) {
    const [, type = "", rest = ""] = /^\s*([^\s#]\S*)\s+(.+)$/.exec(line) ?? [];
    const sources = rest.split(/[\s,]+/).flatMap((source) => {
      const [name = "", word = "", min = "", max = ""] = source.split(":");
      const kind = kinds[word.toUpperCase()];
      return kind === undefined ? [] : [{ name, kind, min: limit(min), max: limit(max) }];
    });
    if (type !== "" && sources.length > 0) types.set(type, sources);
  }
  return types;
}

/** A limit of a data source; `U` is none. */
function limit(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? undefined : value;
}

/** The data source of a value, by the name of its type and its own name; undefined if types.db does not have it. */
export function typeSource(types: TypesDb | undefined, type: string, name: string): TypeSource | undefined {
  const sources = types?.get(type);
  return sources?.find((source) => source.name === name) ?? (sources?.length === 1 ? sources[0] : undefined);
}

/**
 * Reads a types.db. Without `file`, reads Debian's; it is empty if there is none. Throws a `Failure` if a given file
 * cannot be read.
 */
export function loadTypesDb(system: Place, file: string | undefined): TypesDb {
  try {
    return parseTypesDb(readFileSync(file === undefined ? defaultTypesDb : fullPath(file, system), "utf8"));
  } catch (error) {
    if (file === undefined) return new Map();
    if (hasCode(error, "ENOENT")) throw new Failure("not_found", `No such file: ${file}`);
    throw diskFailure(error, file, { tried: "read" }) ?? error;
  }
}
