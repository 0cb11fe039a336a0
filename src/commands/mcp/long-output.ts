import { randomBytes } from "node:crypto";
import { Failure } from "../../failure/failure.ts";
import { jsonText } from "../../text/json.ts";

/** The length of a part of an output, in characters. */
const partLength = 40_000;
/** How many outputs can be continued, and their length in characters altogether. Older ones are forgotten. */
const maxOutputs = 16;
const maxLength = 32 * 1024 * 1024;

/** A part of an output: some items of a list, one record, or text. */
export interface Part {
  readonly value: { readonly items: readonly unknown[] } | { readonly record: unknown } | { readonly text: string };
  /** Where the rest begins. */
  readonly next?: string;
}

/** Long outputs, cut into parts. */
export interface LongOutputs {
  /** The first part of an output, which is remembered if it has more. */
  first(output: string | { readonly value: unknown }): Part;
  /** The part at a cursor. Throws a failure if the output was forgotten. */
  at(cursor: string): Part;
}

/** Keeps the rest of the last long outputs. */
export function longOutputs(): LongOutputs {
  const kept = new Map<string, { readonly parts: readonly Part["value"][]; readonly length: number }>();

  function part(id: string, index: number): Part {
    const parts = kept.get(id)?.parts ?? [];
    const value = parts[index];
    if (value === undefined) {
      throw new Failure("unknown_cursor", "The rest of this output is no longer kept", {
        hint: "Call the tool again.",
      });
    }
    return index + 1 < parts.length ? { value, next: `${id}-${index + 1}` } : { value };
  }

  return {
    first(output) {
      const parts = partsOf(output);
      const [only] = parts;
      if (parts.length === 1 && only !== undefined) return { value: only };
      const id = randomBytes(12).toString("hex");
      kept.set(id, { parts, length: jsonText(output).length });
      let total = 0;
      for (const one of kept.values()) total += one.length;
      for (const [old, { length }] of kept) {
        if (old === id || (kept.size <= maxOutputs && total <= maxLength)) break;
        kept.delete(old);
        total -= length;
      }
      return part(id, 0);
    },
    at(cursor) {
      const [, id = "", index = "0"] = /^([0-9a-f]{24})-(\d{1,9})$/.exec(cursor) ?? [];
      return part(id, Number(index));
    },
  };
}

function partsOf(output: string | { readonly value: unknown }): Part["value"][] {
  if (typeof output === "string") return textParts(output);
  const { value } = output;
  if (!Array.isArray(value)) {
    const text = jsonText(value);
    return text.length <= partLength ? [{ record: value }] : textParts(text);
  }
  const parts: unknown[][] = [[]];
  let length = 0;
  for (const item of value) {
    const size = jsonText(item).length;
    if (length > 0 && length + size > partLength) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(item);
    length += size;
  }
  return parts.map((items) => ({ items }));
}

/** Cuts text after a line end where there is one, never within a character. */
function textParts(text: string): Part["value"][] {
  const parts: Part["value"][] = [];
  for (let at = 0; at < text.length || parts.length === 0; ) {
    let end = Math.min(text.length, at + partLength);
    if (end < text.length) {
      const line = text.lastIndexOf("\n", end - 1);
      if (line > at) end = line + 1;
      else if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    }
    parts.push({ text: text.slice(at, end) });
    at = end;
    if (text.length === 0) break;
  }
  return parts;
}
