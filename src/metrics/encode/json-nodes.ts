import { parse, type ValueNode } from "@humanwhocodes/momoa";
import { indexOfDepth, maxDepth, TooDeepError } from "../../text/json.ts";
import { TextFault } from "./pieces.ts";

/** A value of a JSON document with its offset. */
export interface JsonNode {
  readonly offset: number;
  readonly node: ValueNode;
}

/** A member of an object. */
export interface Member {
  readonly name: string;
  readonly key: JsonNode;
  readonly value: JsonNode;
}

/** Parses strict JSON with offsets. Throws a `TextFault`. */
export function parseJson(text: string): JsonNode {
  const deep = indexOfDepth(text, maxDepth + 1);
  if (deep >= 0) throw new TextFault(deep, new TooDeepError().message);
  try {
    return place(parse(text, { mode: "json" }).body);
  } catch (error) {
    const { message, offset } = error as Error & { offset?: number };
    if (offset === undefined) throw error;
    throw new TextFault(offset, `invalid JSON: ${message.replace(/ found\..*$| \(.*$/, "").toLowerCase()}`);
  }
}

function place(node: ValueNode): JsonNode {
  return { offset: node.loc.start.offset, node };
}

/** The members of an object, without those that are null. Throws a `TextFault` for other values. */
export function membersOf({ node, offset }: JsonNode, what: string): Member[] {
  if (node.type !== "Object") throw new TextFault(offset, `${what} must be an object, not ${shown(node)}`);
  return node.members
    .filter(({ value }) => value.type !== "Null")
    .map(({ name, value }) => {
      const key = name.type === "String" ? name.value : name.name;
      return {
        name: key,
        key: { offset: name.loc.start.offset, node: { ...name, type: "String", value: key } },
        value: place(value),
      };
    });
}

/** The items of an array. Throws a `TextFault` for other values. */
export function itemsOf({ node, offset }: JsonNode, what: string): readonly JsonNode[] {
  if (node.type !== "Array") throw new TextFault(offset, `${what} must be an array, not ${shown(node)}`);
  return node.elements.map(({ value }) => place(value));
}

/** The value of a string. Throws a `TextFault` for other values. */
export function textOf({ node, offset }: JsonNode, what: string): string {
  if (node.type !== "String") throw new TextFault(offset, `${what} must be a string, not ${shown(node)}`);
  return node.value;
}

/** The source text of a number, or the content of a string. Throws a `TextFault` for other values. */
export function numeral({ node, offset }: JsonNode, text: string, what: string): string {
  if (node.type === "String") return node.value;
  if (node.type === "Number") return text.slice(offset, node.loc.end.offset);
  throw new TextFault(offset, `${what} must be a number, not ${shown(node)}`);
}

/** The value of a boolean. Throws a `TextFault` for other values. */
export function booleanOf({ node, offset }: JsonNode, what: string): boolean {
  if (node.type !== "Boolean") throw new TextFault(offset, `${what} must be true or false, not ${shown(node)}`);
  return node.value;
}

function shown(node: ValueNode): string {
  if (node.type === "Array") return "an array";
  if (node.type === "Object") return "an object";
  return "value" in node ? JSON.stringify(node.value) : "null";
}
