import pMap from "p-map";
import { nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError, UnknownOperationError } from "../http/errors.ts";
import type { Path } from "../http/path.ts";

/** An operation that only some servers have. */
interface Operation {
  /** The feature that needs it. */
  readonly feature: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path of it on which nothing exists: no user or repository is named `-`. */
  readonly path: Path;
}

const repo = "/repos/-/-";
const operation = (feature: string, method: Operation["method"], place: string): Operation => ({
  feature,
  method,
  path: place as Path,
});

/** Operations of tongs that some releases of Gitea or Forgejo do not have, by feature. */
const operations: readonly Operation[] = [
  operation("workflows", "GET", `${repo}/actions/workflows`),
  operation("run lists", "GET", `${repo}/actions/runs`),
  operation("job logs", "GET", `${repo}/actions/jobs/0/logs`),
  operation("run reruns", "POST", `${repo}/actions/runs/0/rerun`),
  operation("artifacts", "GET", `${repo}/actions/artifacts`),
  operation("runner lists", "GET", `${repo}/actions/runners`),
  operation("user badges", "GET", "/admin/users/-/badges"),
  operation("organization renames", "POST", "/orgs/-/rename"),
  // The first on Gitea, the second on Forgejo.
  operation("fork syncs", "POST", `${repo}/merge-upstream`),
  operation("fork syncs", "POST", `${repo}/sync_fork`),
  operation("issue locks", "PUT", `${repo}/issues/0/lock`),
  operation("branch updates", "PUT", `${repo}/branches/-`),
  operation("branch renames", "PATCH", `${repo}/branches/-`),
  operation("branch protection order", "POST", `${repo}/branch_protections/priority`),
  operation("reading several files at once", "POST", `${repo}/file-contents`),
  operation("repository licenses", "GET", `${repo}/licenses`),
  operation("review threads", "POST", `${repo}/pulls/comments/0/resolve`),
  operation("package links", "POST", "/packages/-/generic/-/-/link/-"),
  operation("deleting whole packages", "DELETE", "/packages/-/generic/-"),
  operation("information about the token", "GET", "/token"),
  operation("federation", "GET", "/nodeinfo"),
];

/** The operations of tongs that the server does not have. */
export function missingOperationsApi(http: Http) {
  return {
    /**
     * The features that are missing: each of their operations is, found by one GET request each; nothing is changed.
     */
    list: async (): Promise<string[]> => {
      const missing = await pMap(operations, (one) => isMissing(http, one), { concurrency: 8 });
      const present = new Set(operations.filter((_, at) => !missing[at]).map(({ feature }) => feature));
      return [...new Set(operations.map(({ feature }) => feature))].filter((feature) => !present.has(feature));
    },
  };
}

/**
 * Whether an operation is missing: its path is unknown, or `Allow` does not list its method. GET on the path of another
 * method is answered with 405 and `Allow` (docs/server-differences.md, "Server information").
 */
async function isMissing(http: Http, { method, path: place }: Operation): Promise<boolean> {
  try {
    await http.get(place, { answers: nothing });
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
