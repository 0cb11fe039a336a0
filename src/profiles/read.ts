import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../command/failure.ts";
import type { Config } from "./profile.ts";

/** The names of the two files in the configuration folder. `conf` writes them. */
export const files = { config: "config.json", credentials: "credentials.json" } as const;

/** Reads the configuration. Reading needs no library: it is on the way of every command, and `conf` is slow to load. */
export function readConfig(folder: string): Config {
  const { default: chosen, profiles } = readFile(join(folder, files.config)) as Partial<Config>;
  return { ...(chosen === undefined ? {} : { default: chosen }), profiles: profiles ?? {} };
}

/** Reads one of the files; an absent one is empty, a broken one is never taken for empty. */
export function readFile(path: string): Readonly<Record<string, unknown>> {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("config", "failure", `Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, with the same words as for JSON of the wrong kind.
  }
  throw new Failure("config", "failure", `${path} is not a JSON object`, { hint: "Mend it, or move it away." });
}
