import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { type CheckoutResult, checkoutBranch, checkoutDetached } from "../../git/checkout-branch.ts";
import type { Git, GitConfig } from "../../git/git.ts";
import { isBranchName, meansSomethingElse } from "../../git/refs.ts";
import { setHelperIn } from "../../profiles/git-helper.ts";
import { gitProtocol } from "../../profiles/git-url.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullName, isUrl } from "../../repo/repo-name.ts";
import { joinWords } from "../../text/words.ts";
import { keepOwnTopic } from "./agit.ts";
import { noEdits, type Source, sourceOf } from "./checkout-source.ts";
import { findPull, requiredPull } from "./find.ts";

/** `tongs pr checkout`: GET the pull request, then git fetches its commits and checks them out. */
export const checkout = defineCommand({
  summary: "Check out a pull request in git",
  details:
    "Also works for forks, and for deleted branches and forks. The local branch tracks the head branch, so git pull and " +
    "git push work. It has the name of the head branch, or OWNER/NAME or pr-N if that name is something else in the " +
    "local repository, such as origin/main. An existing branch is only fast-forwarded; local changes are never overwritten.",
  external: { uses: "git" },
  on: "repository",
  effect: "write",
  args: { pr: requiredPull },
  flags: {
    branch: text("local branch name to use (default: the name of the head branch)", {
      short: "b",
      placeholder: "NAME",
      source: "branch",
    }),
    detach: toggle("check out with a detached HEAD"),
    worktree: text("check out in a new worktree in DIR", { names: "git repository", placeholder: "DIR" }),
    force: toggle("reset an existing local branch, discarding its own commits", { short: "f" }),
  },
  exclusive: [
    ["branch", "detach"],
    ["detach", "force"],
  ],
  output: pullRequest,
  exits: { refused: "local changes or commits would be lost" },
  examples: [
    ["Check out pull request 12", "tongs pr checkout 12"],
    ["Check it out in a separate worktree", "tongs pr checkout 12 --worktree ../review-12"],
  ],
  async run(context) {
    const { flags, git, out, options, server, system, repo } = context;
    if (flags.branch !== undefined && !isBranchName(flags.branch)) {
      throw new UsageError(`--branch: '${flags.branch}' is not a valid branch name`);
    }
    const isBare = await git.attempt(["rev-parse", "--is-bare-repository"]);
    if (isBare.code !== 0) {
      const hint = `Clone it first: tongs repo clone ${fullName(repo)}\nIn a bare repository, set GIT_DIR=.`;
      throw new UsageError("Not in a git repository", hint);
    }
    if (isBare.stdout.trim() === "true" && flags.worktree === undefined)
      throw new UsageError("This is a bare repository, without a worktree", "Pass --worktree DIR.");
    const pull = await findPull(context.args.pr, context);
    const remotes = await remotesOnServer(context);
    const source = sourceOf(pull, { server, remotes, protocol: gitProtocol(system) });
    if (options.dryRun) return printGitDryRun(fetchArgs(source), context);

    const progress = system.stderr.isTTY === true && !options.quiet;
    const target = await fetch(git, source, { config: await gitAuthConfig(server), progress });
    if ([source.remote, ...remotes.map(({ url }) => url)].some(isUrl)) await setHelperIn(git, server);
    const where = flags.worktree === undefined ? "" : ` in ${flags.worktree}`;
    if (flags.detach) {
      await checkoutDetached(git, target, flags.worktree);
      return out.done(`Checked out pull request ${fullName(repo)}#${pull.number} at ${target.slice(0, 10)}${where}`, {
        record: pull,
      });
    }
    const { remote, merge } = source;
    const branch = flags.branch ?? (await localName(git, source));
    const { worktree, force } = flags;
    const landed = await checkoutBranch(git, { branch, target, remote, merge, worktree, force });
    await keepOwnTopic(context, pull, branch);
    const message = `Checked out pull request ${fullName(repo)}#${pull.number} as ${branch}${where}${landedSuffix(landed)}`;
    await out.done(message, { record: pull });
    // With git's default push.default, a branch with another name needs the full command. The full ref, because git would
    // push to main for HEAD:heads/main; quoted, because a branch can be called heads/$(id).
    if (source.unpushable !== undefined) out.note(`You cannot push to it: ${noEdits(pull, source.unpushable)}`);
    if (merge.startsWith("refs/heads/") && merge !== `refs/heads/${branch}`) {
      out.note(`To push: ${joinWords(["git", "push", remote, `HEAD:${merge}`])}`);
    }
  },
});

/** The first name that means nothing else to git, or else the last. */
async function localName(git: Git, { branches }: Source): Promise<string> {
  for (const name of branches) if (!(await meansSomethingElse(git, name))) return name;
  return branches.at(-1) ?? "";
}

function fetchArgs({ from, ref, tracking }: Source): string[] {
  return ["fetch", "--no-tags", "--end-of-options", from, tracking === undefined ? ref : `+${ref}:${tracking}`];
}

/** Fetches the commits and returns the hash of the head. */
async function fetch(
  git: Git,
  source: Source,
  settings: { readonly config: GitConfig; readonly progress: boolean },
): Promise<string> {
  const args = fetchArgs(source);
  if (settings.progress) args.splice(1, 0, "--progress");
  const { code, stderr } = await git.attempt(args, settings);
  if (code !== 0) {
    const reason = stderr.trim().split("\n").slice(-3).join("\n");
    const hint = /terminal prompts disabled|Authentication failed|403/.test(stderr)
      ? "The token needs the scope read:repository. Check it: tongs auth status"
      : undefined;
    throw new Failure("git", `Could not fetch ${source.ref} from ${source.from}: ${reason}`, { hint });
  }
  return git.run(["rev-parse", "--verify", "--end-of-options", `${source.tracking ?? "FETCH_HEAD"}^{commit}`]);
}

function landedSuffix(landed: CheckoutResult): string {
  switch (landed.how) {
    case "created":
      return "";
    case "unchanged":
      return " (up to date)";
    case "advanced":
      return ` (${landed.commits} new commit${landed.commits === 1 ? "" : "s"})`;
    case "ahead":
      return ` (${landed.commits} unpushed commit${landed.commits === 1 ? "" : "s"})`;
    case "reset":
      return ` (was at ${landed.before.slice(0, 10)})`;
  }
}
