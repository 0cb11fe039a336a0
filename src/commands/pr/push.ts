import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { currentUser } from "../../app/shared.ts";
import { text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet, pullRequest } from "../../forge/pulls.ts";
import { defaultBranch, repoGet } from "../../forge/repos.ts";
import { branchSettings } from "../../git/refs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { type AgitContext, type AgitPull, agitArgs, agitOf, findAgit, keepAgit, pushAgit, pushedAgit } from "./agit.ts";
import { noBranchError, pullOfRef } from "./find.ts";
import { isAgit, pullName } from "./pull.ts";

/** `tongs pr push`: git pushes the current branch to `refs/for/BASE`, which updates its pull request. */
export const push = defineCommand({
  summary: "Update a pull request that has no branch on the server",
  details:
    "Pushes the current branch to the pull request that tongs pr create --agit made of it, or that it was checked out from; base " +
    "and topic are in the configuration of the branch (branch.NAME.tongs-topic). In another clone, servers that do not say the " +
    "topic need --topic. If commits were replaced, prompts for confirmation, unless --yes is given. Other pull requests are " +
    "updated by git push.",
  external: { uses: "git" },
  on: "repository",
  effect: "write",
  flags: {
    topic: text("the topic of your pull request (default: of the one that the branch is of)"),
    base: text("the branch that it is to be merged into", { placeholder: "BRANCH", short: "B", source: "branch" }),
  },
  output: pullRequest,
  exits: { denied: "it is another user's", refused: "its pull request is not open" },
  examples: [["Push further commits", "tongs pr push"]],
  async run(context) {
    const { git, out, options, prompt, server, repo } = context;
    const local = await git.currentBranch();
    if (local === undefined) throw await noBranchError(git, "Switch to the branch of the pull request.");
    const kept = await agitOf(git, local);
    const of = await agitOfBranch(local, kept, context);
    const pull = await findAgit(context, of);
    if (pull === undefined) {
      // What is kept of the branch can be of another account that pushed from this clone.
      const own = context.flags.topic === undefined ? await trackedPull(local, context) : undefined;
      if (own?.state === "open") await requireAuthor(own, context);
      throw new Failure("closed", `No open pull request of topic ${of.topic} into ${of.base}`, {
        hint: "Create a new one: tongs pr create --agit",
      });
    }
    const name = pullName({ repo }, pull.number);
    const sha = await git.run(["rev-parse", "--verify", "--end-of-options", `refs/heads/${local}`]);
    if (sha === pull.head.sha) {
      return out.done(`Pull request ${name} already has ${sha.slice(0, 10)}`, { record: pull, unchanged: true });
    }
    const isAhead = (await git.attempt(["merge-base", "--is-ancestor", pull.head.sha, sha])).code === 0;
    const push = { ...of, local, options: { "force-push": isAhead ? undefined : "true" } };
    if (options.dryRun) return printGitDryRun(await agitArgs(context, push), context);
    if (!isAhead) {
      const before = pull.head.sha.slice(0, 10);
      await prompt.confirmAction({
        what: `Replace ${before} of pull request ${name}, which ${local} does not contain`,
        sends: undefined,
      });
    }
    await pushAgit(context, push, sha);
    const record = await pushedAgit(context, of, sha);
    if (kept?.topic !== of.topic || kept.base !== of.base) await keepAgit(context, local, of, record.number);
    await out.done(`Updated pull request ${name} to ${sha.slice(0, 10)} ${accountLabel(server)}`, {
      prints: record.html_url,
      record,
    });
    return undefined;
  },
});

/** Of which pull request the branch is: by the flags, by what is kept of it, or the one that it was checked out from. */
async function agitOfBranch(
  local: string,
  kept: AgitPull | undefined,
  context: AgitContext & { readonly flags: Readonly<Partial<Record<"topic" | "base", string | undefined>>> },
): Promise<AgitPull> {
  const { flags, http, repo } = context;
  const { topic = kept?.topic, base = kept?.base } = flags;
  if (topic !== undefined && base !== undefined) return { topic, base };
  const found = await trackedPull(local, context);
  if (topic !== undefined)
    return { topic, base: found?.base.ref ?? defaultBranch(await call(http, repoGet, { repo })) };
  if (found === undefined) {
    const hint = "To update another pull request, use git push.";
    throw new UsageError(`Branch ${local} was not made a pull request by tongs pr create --agit`, hint);
  }
  await requireAuthor(found, context);
  const of = { topic: found.head.label || local, base: base ?? found.base.ref };
  if (found.head.label || (await findAgit(context, of))?.number === found.number) return of;
  const hint = "Pass the one that it was made with: tongs pr push --topic TOPIC";
  throw new UsageError(`The server does not say the topic of pull request ${pullName({ repo }, found.number)}`, hint);
}

/** The pull request without a branch on the server whose ref the branch tracks. */
async function trackedPull(local: string, { git, http, repo }: AgitContext): Promise<PullRequest | undefined> {
  const number = pullOfRef((await branchSettings(git, local)).merge);
  const pull = number === undefined ? undefined : await call(http, pullGet, { repo, index: number });
  return pull !== undefined && isAgit(pull) ? pull : undefined;
}

/** Throws a `forbidden` failure for the pull request of another user. */
async function requireAuthor({ number, user, base }: PullRequest, context: AgitContext): Promise<void> {
  const author = user?.login ?? "";
  if (author.toLowerCase() === (await currentUser(context)).toLowerCase()) return;
  const hint = `Create your own: tongs pr create --agit -B ${base.ref}`;
  const message = `Pull request ${pullName(context, number)} is ${author}'s: only its author can push to it`;
  throw new Failure("forbidden", message, { hint });
}
