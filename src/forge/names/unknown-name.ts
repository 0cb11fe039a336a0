import { Failure } from "../../command/failure.ts";
import { nearest } from "../../command/nearest.ts";

const shown = 20;

/** A name that the server does not know, said before anything is written: the server itself may drop it silently. */
export function unknownName(kind: string, typed: readonly string[], known: readonly string[], where: string): Failure {
  const quoted = typed.map((name) => `'${name}'`).join(", ");
  const message = `There is no ${kind}${typed.length > 1 ? "s" : ""} ${quoted} ${where}`;
  return new Failure("unknown_name", "invalid", message, { hint: hintFor(typed, known) });
}

function hintFor(typed: readonly string[], known: readonly string[]): string | undefined {
  const small = new Map(known.map((name) => [name.toLowerCase(), name]));
  const near = typed.flatMap((name) =>
    nearest(name.toLowerCase(), [...small.keys()]).map((key) => small.get(key) ?? key),
  );
  if (near.length > 0) return `Did you mean: ${[...new Set(near)].join(", ")}?`;
  if (known.length === 0) return undefined;
  return `Known: ${known.slice(0, shown).join(", ")}${known.length > shown ? `, and ${known.length - shown} more` : ""}`;
}

/** The item with this name: in the very spelling, else in any case; the first of equal ones. */
export function byName<T>(items: readonly T[], typed: string, nameOf: (item: T) => string): T | undefined {
  const small = typed.toLowerCase();
  return items.find((item) => nameOf(item) === typed) ?? items.find((item) => nameOf(item).toLowerCase() === small);
}

/** A whole listing as an array. */
export async function everything<T>(listing: { take(limit: number): AsyncIterable<T> }): Promise<T[]> {
  const all: T[] = [];
  for await (const item of listing.take(Number.POSITIVE_INFINITY)) all.push(item);
  return all;
}
