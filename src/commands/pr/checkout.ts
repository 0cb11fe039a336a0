import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { type CheckoutResult, checkoutBranch, checkoutDetached } from "../../git/checkout-branch.ts";
import type { Git } from "../../git/git.ts";
import { isBranchName } from "../../git/refs.ts";
import { isOnServer } from "../../profiles/choose.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { type Source, sourceOf } from "./checkout-source.ts";
import { findPull } from "./find.ts";
import { requiredPull } from "./selector.ts";

/** `tongs pr checkout`: GET the pull request, then git fetches its commits and checks them out. */
export const checkout = defineCommand({
  summary: "Check a pull request out in git",
  details:
    "Works for forks, and for branches and forks that are gone. The branch here follows where the commits came from, so " +
    "git pull and git push work. A branch that exists is only moved forward; local work is never overwritten.",
  on: "repository",
  effect: "write",
  args: { pr: requiredPull },
  flags: {
    branch: text("the name of the branch here", { short: "b", placeholder: "NAME" }),
    detach: toggle("no branch, only the commit"),
    worktree: text("in a new worktree in this folder", { placeholder: "DIR" }),
    force: toggle("give up commits of the branch here that the pull request lacks", { short: "f" }),
  },
  exclusive: [
    ["branch", "detach"],
    ["detach", "force"],
  ],
  output: pullRequest,
  exits: { refused: "local work is in the way" },
  examples: [
    ["Check number 12 out", "tongs pr checkout 12"],
    ["Beside what is being worked on", "tongs pr checkout 12 --worktree ../review-12"],
  ],
  async run(context) {
    const { flags, git, out, options, profiles, server, system, repo } = context;
    if (flags.branch !== undefined && !isBranchName(flags.branch)) {
      throw new UsageError(`--branch: git cannot have a branch '${flags.branch}'`);
    }
    if ((await git.attempt(["rev-parse", "--git-dir"])).code !== 0) {
      const hint = `Clone it first: tongs repo clone ${fullName(repo)}`;
      throw new UsageError("There is no git repository here to check out in", hint);
    }
    const pull = await findPull(context.args.pr, context);
    const config = profiles.read();
    const remotes = (await git.remotes()).filter((remote) => isOnServer(config, server, remote.host));
    const source = sourceOf(pull, { server, remotes });
    const branch = flags.branch ?? source.branch;
    if (options.dryRun) return printGitDryRun(fetchArgs(source), context);

    const progress = system.stderr.isTTY === true && !options.quiet;
    const target = await fetch(git, source, { config: gitAuthConfig(server), progress });
    const where = flags.worktree === undefined ? "" : ` in ${flags.worktree}`;
    if (flags.detach) {
      await checkoutDetached(git, target, flags.worktree);
      return out.done(`Checked out ${fullName(repo)}#${pull.number} at ${target.slice(0, 10)}${where}`, {
        record: pull,
      });
    }
    const { remote, merge } = source;
    const { worktree, force } = flags;
    const landed = await checkoutBranch(git, { branch, target, remote, merge, worktree, force });
    const message = `Checked out ${fullName(repo)}#${pull.number} as ${branch}${where}${inWords(landed)}`;
    await out.done(message, { record: pull });
    // git's push.default refuses to push to a branch of another name without being told.
    const upstream = /^refs\/heads\/(.+)$/.exec(merge)?.[1];
    if (upstream !== undefined && upstream !== branch) out.note(`To push: git push ${remote} HEAD:${upstream}`);
  },
});

function fetchArgs({ from, ref, tracking }: Source): string[] {
  return ["fetch", "--no-tags", from, tracking === undefined ? ref : `+${ref}:${tracking}`];
}

/** Fetches the commits and returns the hash of the last. */
async function fetch(
  git: Git,
  source: Source,
  settings: { readonly config: Record<string, string>; readonly progress: boolean },
): Promise<string> {
  const args = fetchArgs(source);
  if (settings.progress) args.splice(1, 0, "--progress");
  const { code, stderr } = await git.attempt(args, settings);
  if (code !== 0) {
    const reason = stderr.trim().split("\n").slice(-3).join("\n");
    const hint = /terminal prompts disabled|Authentication failed|403/.test(stderr)
      ? "The token may not read the code: it needs the scope read:repository. See: tongs auth status"
      : undefined;
    throw new Failure("git", "failure", `git could not fetch ${source.ref} from ${source.from}: ${reason}`, { hint });
  }
  return git.run(["rev-parse", "--verify", `${source.tracking ?? "FETCH_HEAD"}^{commit}`]);
}

function inWords(landed: CheckoutResult): string {
  switch (landed.how) {
    case "created":
      return "";
    case "unchanged":
      return " (up to date)";
    case "advanced":
      return ` (${landed.commits} new commit${landed.commits === 1 ? "" : "s"})`;
    case "ahead":
      return ` (${landed.commits} of your own on top, not pushed)`;
    case "reset":
      return ` (was at ${landed.before.slice(0, 10)})`;
  }
}
