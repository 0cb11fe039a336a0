import type { Failure } from "../../failure/failure.ts";
import { compareCommits } from "../../forge/commits.ts";
import { listRelated } from "../../forge/dependencies.ts";
import type { MergePullRequestOption } from "../../forge/generated/operations.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullFileList, pullGet } from "../../forge/pulls.ts";
import { type MergeStyle, type Repository, repoGet } from "../../forge/repos.ts";
import { HttpError } from "../../http/errors.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { headBranch, type PullContext, pullName, refusedError, requireOpen } from "./pull.ts";

/** The merge that was requested. */
export interface MergeRequest {
  readonly number: number;
  readonly body: MergePullRequestOption;
}

const hints: readonly (readonly [reason: RegExp, hint: (number: number) => string])[] = [
  [/work in progress/i, (number) => `Mark it as ready for review: tongs pr ready ${number}`],
  [
    /not allowed to merge pr/i,
    () => "You need write access, and a place on the branch's merge allowlist if it has one.",
  ],
  [/status checks/i, (number) => `View the checks: tongs pr checks ${number}   (or merge when they succeed: --auto)`],
  [/approvals|requested changes|review requests/i, (number) => `View the reviews: tongs pr reviews ${number}`],
  [/behind the base/i, (number) => `Update the branch: tongs pr update ${number}`],
  [/protected files/i, () => "The base branch protects these files; administrators can bypass this with --force."],
  [/signed|sign:/i, () => "The base branch requires signed commits."],
];

/** Explains a 405: merge style not allowed, branch protection, missing permission, draft. */
export async function explainNotAllowed(
  context: PullContext,
  request: MergeRequest,
  error: HttpError,
): Promise<Failure> {
  const { http, repo } = context;
  const name = pullName(context, request.number);
  // Forgejo sends no message if it is already merged (docs/server-differences.md, "Pull requests: merging").
  if (error.serverMessage === "" || /already merged/i.test(error.serverMessage)) {
    requireOpen(await call(http, pullGet, { repo, index: request.number }), name);
  }
  if (/merge style/i.test(error.serverMessage)) {
    const allowed = allowedStyles(await call(http, repoGet, { repo }));
    const hint = allowed.length === 0 ? "No merge style is allowed." : `Allowed: ${allowed.join(", ")}`;
    return refusedError("style_not_allowed", `Merge style "${request.body.Do}" is not allowed in this repository`, {
      hint,
      cause: error,
    });
  }
  const reason = /\[reason: (.*)\]$/.exec(error.serverMessage)?.[1] ?? error.serverMessage;
  const hint = hints.find(([pattern]) => pattern.test(reason))?.[1](request.number);
  return refusedError(
    "not_mergeable",
    `Pull request ${name} is not mergeable: ${reason || "the server gave no reason"}`,
    { hint, cause: error },
  );
}

/** The merge styles that a repository allows. */
function allowedStyles(repo: Repository): MergeStyle[] {
  const styles: readonly (readonly [MergeStyle, boolean | undefined])[] = [
    ["merge", repo.allow_merge_commits],
    ["rebase", repo.allow_rebase],
    ["rebase-merge", repo.allow_rebase_explicit],
    ["squash", repo.allow_squash_merge],
    ["fast-forward-only", repo.allow_fast_forward_only_merge],
    ["manually-merged", repo.allow_manual_merge],
  ];
  return styles.filter(([, on]) => on === true).map(([style]) => style);
}

/** Explains a 409: conflict, head or base changed, wrong commit, merge already scheduled. */
export async function explainConflict(context: PullContext, request: MergeRequest, error: HttpError): Promise<Failure> {
  const { number, body } = request;
  const name = pullName(context, number);
  const { StdOut, StdErr, CommitSHA } = gitReport(error.exchange.body);
  if (StdOut !== undefined || StdErr !== undefined) {
    const files = filesInReport(StdOut ?? "");
    if (files.length > 0) return conflictError({ name, number }, files, { commit: CommitSHA, cause: error });
    const reason = /^fatal: (.*)$/m.exec(StdErr ?? "")?.[1] ?? (StdErr ?? "").trim().split("\n").pop() ?? "";
    return refusedError("conflict", `${name} cannot be merged with style "${body.Do}": ${reason}`, { cause: error });
  }
  if (/head out of date/.test(error.serverMessage)) {
    const head = (await call(context.http, pullGet, { repo: context.repo, index: number })).head?.sha ?? "";
    return headChangedError(name, head, body.head_commit_id ?? "", error);
  }
  if (/merge push out of date/.test(error.serverMessage)) {
    return refusedError("base_changed", `The base branch of ${name} changed during the merge`, {
      hint: "Nothing was merged. Try again.",
      cause: error,
    });
  }
  if (/already scheduled/.test(error.serverMessage)) {
    const hint = `Cancel it: tongs pr merge ${number} --cancel-auto`;
    return refusedError("already_scheduled", `An automatic merge is already scheduled for ${name}`, {
      hint,
      cause: error,
    });
  }
  if (body.Do === "manually-merged") {
    const hint = "Pass the merge commit on the base branch: --merge-commit SHA";
    return refusedError("wrong_commit", `Commit ${body.MergeCommitID} is not a merge of ${name} on its base branch`, {
      hint,
      cause: error,
    });
  }
  if (error.serverMessage === "") {
    // A conflict found during the merge may come without a body (seen on Gitea).
    const pull = await call(context.http, pullGet, { repo: context.repo, index: number });
    requireOpen(pull, name);
    const { certain, files } = await findConflict(context, pull);
    if (certain !== "no" && files.length > 0) return conflictError({ name, number }, files, { cause: error });
  }
  return refusedError("refused", `The server refused to merge ${name}: ${error.serverMessage || "it gave no reason"}`, {
    cause: error,
  });
}

/** The failure for a head that is not the commit of --match-head. */
export function headChangedError(name: string, head: string, expected: string, cause?: unknown): Failure {
  const hint = "Review the new commits before you merge.";
  return refusedError("head_changed", `The head of ${name} is ${head.slice(0, 10)}, not ${expected.slice(0, 10)}`, {
    hint,
    cause,
  });
}

/** The failure for conflicting files; `commit` is the commit that does not apply. */
export function conflictError(
  { name, number }: { readonly name: string; readonly number: number },
  files: readonly string[],
  { commit, cause }: { readonly commit?: string | undefined; readonly cause?: unknown } = {},
): Failure {
  const where = commit === undefined ? "" : ` (commit ${commit.slice(0, 10)} does not apply)`;
  const hint = `Resolve the conflict locally and push: tongs pr checkout ${number}`;
  return refusedError("conflict", `${name} conflicts with its base branch in ${shortList(files)}${where}`, {
    hint,
    cause,
  });
}

interface GitReport {
  readonly StdOut?: string;
  readonly StdErr?: string;
  readonly CommitSHA?: string;
}

function gitReport(body: unknown): GitReport {
  return typeof body === "object" && body !== null && "Style" in body ? (body as GitReport) : {};
}

/** Explains a 500, or returns undefined (docs/server-differences.md, "Pull requests: merging"). */
export async function explainServerError(
  context: PullContext,
  request: MergeRequest,
  pull: PullRequest,
  error: HttpError,
): Promise<Failure | undefined> {
  const name = pullName(context, request.number);
  if (request.body.Do === "fast-forward-only" && pull.merge_base !== pull.base?.sha) {
    const hint = `Rebase it: tongs pr update ${request.number} --style rebase   (or choose another --style)`;
    return refusedError("diverged", `${name} cannot be fast-forwarded: its base branch has new commits`, {
      hint,
      cause: error,
    });
  }
  const all = await collect(
    listRelated(context.http, { of: "dependencies", repo: context.repo, index: request.number }),
  ).catch(() => []);
  const open = all.filter(({ state }) => state === "open");
  if (open.length === 0) return undefined;
  const titles = open.map(({ number, title }) => (number > 0 ? `#${number} ${title}` : title));
  return refusedError("blocked", `${name} has open dependencies: ${shortList(titles)}`, { cause: error });
}

/** What is known about a conflict between a pull request and its base branch. */
export interface Conflict {
  /** `yes` and `no` come from git; `unknown` means that only the files changed on both sides are known. */
  readonly certain: "yes" | "no" | "unknown";
  /** The conflicting files, or those changed on both sides. */
  readonly files: readonly string[];
}

/** Finds the conflict: with git if the commits are available locally, else by the files that both sides changed. */
export async function findConflict(context: PullContext, pull: PullRequest): Promise<Conflict> {
  const result = await findConflictWithGit(context, pull);
  if (result !== undefined) return result;
  // This only explains an error: nothing is known if the caller cannot read both sides.
  const files = await changedOnBothSides(context, pull).catch((error: unknown) => {
    if (error instanceof HttpError) return [];
    throw error;
  });
  return { certain: "unknown", files };
}

/** Merges the two commits with the local git, if it has both. Nothing is written to a branch. */
async function findConflictWithGit({ git }: PullContext, pull: PullRequest): Promise<Conflict | undefined> {
  const [base, head] = [pull.base?.sha, pull.head?.sha];
  if (!base || !head) return undefined;
  const merge = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "--end-of-options", base, head];
  const result = await git.attempt(merge).catch(() => undefined);
  if (result?.code === 0) return { certain: "no", files: [] };
  const [tree = "", ...files] = (result?.stdout ?? "").trimEnd().split("\n");
  if (result?.code !== 1 || !/^[0-9a-f]{40,64}$/.test(tree)) return undefined;
  return { certain: "yes", files };
}

/** The files changed in both the pull request and its base since the merge base. */
async function changedOnBothSides({ http, repo }: PullContext, pull: PullRequest): Promise<string[]> {
  if (!pull.merge_base || !pull.base?.sha) return [];
  const [ours, theirs] = await allSettledOrThrow([
    collect(call(http, pullFileList, { repo, index: pull.number })),
    compareCommits(
      http,
      repo,
      { sha: pull.merge_base, branch: headBranch(pull) },
      { sha: pull.base.sha, branch: pull.base.ref },
      {},
    ),
  ]);
  const base = new Set((theirs.commits ?? []).flatMap((commit) => (commit.files ?? []).map((file) => file.filename)));
  const names = ours.flatMap((file) => [file.filename, file.previous_filename ?? file.filename]);
  return [...new Set(names)].filter((name) => base.has(name));
}

/** The conflicting files in git's output, which a 409 carries (docs/server-differences.md, "Errors and statuses"). */
function filesInReport(report: string): string[] {
  const files = [
    ...report.matchAll(/^CONFLICT \([^)]*\): (?:Merge conflict in (.+)|(\S+) (?:deleted|renamed|added) .*)$/gm),
  ];
  return [...new Set(files.flatMap(([, merged, moved]) => merged ?? moved ?? []))];
}

/** `a.txt, b.txt and 3 more`. */
export function shortList(files: readonly string[], most = 8): string {
  const more = files.length - most;
  return `${files.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
