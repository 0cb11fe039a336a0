import { type FieldFacts, type OperationFacts, operationFacts, recordFacts } from "./generated/facts.ts";
import { type Since, since } from "./generated/since.ts";
import { type Needed, placed, shapeOf } from "./support.ts";

export type { FieldFacts };

/** What the descriptions of 18 releases say of an operation, and which of them have it; undefined if none has it. */
export function factsAt(method: string, path: string): (OperationFacts & Since) | undefined {
  const shape = shapeOf(`${method} ${path}`);
  const facts = factsByShape.get(shape);
  return facts && { ...facts, ...since[shape] };
}

const factsByShape: ReadonlyMap<string, OperationFacts> = new Map(
  Object.entries(operationFacts).map(([key, facts]) => [shapeOf(key), facts]),
);

/** Which releases read a field of the query or the body of an operation; undefined if all that have the operation do. */
export function fieldSince(operation: Needed, name: string): Since | undefined {
  const [key = ""] = placed(operation);
  const [method = "", path = ""] = key.split(" ");
  return fieldSinceAt(method, path, name);
}

/** Which releases have a field of a record that others lack; undefined if all have it. */
export function recordFieldSince(record: string, name: string): Since | undefined {
  const field = recordFacts[record]?.fields[name];
  return typeof field === "object" ? field : undefined;
}

/** The same of an operation by its method and path. */
export function fieldSinceAt(method: string, path: string, name: string): Since | undefined {
  const facts = factsAt(method, path);
  const field = facts?.query[name] ?? recordFacts[facts?.body ?? ""]?.fields[name];
  return typeof field === "object" ? field : undefined;
}
