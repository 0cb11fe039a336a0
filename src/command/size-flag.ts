import { UsageError } from "../failure/failure.ts";
import { readSize } from "../text/format.ts";
import type { Flag } from "./flags.ts";

/** A flag for a size in bytes, or with K, M, G or T; `shown` is the default in help texts. */
export function sizeOr(shown: string, fallback: number, description: string): Flag<number> {
  const read = (typed: readonly string[], spelling: string) => {
    const raw = typed[typed.length - 1];
    if (raw === undefined) return fallback;
    const size = readSize(raw);
    if (size === undefined) throw new UsageError(`${spelling} must be a size such as 500M or 2G, not '${raw}'`);
    return size;
  };
  return { placeholder: "SIZE", form: "value", type: "string", description, default: shown, read };
}
