import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { requireRemote } from "../../app/shared.ts";
import { inputFile, text, title, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { type Commit, commitGet, commitList } from "../../forge/commits.ts";
import { createPull } from "../../forge/create-pull.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullCommitList, pullRequest } from "../../forge/pulls.ts";
import { branchName, hasRef, isBranchName } from "../../git/refs.ts";
import type { Remote } from "../../git/remotes.ts";
import { conflictedFiles, inTempWorktree, refuseShallow } from "../../git/temp-worktree.ts";
import { isFound } from "../../http/errors.ts";
import { accountLabel, gitAuthConfig } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { joinWords } from "../../text/words.ts";
import { createExplained } from "./create-errors.ts";
import { pushHead } from "./create-push.ts";
import { findPull, requiredPull } from "./find.ts";
import { draftTitle, pullName } from "./pull.ts";

/** `tongs pr revert`: git reverts what was merged on a new branch and pushes it; POST a pull request for it. */
export const revert = defineCommand({
  summary: "Create a pull request that reverts a merged one",
  details:
    "git reverts the commits on a new branch at the base branch, in a folder of its own: what is checked out is not touched. " +
    "Merges, squashed commits and rebased commits are reverted alike. Run it in a clone of the repository.",
  external: { uses: "git" },
  on: "repository",
  effect: "write",
  args: { pr: requiredPull },
  flags: {
    title: title('title of the new pull request (default: Revert "TITLE")'),
    body: text("body of the new pull request (default: which one it reverts)", { short: "b" }),
    bodyFile: inputFile("read the body from a file", { short: "F" }),
    branch: text("name of the new branch (default: revert-N)", { placeholder: "NAME", source: "branch" }),
    draft: toggle("create a draft (prefixes the title with WIP:)", { short: "d" }),
  },
  exclusive: [["body", "bodyFile"]],
  output: pullRequest,
  exits: {
    denied: "not allowed to push or to create it",
    refused: "it is not merged, its changes conflict with later ones, or the branch exists",
  },
  examples: [
    ["Revert pull request 11", "tongs pr revert 11"],
    ["Say why", 'tongs pr revert 11 --body "The lamps flicker."'],
  ],
  async run(context) {
    const { args, flags, http, repo, out, options, server } = context;
    const name = flags.branch;
    if (name !== undefined && !isBranchName(name)) throw new UsageError(`'${name}' is not a valid branch name`);
    const given = { text: flags.body, file: flags.bodyFile, flag: "--body-file" };
    const body = await givenText(context.system, given);
    const remote = await requireRemote(context);
    const pull = await findPull(args.pr, context);
    if (!pull.merged || !pull.merge_commit_sha) {
      throw new Failure("wrong_state", `Pull request ${pullName(context, pull.number)} is not merged`);
    }
    const branch = name ?? `revert-${pull.number}`;
    const title = flags.title ?? `Revert "${pull.title}"`;
    const bodyText = body ?? `Reverts #${pull.number}`;
    await refuseBranch(branch, context);
    const plan = { branch, base: pull.base.ref, remote, ...(await commitsToRevert(pull, context)) };
    const head = { label: branch, branch, repo, local: branch, remote };
    if (options.dryRun) out.note(`Dry run: would run ${joinWords(revertLine(plan))} at ${plan.base}`);
    else await revertInGit(plan, context);

    const push = { local: branch, remote, what: `${branch} to ${remote.name}` };
    const pushed = await pushHead(context, head, push).catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === "forbidden" && !options.dryRun) {
        const texts = ["--head", branch, "--base", plan.base, "--title", title, "--body", bodyText];
        const create = (how: string) => joinWords(["tongs", "pr", "create", how, ...texts]);
        const ways = [`From a fork: ${create("--push")}`, `Without one: ${create("--agit")}`];
        const hint = [`Branch ${branch} is kept in the clone. To create the pull request:`, ...ways].join("\n");
        throw new Failure("forbidden", error.message, { hint, cause: error });
      }
      await context.git.attempt(["branch", "--quiet", "-D", branch]);
      throw error;
    });
    const option = {
      head: pushed.label,
      base: plan.base,
      title: flags.draft ? draftTitle(title) : title,
      body: bodyText,
    };
    const branches = { head: pushed, base: plan.base, isPushed: true };
    const made = await createExplained(context, branches, () => createPull(http, repo, option));
    const [created, reverted] = [made.pull.number, pull.number].map((number) => pullName(context, number));
    await out.done(`Created pull request ${created}, which reverts ${reverted}, ${accountLabel(server)}`, {
      prints: made.pull.html_url,
      record: made.pull,
    });
  },
});

type RevertContext = RepositoryContext & Pick<BaseContext, "git" | "profiles" | "out">;

/** The commits to revert, newest first; `isMerge`: it is one with two parents. */
interface Reverted {
  readonly commits: readonly string[];
  readonly isMerge: boolean;
}

interface Plan extends Reverted {
  readonly branch: string;
  readonly base: string;
  readonly remote: Remote;
}

/** Throws if the branch exists, here or on the server. */
async function refuseBranch(branch: string, { git, http, repo }: RevertContext): Promise<void> {
  const isThere = await isFound(call(http, branchHeadGet, { repo, branch }));
  if (!isThere && !(await hasRef(git, `refs/heads/${branch}`))) return;
  const where = isThere ? `in ${fullName(repo)}` : "in the clone";
  throw new Failure("exists", `Branch ${branch} already exists ${where}`, { hint: "Choose another with --branch." });
}

/**
 * What was merged: a commit with two parents, one that was squashed, or those that a rebase or a fast-forward put on the base.
 * These are the commits of the pull request with their authors, dates and subjects; a rebase leaves out what the base had.
 */
async function commitsToRevert(pull: PullRequest, { http, repo }: RepositoryContext): Promise<Reverted> {
  const sha = pull.merge_commit_sha ?? "";
  const plain = { verification: false, files: false };
  const { parents } = await call(http, commitGet, { repo, sha, stat: false, ...plain });
  if ((parents ?? []).length > 1) return { commits: [sha], isMerge: true };
  const all = await collect(call(http, pullCommitList, { repo, index: pull.number, ...plain }));
  const own = all.filter((one) => (one.parents ?? []).length < 2);
  const landed = call(http, commitList, { repo, sha, stat: false, ...plain }).take(own.length);
  const commits: string[] = [];
  let next = 1;
  for await (const one of landed) {
    // The message of the last commit can be another one: servers have templates for it.
    if (commits.length > 0) {
      const found = own.findIndex((candidate, at) => at >= next && isCopy(candidate, one));
      if (found === -1) break;
      next = found + 1;
    }
    commits.push(one.sha);
  }
  return { commits, isMerge: false };
}

/** Whether a commit was rebased to another. */
function isCopy({ commit: one }: Commit, { commit: other }: Commit): boolean {
  const subject = (message = "") => message.split("\n", 1)[0];
  const isSameTime = Date.parse(one?.author?.date ?? "") === Date.parse(other?.author?.date ?? "");
  return isSameTime && one?.author?.email === other?.author?.email && subject(one?.message) === subject(other?.message);
}

function revertLine({ commits, isMerge }: Reverted): string[] {
  return ["git", "revert", "--no-edit", ...(isMerge ? ["-m", "1"] : []), ...commits];
}

/**
 * Makes the branch at the base branch of the server and reverts the commits there, in a worktree in a folder of its own, which
 * is removed. Throws, and leaves no branch, if they conflict.
 */
async function revertInGit(plan: Plan, { git, out, server }: RevertContext): Promise<void> {
  const { base, branch, remote, commits } = plan;
  const config = await gitAuthConfig(server);
  const tracking = `refs/remotes/${remote.name}/${branchName(base)}`;
  const fetch = ["fetch", "--no-tags", "--end-of-options", remote.name, `+refs/heads/${base}:${tracking}`];
  await git.run(fetch, { config });
  // git takes a commit whose parent it lacks for the first one, and reverts it by deleting everything.
  await refuseShallow(git, ": commits cannot be reverted in it");
  const onBranch = { options: ["--no-track", "-b", branch], commit: tracking };
  const reverting = inTempWorktree(git, onBranch, async (there) => {
    const [, ...line] = revertLine(plan);
    const { code, stdout, stderr } = await there.attempt(line);
    if (code !== 0) throw await explainRevert(plan, there, `${stdout}\n${stderr}`);
  });
  await reverting.catch(async (error: unknown) => {
    await git.attempt(["branch", "--quiet", "-D", branch], { cleansUp: true });
    throw error;
  });
  out.note(`Reverted ${commits.length === 1 ? commits[0]?.slice(0, 10) : `${commits.length} commits`} on ${branch}`);
}

/** Why git could not revert: conflicts, changes that are not there any more, or another reason in its words. */
async function explainRevert(plan: Plan, there: BaseContext["git"], said: string): Promise<Failure> {
  const { base, branch, remote } = plan;
  const files = await conflictedFiles(there);
  if (files.length > 0) {
    const start = joinWords(["git", "switch", "-c", branch, `${remote.name}/${base}`]);
    const hint = [
      `Resolve them yourself: ${start}`,
      joinWords(revertLine(plan)),
      "Edit the files, git add them, git revert --continue, then: tongs pr create --push",
    ].join("\n");
    return new Failure("conflict", `Later changes conflict with reverting it: ${files.join(", ")}`, { hint });
  }
  const status = await there.attempt(["status", "--porcelain"]);
  const isFetched = (await there.attempt(["cat-file", "-e", `${plan.commits.at(-1)}^{commit}`])).code === 0;
  if (status.code === 0 && status.stdout === "" && isFetched) {
    return new Failure("no_new_commits", `Its changes are not on ${base} any more: there is nothing to revert`);
  }
  return new Failure("git", `git revert failed: ${said.trim().split("\n").slice(-5).join("\n")}`);
}
