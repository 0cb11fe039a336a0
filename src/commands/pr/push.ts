import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { UsageError } from "../../failure/failure.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { agitArgs, agitOf, findAgit, pushAgit, pushedAgit } from "./agit.ts";
import { noBranchError } from "./find.ts";
import { pullName, refusedError } from "./pull.ts";

/** `tongs pr push`: git pushes the current branch to `refs/for/BASE`, which updates its pull request. */
export const push = defineCommand({
  summary: "Update a pull request that has no branch on the server",
  details:
    "Pushes the current branch to the pull request that tongs pr create --agit made of it; base and topic are in the " +
    "configuration of the branch (branch.NAME.tongs-topic). If commits were replaced, prompts for confirmation, unless " +
    "--yes is given. Other pull requests are updated by git push.",
  besideApi: { uses: "git" },
  on: "repository",
  effect: "write",
  output: pullRequest,
  exits: { refused: "its pull request is not open" },
  examples: [["Push further commits", "tongs pr push"]],
  async run(context) {
    const { git, out, options, prompt, server, repo } = context;
    const local = await git.currentBranch();
    if (local === undefined) throw await noBranchError(git, "Switch to the branch of the pull request.");
    const of = await agitOf(git, local);
    if (of === undefined) {
      const hint = "To update another pull request, use git push.";
      throw new UsageError(`Branch ${local} was not made a pull request by tongs pr create --agit`, hint);
    }
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
    await pushAgit(context, push);
    const record = await pushedAgit(context, of, sha);
    await out.done(`Updated pull request ${name} to ${sha.slice(0, 10)} ${accountLabel(server)}`, {
      prints: record.html_url,
      record,
    });
    return undefined;
  },
});
