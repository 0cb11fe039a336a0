import pMap from "p-map";
import { nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError, UnknownOperationError } from "../http/errors.ts";
import type { Path } from "../http/path.ts";
import { userBadgeList } from "./admin-users.ts";
import { artifactList } from "./artifacts.ts";
import { branchProtectionOrder } from "./branch-protections.ts";
import { branchRename, branchUpdate } from "./branches.ts";
import { contentsPost } from "./contents.ts";
import { forkSync, upstreamMerge } from "./forks.ts";
import { jobLogs } from "./jobs.ts";
import { levelPaths } from "./level.ts";
import type { Operation } from "./operation.ts";
import { orgRename } from "./orgs.ts";
import { packageDeleteAll, packageLink } from "./packages.ts";
import { issueLock } from "./pins.ts";
import { licenseList } from "./repo-settings.ts";
import { reviewCommentResolve } from "./review-comments.ts";
import { runnerList } from "./runners.ts";
import { runList, runRerun } from "./runs.ts";
import { nodeInfoGet } from "./server.ts";
import { tokenGet } from "./tokens.ts";
import { workflowList } from "./workflows.ts";

/** What some releases of Gitea or Forgejo do not have, with the operations of which it needs one. */
const features = {
  workflows: [workflowList],
  "run lists": [runList],
  "job logs": [jobLogs],
  "run reruns": [runRerun],
  artifacts: [artifactList],
  "runner lists": [runnerList],
  "user badges": [userBadgeList],
  "organization renames": [orgRename],
  // The first on Gitea, the second on Forgejo.
  "fork syncs": [upstreamMerge, forkSync],
  "issue locks": [issueLock],
  "branch updates": [branchUpdate],
  "branch renames": [branchRename],
  "branch protection order": [branchProtectionOrder],
  "reading several files at once": [contentsPost],
  "repository licenses": [licenseList],
  "review threads": [reviewCommentResolve],
  "package links": [packageLink],
  "deleting whole packages": [packageDeleteAll],
  "information about the token": [tokenGet],
  federation: [nodeInfoGet],
} satisfies Record<string, readonly Operation[]>;

export type Feature = keyof typeof features;

const allFeatures = Object.keys(features) as Feature[];

/** Those of the features that a server does not have, found by one GET request for each operation; nothing is changed. */
export async function missingFeatures(http: Http, asked: readonly Feature[] = allFeatures): Promise<Feature[]> {
  const operations = asked.flatMap((feature) => features[feature].map((operation) => ({ feature, operation })));
  const missing = await pMap(operations, ({ operation }) => isMissing(http, operation), { concurrency: 8 });
  const present = new Set(operations.filter((_, at) => !missing[at]).map(({ feature }) => feature));
  return asked.filter((feature) => !present.has(feature));
}

/**
 * Whether an operation is missing: its path is unknown, or `Allow` does not list its method. GET on the path of another
 * method is answered with 405 and `Allow` (docs/server-differences.md, "Server information").
 */
async function isMissing(http: Http, operation: Operation): Promise<boolean> {
  try {
    await http.send("GET", emptyPlace(operation), { answers: nothing });
    return false;
  } catch (error) {
    if (error instanceof UnknownOperationError) {
      const { status, headers } = error.exchange;
      const allowed = headers["allow"]?.split(",").map((word) => word.trim()) ?? [];
      return status !== 405 || !allowed.includes(operation.method);
    }
    // Any other status comes from the operation itself.
    if (error instanceof HttpError) return false;
    throw error;
  }
}

/** A path of an operation on which nothing exists: no account or repository is named `-`, and no record has the ID 0. */
function emptyPlace({ path, levels: [level] }: Operation): Path {
  const placed = level === undefined ? path : path.replace("{level}", levelPaths[level]);
  return placed.replace(/\{([^}]+)\}/g, (_place, name: string) =>
    /^(id|index|run|job)/.test(name) ? "0" : "-",
  ) as Path;
}
