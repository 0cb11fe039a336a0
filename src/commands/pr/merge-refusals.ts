import type { Failure } from "../../failure/failure.ts";
import { everything } from "../../forge/names.ts";
import type { MergePullRequestOption, PullRequest } from "../../forge/pulls.ts";
import type { MergeStyle, Repository } from "../../forge/repos.ts";
import type { HttpError } from "../../http/errors.ts";
import { conflictOf, filesInReport, listed } from "./conflicts.ts";
import { type PullContext, pullName, refused, refuseEnded } from "./subject.ts";

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
  if (error.serverMessage === "" || /already merged/i.test(error.serverMessage)) {
    refuseEnded(await forge.pulls.get(repo, tried.number), name);
  }
  if (/not allowed an allowed merge style|merge style/i.test(error.serverMessage)) {
    const allowed = allowedStyles(await forge.repos.get(repo));
    const hint = allowed.length === 0 ? "It allows none." : `It allows: ${allowed.join(", ")}`;
    return refused("style_not_allowed", `The repository does not allow the merge style ${tried.body.Do}`, hint, error);
  }
  const reason = /\[reason: (.*)\]$/.exec(error.serverMessage)?.[1] ?? error.serverMessage;
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
  if (/head out of date/.test(error.serverMessage)) {
    const head = (await context.forge.pulls.get(context.repo, number)).head?.sha ?? "";
    return headMoved(name, head, body.head_commit_id ?? "", error);
  }
  if (/merge push out of date/.test(error.serverMessage)) {
    return refused(
      "base_moved",
      `The base of ${name} moved during the merge`,
      "Nothing was merged; try it again.",
      error,
    );
  }
  if (/already scheduled/.test(error.serverMessage)) {
    const hint = `Take the schedule back with: tongs pr merge ${number} --cancel-auto`;
    return refused("already_scheduled", `The merge of ${name} is scheduled already`, hint, error);
  }
  if (body.Do === "manually-merged") {
    const hint = "Name the commit on the base branch that holds the merge: --merge-commit SHA";
    return refused("wrong_commit", `${body.MergeCommitID} does not hold ${name} on its base branch`, hint, error);
  }
  if (error.serverMessage === "") {
    // A conflict met during the merge itself may come without a body (seen on a live Gitea).
    const pull = await context.forge.pulls.get(context.repo, number);
    refuseEnded(pull, name);
    const { certain, files } = await conflictOf(context, pull);
    if (certain !== "no" && files.length > 0) return conflict(name, number, files, undefined, error);
  }
  return refused(
    "refused",
    `${name} was not merged: ${error.serverMessage || "the server does not say why"}`,
    undefined,
    error,
  );
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
