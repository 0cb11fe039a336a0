import type { Failure } from "../../failure/failure.ts";
import { everything } from "../../forge/listings.ts";
import type { MergePullRequestOption, PullRequest } from "../../forge/pulls.ts";
import type { MergeStyle, Repository } from "../../forge/repos.ts";
import { HttpError } from "../../http/errors.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { type PullContext, pullName, refused, refuseEnded } from "./shared.ts";

/** What was tried when the server refused. */
export interface MergeTry {
  readonly number: number;
  readonly body: MergePullRequestOption;
}

const hints: readonly (readonly [reason: RegExp, hint: (number: number) => string])[] = [
  [/work in progress/i, (number) => `Mark it as ready first: tongs pr ready ${number}`],
  [
    /not allowed to merge pr/i,
    () => "It takes write access, and a place on the list of mergers where the branch has one.",
  ],
  [/status checks/i, (number) => `See them with: tongs pr checks ${number}   (or merge later by itself: --auto)`],
  [/approvals|requested changes|review requests/i, (number) => `See them with: tongs pr reviews ${number}`],
  [/behind the base/i, (number) => `Bring it up to date: tongs pr update ${number}`],
  [/protected files/i, () => "A rule of the base branch protects them; an administrator may pass it with --force."],
  [/signed|sign:/i, () => "A rule of the base branch asks for signed commits."],
];

/** The failure for a 405: a style that is off, a rule of the branch, a missing right, a draft. */
export async function notAllowed(context: PullContext, tried: MergeTry, error: HttpError): Promise<Failure> {
  const { forge, repo } = context;
  const name = pullName(context, tried.number);
  // Forgejo says nothing at all when it is merged already (api-facts 0.1 row 12).
  if (error.said === "" || /already merged/i.test(error.said)) {
    refuseEnded(await forge.pulls.get(repo, tried.number), name);
  }
  if (/not allowed an allowed merge style|merge style/i.test(error.said)) {
    const allowed = allowedStyles(await forge.repos.get(repo));
    const hint = allowed.length === 0 ? "It allows none." : `It allows: ${allowed.join(", ")}`;
    return refused("style_not_allowed", `The repository does not allow the merge style ${tried.body.Do}`, hint, error);
  }
  const reason = /\[reason: (.*)\]$/.exec(error.said)?.[1] ?? error.said;
  const hint = hints.find(([pattern]) => pattern.test(reason))?.[1](tried.number);
  return refused("not_mergeable", `${name} cannot be merged: ${reason || "the server does not say why"}`, hint, error);
}

/** The styles that are switched on in a repository. */
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

/** The failure for a 409: the branches conflict, the head or the base moved, a wrong commit, a schedule exists. */
export async function explainConflict(context: PullContext, tried: MergeTry, error: HttpError): Promise<Failure> {
  const { number, body } = tried;
  const name = pullName(context, number);
  const { StdOut, StdErr, CommitSHA } = reportOf(error.exchange.body);
  if (StdOut !== undefined || StdErr !== undefined) {
    const files = filesInReport(StdOut ?? "");
    if (files.length > 0) return conflict(name, number, files, CommitSHA, error);
    const reason = /^fatal: (.*)$/m.exec(StdErr ?? "")?.[1] ?? (StdErr ?? "").trim().split("\n").pop() ?? "";
    return refused("conflict", `${name} cannot be merged by ${body.Do}: ${reason}`, undefined, error);
  }
  if (/head out of date/.test(error.said)) {
    const head = (await context.forge.pulls.get(context.repo, number)).head?.sha ?? "";
    return headMoved(name, head, body.head_commit_id ?? "", error);
  }
  if (/merge push out of date/.test(error.said)) {
    return refused(
      "base_moved",
      `The base of ${name} moved during the merge`,
      "Nothing was merged; try it again.",
      error,
    );
  }
  if (/already scheduled/.test(error.said)) {
    const hint = `Take the schedule back with: tongs pr merge ${number} --cancel-auto`;
    return refused("already_scheduled", `The merge of ${name} is scheduled already`, hint, error);
  }
  if (body.Do === "manually-merged") {
    const hint = "Name the commit on the base branch that holds the merge: --merge-commit SHA";
    return refused("wrong_commit", `${body.MergeCommitID} does not hold ${name} on its base branch`, hint, error);
  }
  if (error.said === "") {
    // A conflict met during the merge itself may come without a body (seen on a live Gitea).
    const pull = await context.forge.pulls.get(context.repo, number);
    refuseEnded(pull, name);
    const { certain, files } = await conflictOf(context, pull);
    if (certain !== "no" && files.length > 0) return conflict(name, number, files, undefined, error);
  }
  return refused("refused", `${name} was not merged: ${error.said || "the server does not say why"}`, undefined, error);
}

/** The failure for a pull request whose head is not the one that was reviewed. */
export function headMoved(name: string, head: string, wanted: string, cause?: unknown): Failure {
  const hint = "Look at what is new before you merge it.";
  return refused("head_moved", `The head of ${name} is ${head.slice(0, 10)}, not ${wanted.slice(0, 10)}`, hint, cause);
}

/** The failure for files in conflict; `commit` is the one that does not apply. */
export function conflict(
  name: string,
  number: number,
  files: readonly string[],
  commit?: string,
  cause?: unknown,
): Failure {
  const where = commit === undefined ? "" : ` (commit ${commit.slice(0, 10)} does not apply)`;
  const hint = `Resolve it on the branch, then push: tongs pr checkout ${number}`;
  return refused("conflict", `${name} conflicts with its base in ${listed(files)}${where}`, hint, cause);
}

interface Report {
  readonly StdOut?: string;
  readonly StdErr?: string;
  readonly CommitSHA?: string;
}

function reportOf(body: unknown): Report {
  return typeof body === "object" && body !== null && "Style" in body ? (body as Report) : {};
}

/** The failure for a 500 that has a reason which the server did not map, or undefined (api-facts 0.1 row 13). */
export async function unmapped(
  context: PullContext,
  tried: MergeTry,
  pull: PullRequest,
  error: HttpError,
): Promise<Failure | undefined> {
  const name = pullName(context, tried.number);
  if (tried.body.Do === "fast-forward-only" && pull.merge_base !== pull.base?.sha) {
    const hint = `Rebase it first: tongs pr update ${tried.number} --style rebase   (or choose another --style)`;
    return refused("diverged", `${name} cannot be fast-forwarded: its base has moved on`, hint, error);
  }
  const all = await everything(context.forge.issues.dependencies(context.repo, tried.number)).catch(() => []);
  const open = all.filter(({ state }) => state === "open");
  if (open.length === 0) return undefined;
  const titles = open.map(({ number, title }) => (number > 0 ? `#${number} ${title}` : title));
  return refused("blocked", `${name} depends on what is still open: ${listed(titles)}`, undefined, error);
}

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
function filesInReport(report: string): string[] {
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
