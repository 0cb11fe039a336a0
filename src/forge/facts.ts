import { type FieldFacts, type OperationFacts, operationFacts, recordFacts } from "./generated/facts.ts";
import { type Since, since } from "./generated/since.ts";
import type { Operation } from "./operation.ts";
import { availableSince, shapeOf } from "./support.ts";

export type { FieldFacts };

/** What the descriptions of 17 releases say of an operation, and which of them have it; undefined if none has it. */
export function factsAt(method: string, path: string): (OperationFacts & Since) | undefined {
  const shape = shapeOf(`${method} ${path}`);
  const facts = factsByShape.get(shape);
  return facts && { ...facts, ...since[shape] };
}

const factsByShape: ReadonlyMap<string, OperationFacts> = new Map(
  Object.entries(operationFacts).map(([key, facts]) => [shapeOf(key), facts]),
);

/** Which releases know fields of the body of an operation (`POST /user/repos`); undefined for a field that all know. */
export function fieldsSince(operation: string, fields: readonly string[]): readonly (Since | undefined)[] {
  const body = recordFacts[factsByShape.get(shapeOf(operation))?.body ?? ""];
  return fields.map((name) => {
    const field = body?.fields[name];
    return typeof field === "object" ? field : undefined;
  });
}

/** Which releases read a parameter of the query of an operation; undefined if all that have the operation do. */
export function parameterSince({ method, path }: Pick<Operation, "method" | "path">, name: string): string | undefined {
  const parameter = factsAt(method, path)?.query[name];
  return typeof parameter === "object" ? availableSince(parameter) : undefined;
}
