import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import type { Config } from "./profile.ts";

/** The names of the two files in the configuration folder. `conf` writes them. */
export const files = { config: "config.json", credentials: "credentials.json" } as const;

type Stored = Readonly<Record<string, unknown>>;

/** Reads the configuration. Reading needs no library: it is on the way of every command, and `conf` is slow to load. */
export function readConfig(folder: string): Config {
  const path = join(folder, files.config);
  return asConfig(readFile(path), path);
}

/** What is stored, as the configuration; throws when it was changed by hand into something else. */
export function asConfig(stored: Stored, path: string): Config {
  const { default: chosen, profiles = {} } = stored;
  if (!isObject(profiles)) throw broken(path, "'profiles' is not an object");
  for (const [name, profile] of Object.entries(profiles)) {
    const host = isObject(profile) ? profile["host"] : undefined;
    if (!isObject(profile) || typeof host !== "string" || !(URL.canParse(host) || URL.canParse(`https://${host}`))) {
      throw broken(path, `the profile '${name}' has no 'host' that is an address`);
    }
    const { rules = [] } = profile;
    if (!Array.isArray(rules) || rules.some((rule) => typeof rule !== "string")) {
      throw broken(path, `the 'rules' of the profile '${name}' are not a list of strings`);
    }
  }
  return {
    ...(typeof chosen === "string" ? { default: chosen } : {}),
    profiles: profiles as Config["profiles"],
  };
}

/** What is stored, as tokens by profile. */
export function asTokens(stored: Stored, path: string): Readonly<Record<string, string>> {
  const { tokens = {} } = stored;
  if (!isObject(tokens) || Object.values(tokens).some((token) => typeof token !== "string")) {
    throw broken(path, "'tokens' does not hold strings");
  }
  return tokens as Readonly<Record<string, string>>;
}

/** Reads one of the files; an absent one is empty, a broken one is never taken for empty. */
export function readFile(path: string): Stored {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("config", "failure", `Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    const value: unknown = JSON.parse(content);
    if (isObject(value)) return value;
  } catch {
    // Said below, with the same words as for JSON of the wrong kind.
  }
  throw broken(path, "it is not a JSON object");
}

function isObject(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function broken(path: string, why: string): Failure {
  return new Failure("config", "failure", `${path} is broken: ${why}`, {
    hint: "Mend it, or move it away and sign in again. Nothing was changed.",
  });
}
