import { everything } from "../../forge/names.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { HttpError } from "../../http/errors.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import type { PullContext } from "./subject.ts";

/** What can be known of a conflict between a pull request and its base. */
export interface Conflict {
  /** `yes` and `no` are git's own judgement; `unknown` means that only the files changed on both sides are known. */
  readonly certain: "yes" | "no" | "unknown";
  /** The files in conflict, or changed on both sides. */
  readonly files: readonly string[];
}

/** Looks for the conflict: by git where the objects are at hand, else by the files that both sides changed. */
export async function conflictOf(context: PullContext, pull: PullRequest): Promise<Conflict> {
  const judged = await byGit(context, pull);
  if (judged !== undefined) return judged;
  // This only explains: where the caller may not read both sides, nothing is known.
  const files = await changedOnBothSides(context, pull).catch((error: unknown) => {
    if (error instanceof HttpError) return [];
    throw error;
  });
  return { certain: "unknown", files };
}

/** Asks the git here, if it has both commits. */
async function byGit({ git }: PullContext, pull: PullRequest): Promise<Conflict | undefined> {
  const [base, head] = [pull.base?.sha, pull.head?.sha];
  if (!base || !head) return undefined;
  const merge = ["merge-tree", "--write-tree", "--name-only", "--no-messages", base, head];
  const result = await git.attempt(merge).catch(() => undefined);
  if (result?.code === 0) return { certain: "no", files: [] };
  const [tree = "", ...files] = (result?.stdout ?? "").trimEnd().split("\n");
  if (result?.code !== 1 || !/^[0-9a-f]{40,64}$/.test(tree)) return undefined;
  return { certain: "yes", files };
}

/** The files that both the pull request and its base changed since they parted. */
async function changedOnBothSides({ forge, repo }: PullContext, pull: PullRequest): Promise<string[]> {
  if (!pull.merge_base || !pull.base?.sha) return [];
  const [ours, theirs] = await allSettledOrThrow([
    everything(forge.pulls.files(repo, pull.number)),
    forge.commits.compare(repo, pull.merge_base, pull.base.sha),
  ]);
  const base = new Set((theirs.commits ?? []).flatMap((commit) => (commit.files ?? []).map((file) => file.filename)));
  const names = ours.flatMap((file) => [file.filename, file.previous_filename ?? file.filename]);
  return [...new Set(names)].filter((name) => base.has(name));
}

/** The files that git named in its report of a failed merge, as a 409 carries it (api-facts 3.1.5). */
export function filesInReport(report: string): string[] {
  const files = [
    ...report.matchAll(/^CONFLICT \([^)]*\): (?:Merge conflict in (.+)|(\S+) (?:deleted|renamed|added) .*)$/gm),
  ];
  return [...new Set(files.flatMap(([, merged, moved]) => merged ?? moved ?? []))];
}

/** `a.txt, b.txt and 3 more`. */
export function listed(files: readonly string[], most = 8): string {
  const more = files.length - most;
  return `${files.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
