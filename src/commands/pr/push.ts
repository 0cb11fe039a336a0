import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { currentUser } from "../../app/shared.ts";
import { text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { pullGet, pullRequest } from "../../forge/pulls.ts";
import { defaultBranch, repoGet } from "../../forge/repos.ts";
import { branchSettings } from "../../git/refs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { type AgitContext, type AgitPull, agitArgs, agitOf, findAgit, keepAgit, pushAgit, pushedAgit } from "./agit.ts";
import { noBranchError } from "./find.ts";
import { isAgit, pullName, refusedError } from "./pull.ts";

/** `tongs pr push`: git pushes the current branch to `refs/for/BASE`, which updates its pull request. */
export const push = defineCommand({
  summary: "Update a pull request that has no branch on the server",
  details:
    "Pushes the current branch to the pull request that tongs pr create --agit made of it, or that it was checked out from; base " +
    "and topic are in the configuration of the branch (branch.NAME.tongs-topic). In another clone, servers that do not say the " +
    "topic need --topic. If commits were replaced, prompts for confirmation, unless --yes is given. Other pull requests are " +
    "updated by git push.",
  besideApi: { uses: "git" },
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
      throw refusedError("closed", `No open pull request of topic ${of.topic} into ${of.base}`, {
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
  const { flags, git, http, repo } = context;
  const { topic = kept?.topic, base = kept?.base } = flags;
  if (topic !== undefined && base !== undefined) return { topic, base };
  const number = /^refs\/pull\/(\d+)\/head$/.exec((await branchSettings(git, local)).merge ?? "")?.[1];
  const pull = number === undefined ? undefined : await call(http, pullGet, { repo, index: Number(number) });
  const found = pull !== undefined && isAgit(pull) ? pull : undefined;
  if (topic !== undefined)
    return { topic, base: found?.base.ref ?? defaultBranch(await call(http, repoGet, { repo })) };
  if (found === undefined) {
    const hint = "To update another pull request, use git push.";
    throw new UsageError(`Branch ${local} was not made a pull request by tongs pr create --agit`, hint);
  }
  const name = pullName({ repo }, found.number);
  const author = found.user?.login ?? "";
  if (author.toLowerCase() !== (await currentUser(context)).toLowerCase()) {
    const hint = `Create your own: tongs pr create --agit -B ${found.base.ref}`;
    throw new Failure("forbidden", `Pull request ${name} is ${author}'s: only its author can push to it`, { hint });
  }
  const of = { topic: found.head.label || local, base: base ?? found.base.ref };
  if (found.head.label || (await findAgit(context, of))?.number === found.number) return of;
  const hint = "Pass the one that it was made with: tongs pr push --topic TOPIC";
  throw new UsageError(`The server does not say the topic of pull request ${name}`, hint);
}
