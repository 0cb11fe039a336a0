import { join } from "node:path";
import type { System } from "../system/system.ts";
import { files, invalidFile, readFile, settingsFor, updateFile } from "./files.ts";

/** Expansions by alias: a tongs command line, or `!` and a shell command. */
export type AliasMap = Readonly<Record<string, string>>;

/** The aliases that the user made. */
export interface AliasStore {
  read(): AliasMap;
  /** Changes the aliases; `edit` gets the current ones. Nothing is written if it throws. */
  update(edit: (aliases: AliasMap) => AliasMap): Promise<void>;
}

/** Opens the aliases in the configuration folder. Does not read the file yet. */
export function openAliases(system: Pick<System, "env" | "platform" | "signal">): AliasStore {
  const settings = settingsFor(system);
  const path = join(settings.folder, files.aliases);
  return {
    read: () => asAliases(readFile(path, settings).stored, path),
    update: (edit) =>
      updateFile({ ...settings, signal: system.signal }, files.aliases, (stored) => edit(asAliases(stored, path))),
  };
}

/** Checks the content of the file. Throws a `Failure` if it is not valid. */
function asAliases(stored: Readonly<Record<string, unknown>>, path: string): AliasMap {
  const entries = Object.entries(stored).map(([name, expansion]): [string, string] => {
    if (typeof expansion !== "string") throw invalidFile(path, `alias '${name}' is not a string`);
    return [name, expansion];
  });
  return Object.fromEntries(entries);
}
