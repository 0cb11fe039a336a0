import { parse, type ValueNode } from "@humanwhocodes/momoa";
import { indexOfDepth, maxDepth, TooDeepError } from "../../text/json.ts";
import { TextFault } from "./pieces.ts";

/** A value of a JSON document, and the way to it: the name or the index in what is above it. */
export interface JsonNode {
  readonly value: unknown;
  readonly name: string | number;
  readonly above?: JsonNode;
}

/** What is wrong at a value, or with the name of a member. */
export class NodeFault extends Error {
  constructor(
    readonly node: JsonNode,
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

/**
 * Parses strict JSON, and reads what it has. All numbers are as they are written. Throws a `TextFault`, whose place is looked
 * for only then, for a `NodeFault` of `read`, too.
 */
export function readJson<T>(text: string, read: (root: JsonNode) => T): T {
  try {
    try {
      return read({ value: JSON.parse(text), name: "" });
    } catch (error) {
      if (error !== inexact) throw error;
      return read({ value: JSON.parse(text.replace(nameOrNumber, exact)), name: "exact" });
    }
  } catch (error) {
    if (error instanceof NodeFault) throw new TextFault(offsetOf(error, parsed(text)), error.message);
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

function offsetOf({ node, isName }: NodeFault, root: ValueNode): number {
  const place = (one: JsonNode): { readonly value: ValueNode; readonly from: number } | undefined => {
    if (one.above === undefined) return { value: root, from: root.loc.start.offset };
    const above = place(one.above)?.value;
    if (above?.type === "Array") {
      const item = above.elements[Number(one.name)]?.value;
      return item && { value: item, from: item.loc.start.offset };
    }
    const members = above?.type === "Object" ? above.members : [];
    const member = members.findLast(({ name }) => (name.type === "String" ? name.value : name.name) === one.name);
    return member && { value: member.value, from: member.name.loc.start.offset };
  };
  const found = place(node);
  return (isName ? found?.from : found?.value.loc.start.offset) ?? 0;
}

/** The members of an object, without those that are null. Throws a `NodeFault` for other values. */
export function membersOf(node: JsonNode, what: string): JsonNode[] {
  const { value } = node;
  if (!isObject(value)) throw new NodeFault(node, `${what} must be an object, not ${shown(value)}`);
  const members: JsonNode[] = [];
  for (const name of Object.keys(value)) {
    const one = value[name];
    const isNumber = name.charCodeAt(0) <= 0x39 && numberName.test(name);
    if (isNumber && !isExact(node)) throw inexact;
    if (one !== null) members.push({ value: one, name: isNumber ? name.slice(1) : name, above: node });
  }
  return members;
}

function isExact({ name, above }: JsonNode): boolean {
  return above === undefined ? name === "exact" : isExact(above);
}

/** The items of an array. Throws a `NodeFault` for other values. */
export function itemsOf(node: JsonNode, what: string): readonly JsonNode[] {
  const { value } = node;
  if (!Array.isArray(value)) throw new NodeFault(node, `${what} must be an array, not ${shown(value)}`);
  return value.map((item: unknown, name) => ({ value: item, name, above: node }));
}

/** The value of a string. Throws a `NodeFault` for other values. */
export function textOf(node: JsonNode, what: string): string {
  if (typeof node.value !== "string") throw new NodeFault(node, `${what} must be a string, not ${shown(node.value)}`);
  return node.value;
}

/** The text of a number, or the content of a string. Throws a `NodeFault` for other values. */
export function numeral(node: JsonNode, what: string): string {
  const { value } = node;
  if (typeof value === "string") return value;
  if (typeof value === "number") {
    const text = Object.is(value, -0) ? "-0" : String(value);
    if (!Number.isSafeInteger(value) && (text.length >= longText - 1 || !Number.isFinite(value))) throw inexact;
    return text;
  }
  const text = exactText(value);
  if (text === undefined) throw new NodeFault(node, `${what} must be a number, not ${shown(value)}`);
  return text;
}

/** The value of a boolean. Throws a `NodeFault` for other values. */
export function booleanOf(node: JsonNode, what: string): boolean {
  if (typeof node.value === "boolean") return node.value;
  throw new NodeFault(node, `${what} must be true or false, not ${shown(node.value)}`);
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
