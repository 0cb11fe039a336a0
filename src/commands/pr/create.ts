import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { currentUser } from "../../app/shared.ts";
import { dueDate } from "../../command/due-date.ts";
import { names, text, toggle, yesNo } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { createPull, type FailedPart } from "../../forge/create-pull.ts";
import { resolveLabels, resolveMilestone, resolveTeams, resolveUsers } from "../../forge/names.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { defaultBranch } from "../../forge/repos.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { type PullHead, pushHead, requirePushed, resolveHead } from "./create-head.ts";
import { checkText, pullText } from "./create-text.ts";
import { rejectSelfReview } from "./edit-plan.ts";
import { draftTitle, pullName, refusedError } from "./shared.ts";

/** `tongs pr create`: POST a pull request, after resolving names and, with `--push`, pushing the head branch. */
export const create = defineCommand({
  summary: "Create a pull request",
  details:
    "By default, the head is the current branch and the base is the default branch of the repository. Without a body, " +
    "the template of the repository is used. On a terminal, tongs prompts for missing values.",
  on: "repository",
  effect: "write",
  flags: {
    title: text("title of the pull request", { short: "t" }),
    body: text("body of the pull request", { short: "b" }),
    bodyFile: text("read the body from a file (- for standard input)", { placeholder: "FILE", short: "F" }),
    fill: toggle("use the commits for title and body", { short: "f" }),
    base: text("base branch to merge into (default: the repository's default branch)", {
      placeholder: "BRANCH",
      short: "B",
    }),
    head: text("head branch to merge, OWNER:BRANCH for a fork (default: the current branch)", {
      placeholder: "BRANCH",
      short: "H",
    }),
    push: toggle("push the head branch first"),
    draft: toggle("create a draft (prefixes the title with WIP:)", { short: "d" }),
    label: names("add labels", { short: "l" }),
    assignee: names("assign users (@me for yourself)", { short: "a" }),
    reviewer: names("request reviews from users", { short: "r" }),
    teamReviewer: names("request reviews from teams of the organization"),
    milestone: text("set the milestone, by title or number", { placeholder: "NAME", short: "m" }),
    due: dueDate("set the due date, such as 2026-12-24"),
    maintainerEdit: yesNo("allow maintainers to push to the head branch (default: the repository setting)"),
  },
  exclusive: [["body", "bodyFile"]],
  output: pullRequest,
  exits: { refused: "it already exists, or the head is not pushed or has no new commits" },
  examples: [
    ["Push the current branch and create from its commits", "tongs pr create --fill --push"],
    [
      "Give title, body, label and reviewer",
      'tongs pr create --title "Add the buoys" --body-file notes.md --label docs --reviewer jonas',
    ],
    ["Create from a fork", "tongs pr create -R mara/harbor --head priya:ferry --fill"],
  ],
  async run(context) {
    const { flags, forge, repo, server, out, system, prompt } = context;
    const body = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const given = { title: flags.title, body, fill: flags.fill };
    checkText(given, prompt.able);
    const base = flags.base ?? defaultBranch(await forge.repos.get(repo));
    const head = await resolveHead(context, flags.head, base);
    const ids = await resolveNames(context, flags);
    if (!flags.push) await requirePushed(context, head);

    const written = await pullText(context, given, head, base);
    const keep = written.fromEditor || flags.bodyFile === "-";
    const typed = keep ? { text: written.body, flag: "--body-file" } : undefined;
    const { pull, failed } = await keepingText(typed, out, async () => {
      if (flags.push) await pushHead(context, head);
      const title = flags.draft ? draftTitle(written.title) : written.title;
      const pullFields = { head: head.label, base, title, body: written.body, ...ids };
      const option = { ...pullFields, due_date: flags.due, allow_maintainer_edit: flags.maintainerEdit };
      return createPull(forge, repo, option).catch(async (error: unknown) => {
        throw await explainCreateError(context, { head, base }, error);
      });
    });
    const name = pullName(context, pull.number);
    await out.done(`Created pull request ${name} (${head.label} into ${base}) ${accountLabel(server)}`, {
      prints: pull.html_url,
      record: pull,
    });
    if (failed[0] !== undefined) throw incompleteError(name, failed, failed[0].failure);
  },
});

interface NameFlags {
  readonly label: readonly string[];
  readonly assignee: readonly string[];
  readonly reviewer: readonly string[];
  readonly teamReviewer: readonly string[];
  readonly milestone: string | undefined;
}

/** Resolves the names in flags to what the API takes. Looks up only what was given. */
async function resolveNames(context: RepositoryContext, flags: NameFlags) {
  const { forge, repo } = context;
  const login = () => currentUser(context);
  const [labels, assignees, reviewers, teams, milestone] = await allSettledOrThrow([
    resolveLabels(forge, repo, flags.label),
    resolveUsers(forge, repo, flags.assignee, login),
    resolveUsers(forge, repo, flags.reviewer, login),
    resolveTeams(forge, repo.owner, flags.teamReviewer),
    flags.milestone === undefined ? undefined : resolveMilestone(forge, repo, flags.milestone),
  ]);
  if (reviewers.length > 0) rejectSelfReview(reviewers, await login());
  const some = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);
  return {
    labels: some(labels.map(({ id }) => id)),
    assignees: some(assignees),
    reviewers: some(reviewers),
    team_reviewers: some(teams),
    milestone: milestone?.id,
  };
}

/** The failure for a pull request that was created, but not with everything that was requested. */
function incompleteError(name: string, failed: readonly FailedPart[], first: Failure): Failure {
  const what = failed.map((part) => part.what).join(", and ");
  const reasons = failed.map(({ failure }) => failure.message).join("\n");
  const { exit, status, method, path } = first;
  const hint = `${reasons}\nDo not create it again. Fix it: tongs pr edit ${name.replace(/^.*#/, "")}`;
  return new Failure("incomplete", exit, `Created ${name}, but ${what}`, { hint, status, method, path, cause: first });
}

/** Explains why the pull request was not created: the servers' messages differ, and some are empty. */
async function explainCreateError(
  context: RepositoryContext,
  { head, base }: { readonly head: PullHead; readonly base: string },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof HttpError)) return error;
  const { repo, server } = context;
  const { status, serverMessage } = error;
  // `issue_id` in the message is the number of the pull request
  // (docs/server-differences.md, "Pull requests: creating").
  const other = /issue_id: (\d+)/.exec(serverMessage)?.[1];
  if (status === 409 && other !== undefined) {
    const message = `A pull request from ${head.label} into ${base} already exists: ${pullName(context, Number(other))}`;
    return refusedError("exists", message, {
      hint: `${addressText(server.base)}/${fullName(repo)}/pulls/${other}`,
      cause: error,
    });
  }
  if (status === 422 && /no changes between/.test(serverMessage)) {
    return refusedError("no_new_commits", `No commits between ${base} and ${head.label}`, { cause: error });
  }
  if (status === 422 && /must be branches/.test(serverMessage)) {
    const message = `The head and the base must be branches, not tags or commits (${head.label} into ${base})`;
    return new Failure("invalid", "invalid", message, requestDetails(error));
  }
  const noFork =
    (status === 400 && /does not have a fork/.test(serverMessage)) ||
    (status === 404 && serverMessage === "GetBaseRepo");
  if (noFork) return notFoundError(`${head.repo.owner} has no fork of ${fullName(repo)}`, error);
  return status === 404 ? explainNotFound(context, head, base, error) : error;
}

/** Explains a 404: base, head or fork not found, or pull requests disabled. */
async function explainNotFound(
  context: RepositoryContext,
  head: PullHead,
  base: string,
  error: HttpError,
): Promise<unknown> {
  const { forge, repo } = context;
  const branchExists = async (place: RepoName, branch: string) => {
    try {
      await forge.branches.get(place, branch);
      return true;
    } catch (reason) {
      if (reason instanceof NotFoundError) return false;
      throw reason;
    }
  };
  const into = await forge.repos.get(repo).catch(() => undefined);
  if (into === undefined) return error;
  if (into.has_pull_requests === false) return notFoundError(`Pull requests are disabled in ${fullName(repo)}`, error);
  if (into.empty) return notFoundError(`${fullName(repo)} is empty: it has no branch to merge into`, error);
  if (!(await branchExists(repo, base))) return notFoundError(`Branch ${base} not found in ${fullName(repo)}`, error);
  if (await branchExists(head.repo, head.branch)) return error;
  const fork = await forge.repos.get(head.repo).catch(() => undefined);
  if (fork === undefined)
    return notFoundError(`Repository ${fullName(head.repo)} not found, or you do not have access`, error);
  return notFoundError(
    `Branch ${head.branch} not found in ${fullName(head.repo)}`,
    error,
    "Push it first: pass --push, or run git push.",
  );
}

function notFoundError(message: string, error: HttpError, hint?: string): Failure {
  return new Failure("not_found", "notFound", message, { ...requestDetails(error), hint });
}

function requestDetails(error: HttpError) {
  const { status, method, path, request } = error;
  return { status, method, path, request, cause: error };
}
