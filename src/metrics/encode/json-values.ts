import { parse, type ValueNode } from "@humanwhocodes/momoa";
import { indexOfDepth, maxDepth, TooDeepError } from "../../text/json.ts";
import { TextFault } from "./pieces.ts";

/** What is wrong at a value of a JSON document, or with the name of a member. */
export class ValueFault extends Error {
  /** The names and indexes that lead to it. */
  readonly path: (string | number)[] = [];
  constructor(
    message: string,
    readonly isName = false,
  ) {
    super(message);
  }
}

// A double may not hold the number that is written, or objects list names that are numbers first. One for all: a stack takes time.
const inexact = new Error("a number of more than 15 digits, or in a name");

// Such numbers become objects with their texts, and such names get a character before them.
const exactKey = "\u0000";
const longText = 16;
const numberName = /^\u0001*\d+$/;
const nameOrNumber = /"((?:\\u0001)*\d+)"(?=\s*:)|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
function exact(found: string, name: string | undefined): string {
  if (name !== undefined) return `"\\u0001${name}"`;
  if (found.startsWith('"') || (found.length < longText && Number.isFinite(Number(found)))) return found;
  return `{"\\u0000":"${found}"}`;
}

// Whether the document that is read has such objects and names.
let isExact = false;

/**
 * Parses strict JSON, and reads what it has. All numbers are as they are written. Throws a `TextFault`, whose place is looked
 * for only then, for a `ValueFault` of `read`, too.
 */
export function readJson<T>(text: string, read: (root: unknown) => T): T {
  try {
    try {
      return read(JSON.parse(text));
    } catch (error) {
      if (error !== inexact) throw error;
      isExact = true;
      return read(JSON.parse(text.replace(nameOrNumber, exact)));
    } finally {
      isExact = false;
    }
  } catch (error) {
    if (error instanceof ValueFault) throw new TextFault(offsetOf(error, parsed(text)), error.message);
    if (!(error instanceof SyntaxError)) throw error;
    parsed(text);
    throw new TextFault(0, "invalid JSON");
  }
}

/** The document with its places. */
function parsed(text: string): ValueNode {
  const deep = indexOfDepth(text, maxDepth + 1);
  if (deep >= 0) throw new TextFault(deep, new TooDeepError().message);
  try {
    return parse(text, { mode: "json" }).body;
  } catch (error) {
    const { message, offset } = error as Error & { offset?: number };
    if (offset === undefined) throw error;
    throw new TextFault(offset, `invalid JSON: ${message.replace(/ found\..*$| \(.*$/, "").toLowerCase()}`, true);
  }
}

function offsetOf({ path, isName }: ValueFault, root: ValueNode): number {
  let [value, from] = [root, root.loc.start.offset];
  for (const name of path) {
    const members = value.type === "Object" ? value.members : [];
    const found =
      value.type === "Array"
        ? value.elements[Number(name)]
        : members.findLast((one) => (one.name.type === "String" ? one.name.value : one.name.name) === name);
    if (found === undefined) break;
    value = found.value;
    from = found.loc.start.offset;
  }
  return isName ? from : value.loc.start.offset;
}

/** Reads a value by its name or index in what is above it: a fault has the way to it. */
export function readAt<T>(name: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ValueFault) error.path.unshift(name);
    throw error;
  }
}

/** Reads the members of an object, without those that are null. Throws a `ValueFault` for other values. */
export function eachMember(value: unknown, what: string, read: (value: unknown, name: string) => void): void {
  if (!isObject(value)) throw new ValueFault(`${what} must be an object, not ${shown(value)}`);
  for (const key of Object.keys(value)) {
    const isNumber = key.charCodeAt(0) <= 0x39 && numberName.test(key);
    if (isNumber && !isExact) throw inexact;
    const name = isNumber ? key.slice(1) : key;
    if (value[key] !== null) readAt(name, () => read(value[key], name));
  }
}

/** Reads the items of an array. Throws a `ValueFault` for other values. */
export function eachItem<T>(value: unknown, what: string, read: (item: unknown, index: number) => T): T[] {
  if (!Array.isArray(value)) throw new ValueFault(`${what} must be an array, not ${shown(value)}`);
  return value.map((item: unknown, index) => readAt(index, () => read(item, index)));
}

/** A string. Throws a `ValueFault` for other values. */
export function textOf(value: unknown, what: string): string {
  if (typeof value !== "string") throw new ValueFault(`${what} must be a string, not ${shown(value)}`);
  return value;
}

/** The text of a number, or the content of a string. Throws a `ValueFault` for other values. */
export function numeral(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") {
    const text = Object.is(value, -0) ? "-0" : String(value);
    if (!Number.isSafeInteger(value) && (text.length >= longText - 1 || !Number.isFinite(value))) throw inexact;
    return text;
  }
  const text = exactText(value);
  if (text === undefined) throw new ValueFault(`${what} must be a number, not ${shown(value)}`);
  return text;
}

/** A boolean. Throws a `ValueFault` for other values. */
export function booleanOf(value: unknown, what: string): boolean {
  if (typeof value === "boolean") return value;
  throw new ValueFault(`${what} must be true or false, not ${shown(value)}`);
}

/** Whether a value is an object, not an array or a number. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && exactText(value) === undefined;
}

function exactText(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !(exactKey in value)) return undefined;
  return String(value[exactKey]);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : (exactText(value) ?? JSON.stringify(value));
}
