/** A number of 16 digits or more, with the character before it: digits inside a hash are no number. */
const longNumber = /[\s:,[]-?\d{16}/;

/** Whether the text has a number that a double cannot represent. Looks at every 16th character. */
function hasLongNumber(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) continue;
    const around = at < 17 ? ` ${text.slice(0, at + 16)}` : text.slice(at - 17, at + 16);
    if (longNumber.test(around)) return true;
  }
  return false;
}

/** How deeply lists and objects may be nested. What prints or compares values is recursive. */
export const maxDepth = 1000;

/** The text is JSON, but nested more deeply than is read. */
export class TooDeepError extends SyntaxError {
  override readonly name = "TooDeepError";
  constructor() {
    super(`nested more than ${maxDepth.toLocaleString("en")} levels deep`);
  }
}

/**
 * Parses JSON without rounding integers: one beyond 2^53 becomes a bigint. Text after the first value is ignored: some
 * servers write more after an error (docs/server-differences.md, "Errors and statuses"). Throws a SyntaxError, a
 * TooDeepError for one nested more than 1,000 levels deep.
 */
export async function parseJson(text: string): Promise<unknown> {
  if (text.length > maxDepth && indexOfDepth(text, maxDepth + 1) >= 0) throw new TooDeepError();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const end = indexOfDepth(text, 0);
    if (end < 0 || end + 1 >= text.trimEnd().length) throw error;
    return parseJson(text.slice(0, end + 1));
  }
  if (!hasLongNumber(text)) return value;
  const { isSafeNumber, parse } = await import("lossless-json");
  return parse(text, undefined, (digits) => {
    return isSafeNumber(digits) || !/^-?\d+$/.test(digits) ? Number.parseFloat(digits) : BigInt(digits);
  });
}

/** Where JSON text first opens or closes an object or array so that `wanted` are open; -1 if nowhere. */
export function indexOfDepth(text: string, wanted: number): number {
  let depth = 0;
  return indexOfMark(text, (mark) => {
    if (mark === "{" || mark === "[") depth += 1;
    else if (mark === "}" || mark === "]") depth -= 1;
    else return false;
    return depth === wanted;
  });
}

/** Whether JSON text has more than so many values. */
export function hasMoreValues(text: string, most: number): boolean {
  let values = 0;
  const isNext = (mark: string) => mark === "," || mark === "{" || mark === "[";
  return text.length > most && indexOfMark(text, (mark) => isNext(mark) && ++values > most) >= 0;
}

/** Where JSON text first has a character outside of its strings that is looked for; -1 if nowhere. Takes linear time. */
function indexOfMark(text: string, isWanted: (mark: string) => boolean): number {
  for (let index = 0; index < text.length; index += 1) {
    const mark = text.charAt(index);
    if (mark !== '"') {
      if (isWanted(mark)) return index;
      continue;
    }
    do index = text.indexOf('"', index + 1);
    while (index >= 0 && isEscaped(text, index));
    if (index < 0) return -1;
  }
  return -1;
}

/** Whether an odd number of backslashes is before a character. */
function isEscaped(text: string, index: number): boolean {
  let at = index;
  while (text[at - 1] === "\\") at -= 1;
  return (index - at) % 2 === 1;
}

/** Serializes a value that may contain bigints. `indent` as in `JSON.stringify`. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // It contains bigints, which is rare; checking for them first would be several times slower.
    return withBigints(value, indent);
  }
}

function withBigints(value: unknown, indent?: number): string {
  const large: string[] = [];
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      // Escape a string that begins like a placeholder.
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
