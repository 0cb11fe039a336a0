import { readFileSync } from "node:fs";
import { Failure } from "../../failure/failure.ts";
import { fullPath } from "../../system/files.ts";
import { defaultTypesDb, parseTypesDb, type TypesDb } from "./types-db.ts";

/**
 * Reads a types.db. Without `file`, reads Debian's; it is empty if there is none. Throws a `Failure` if a given file
 * cannot be read.
 */
export function loadTypesDb(system: { readonly cwd: string }, file: string | undefined): TypesDb {
  try {
    return parseTypesDb(readFileSync(fullPath(file ?? defaultTypesDb, system), "utf8"));
  } catch (error) {
    if (file === undefined) return new Map();
    throw new Failure("cannot_read", "notFound", `Cannot read ${file}: ${(error as Error).message}`);
  }
}
