/** A number of sixteen digits or more. Hashes, which records are full of, have them in the middle of a text. */
const longNumber = /(?:^|[\s:,[])-?\d{16}/;

/** Whether there is a number that a double may not hold. One of each sixteen characters has to be looked at. */
function hasLongNumber(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57 && longNumber.test(text.slice(Math.max(0, at - 17), at + 16))) return true;
  }
  return false;
}

/**
 * Parses JSON without ever rounding an integer: one beyond 2^53 becomes a bigint. Text after the first value is
 * ignored, since some handlers of the servers go on writing after an error (api-facts 3.1.5). Throws a SyntaxError.
 */
export async function parseJson(text: string): Promise<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const first = firstValue(text);
    if (first === undefined) throw error;
    return parseJson(first);
  }
  if (!hasLongNumber(text)) return value;
  const { isSafeNumber, parse } = await import("lossless-json");
  return parse(text, undefined, (digits) => {
    return isSafeNumber(digits) || !/^-?\d+$/.test(digits) ? Number.parseFloat(digits) : BigInt(digits);
  });
}

/** The first JSON object or array of a text with something after it. */
function firstValue(text: string): string | undefined {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (quoted) {
      if (letter === "\\") index += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") {
      depth -= 1;
      if (depth === 0) return index + 1 < text.trimEnd().length ? text.slice(0, index + 1) : undefined;
    }
  }
  return undefined;
}

/** JSON text of a value that may hold bigints. `indent` as in `JSON.stringify`. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // It holds bigints, as hardly any does; looking for them takes several times as long.
    return withBigints(value, indent);
  }
}

function withBigints(value: unknown, indent?: number): string {
  const large: string[] = [];
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      // A text that begins as the mark of a large integer does gets one more of that.
      if (typeof item === "string" && item.startsWith("\u0000")) return `\u0000${item}`;
      if (typeof item !== "bigint") return item;
      large.push(item.toString());
      return `\u0000${large.length - 1}\u0000`;
    },
    indent,
  );
  return text.replace(/(?<!\\)"\\u0000(?:(\d+)\\u0000"|\\u0000)/g, (_match, index: string | undefined) =>
    index === undefined ? '"\\u0000' : (large[Number(index)] ?? "null"),
  );
}
