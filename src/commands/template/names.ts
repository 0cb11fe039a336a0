import { Failure } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { NotFoundError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { wordColumn } from "../../output/table.ts";
import { capitalized } from "../../text/format.ts";
import { nearest } from "../../text/nearest.ts";

/** The table of a list of names. */
export const nameColumns = [wordColumn("NAME")];

/** A template by its name, which is case-sensitive. If it does not exist, the failure has the names that are similar. */
export async function namedTemplate<T>(
  name: string,
  noun: string,
  get: (name: string) => Promise<T>,
  list: () => Listing<string | { readonly key: string }>,
): Promise<T> {
  try {
    return await get(name);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const known = (await collect(list())).map((one) => (typeof one === "string" ? one : one.key));
    const otherCase = known.filter((one) => one.toLowerCase() === name.toLowerCase());
    const near = otherCase.length > 0 ? otherCase : nearest(name, known);
    const title = capitalized(noun);
    throw new Failure("not_found", `${title} ${name} not found on ${error.exchange.server}`, {
      hint: near.length > 0 ? `Did you mean: ${near.join(", ")}?` : undefined,
    });
  }
}
