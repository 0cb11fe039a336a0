import type { System } from "../system/system.ts";
import { type Cache, openCache } from "./cache.ts";

const month = 30 * 86_400_000;

/** The files with the words that complete operations, one for each server whose description was read. */
export function operationWords(system: System): Cache {
  return openCache(system, "operation-words", month);
}

/** The operations of all servers whose descriptions were read, for completion; parameters are `NAME=`. */
export function keptOperations(system: System): { readonly id: string; readonly parameters: readonly string[] }[] {
  const words = operationWords(system);
  const lines = words.names().flatMap((name) => (words.read(name) ?? "").split("\n"));
  return lines.flatMap((line) => {
    const [id = "", ...parameters] = line.split(" ");
    return id === "" ? [] : [{ id, parameters }];
  });
}
