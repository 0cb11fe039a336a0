import { UsageError } from "../failure/failure.ts";
import { isPattern } from "../text/glob.ts";
import { type Flag, type FlagOptions, texts } from "./flags.ts";

/** `--name GLOB --name GLOB`, as `contextPattern` matches them. Throws a usage error for a pattern that is not valid. */
export function globs(description: string, options: FlagOptions = {}): Flag<readonly string[]> {
  const all = texts(description, { placeholder: "GLOB", ...options });
  const read = (typed: readonly string[], spelling: string) => {
    const invalid = all.read(typed, spelling).find((pattern) => !isPattern(pattern));
    if (invalid === undefined) return typed;
    const hint = "To match [, { or \\ itself, write \\ before it.";
    throw new UsageError(`${spelling}: '${invalid}' is not a valid pattern`, hint);
  };
  return { ...all, read };
}
