import pMap from "p-map";
import { nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError, UnknownOperationError } from "../http/errors.ts";
import type { Path } from "../http/path.ts";
import type { Since } from "./generated/since.ts";
import { type Has, hasNeeds, hasOperation, type Needs, placed, releaseOf, sinceOf } from "./support.ts";

/** What not all releases have: by the operations that it needs, or by the releases that have a field. */
export interface Feature {
  readonly needs?: Needs | undefined;
  readonly since?: Since;
}

/**
 * Those of the features that a server of this version does not have. An operation that came with the release that the server
 * is built before is looked for by a GET request; nothing is changed. A server that does not say its version has all.
 */
export async function missingFeatures<T extends Feature>(
  http: Http,
  version: string,
  features: readonly T[],
): Promise<T[]> {
  const release = releaseOf(version);
  if (release === undefined) return [];
  const said: Has = (_, since) => hasOperation(release, since);
  const operations = new Set(
    features.flatMap(({ needs = [] }) => (hasNeeds(needs, said) === "unknown" ? placed(needs) : [])),
  );
  const unknown = [...operations].filter((operation) => said(operation, sinceOf(operation) ?? {}) === "unknown");
  const found = await pMap(unknown, async (one) => [one, !(await isMissing(http, one))] as const, { concurrency: 8 });
  const looked = new Map(found);
  const has: Has = (operation, since) => {
    const isThere = looked.get(operation);
    return isThere === undefined ? said(operation, since) : isThere ? "yes" : "no";
  };
  return features.filter(
    ({ needs, since = {} }) => (needs === undefined ? said("", since) : hasNeeds(needs, has)) === "no",
  );
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
