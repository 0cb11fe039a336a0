import { cacheName, openCache } from "../../app/cache.ts";
import type { Offer } from "../../command/complete.ts";
import { mismatch } from "../../shape/mismatch.ts";
import { list, optional, record, string } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

/** How long an answer is kept, in milliseconds: titles of private repositories are not kept longer than needed. */
const kept = 20_000;

const content = list(record({ word: string, description: optional(string) }));

/** Returns the answer for a key, from the cache or from `read`. */
export async function cached(
  system: Pick<System, "env" | "now">,
  key: unknown,
  read: () => Promise<Offer[]>,
): Promise<readonly Offer[]> {
  const cache = openCache(system, "complete", kept);
  const name = cacheName(key);
  const known = offersIn(cache.read(name));
  if (known !== undefined) return known;
  const found = await read();
  cache.write(name, JSON.stringify(found));
  return found;
}

function offersIn(text: string | undefined): readonly Offer[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return mismatch(content, value) === undefined ? (value as readonly Offer[]) : undefined;
  } catch {
    // None, or not whole.
    return undefined;
  }
}
