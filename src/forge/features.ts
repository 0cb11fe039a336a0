import pMap from "p-map";
import { nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError, UnknownOperationError } from "../http/errors.ts";
import type { Path } from "../http/path.ts";
import { type Asked, serverHas } from "./server-has.ts";
import { type Has, hasNeeds, type Needs, placed, releaseOf, sinceOf, type Word } from "./support.ts";

/** What not all releases have: by the operations that it needs, or by the releases that have a field of an operation. */
export interface Feature {
  readonly needs?: Needs | undefined;
  readonly field?: Asked | undefined;
}

/**
 * Those of the features that a server of this version does not have. An operation that came with the release that the server
 * is built before, or with one that no table has, is looked for by a GET request where no description tells; nothing is
 * changed. A server that does not say its version has all.
 */
export async function missingFeatures<T extends Feature>(
  http: Http,
  version: string,
  features: readonly T[],
): Promise<T[]> {
  const operations = new Set(features.flatMap(({ needs = [] }) => placed(needs)));
  const said = new Map<string, Word>();
  for (const operation of operations)
    said.set(operation, await serverHas(http, { since: sinceOf(operation) ?? {}, operation }, version));
  const has: Has = (operation) => said.get(operation) ?? "unknown";
  if (releaseOf(version) !== undefined) {
    const unsure = features.flatMap(({ needs = [] }) => (hasNeeds(needs, has) === "unknown" ? placed(needs) : []));
    const looked = [...new Set(unsure)].filter((operation) => said.get(operation) === "unknown");
    const look = async (one: string) => said.set(one, (await isMissing(http, one)) ? "no" : "yes");
    await pMap(looked, look, { concurrency: 8 });
  }
  const words = await Promise.all(
    features.map(({ needs, field }) =>
      field === undefined ? hasNeeds(needs ?? [], has) : serverHas(http, field, version),
    ),
  );
  return features.filter((_, index) => words[index] === "no");
}

/**
 * Whether an operation is missing: its path is unknown, or `Allow` does not list its method. GET on the path of another
 * method is answered with 405 and `Allow` (docs/server-differences.md, "Server information").
 */
async function isMissing(http: Http, operation: string): Promise<boolean> {
  const [method = "", path = ""] = operation.split(" ");
  try {
    await http.send("GET", emptyPlace(path), { answers: nothing });
    return false;
  } catch (error) {
    if (error instanceof UnknownOperationError) {
      const { status, headers } = error.exchange;
      const allowed = headers["allow"]?.split(",").map((word) => word.trim()) ?? [];
      return status !== 405 || !allowed.includes(method);
    }
    // Any other status comes from the operation itself.
    if (error instanceof HttpError) return false;
    throw error;
  }
}

/** A path of an operation on which nothing exists: no account or repository is named `-`, and no record has the ID 0. */
function emptyPlace(path: string): Path {
  return path.replace(/\{([^}]+)\}/g, (_place, name: string) => (/^(id|index|run|job)/.test(name) ? "0" : "-")) as Path;
}
