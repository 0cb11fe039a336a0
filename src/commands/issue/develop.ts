import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { editors, orDenied } from "../../app/denied.ts";
import { issueName, oneIssue } from "../../app/issue-selector.ts";
import { requireRemote } from "../../app/shared.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { branchCreate, branchHeadGet } from "../../forge/branches.ts";
import { type Issue, issue, issueEdit, issueGet } from "../../forge/issues.ts";
import { call, find } from "../../forge/operation.ts";
import { defaultBranch, repoGet } from "../../forge/repos.ts";
import { explainUnknownCommit, resolveCommit } from "../../forge/resolve-commit.ts";
import { checkoutBranch } from "../../git/checkout-branch.ts";
import { branchName, isBranchName } from "../../git/refs.ts";
import type { Remote } from "../../git/remotes.ts";
import { isFound } from "../../http/errors.ts";
import { setHelperIn } from "../../profiles/git-helper.ts";
import { accountLabel, gitAuthConfig } from "../../profiles/server.ts";
import { fullName, isUrl } from "../../repo/repo-name.ts";
import { joinWords } from "../../text/words.ts";

/** `tongs issue develop`: POST a branch, and PATCH the issue with it as its `ref`. */
export const develop = defineCommand({
  summary: "Create a branch for an issue",
  details:
    "The branch is created on the server and linked to the issue as its ref, which the web page of the issue shows. An issue " +
    "has one branch. By default, its name is made of the number and the title. A branch of that name without commits of its own, " +
    "as one that an interrupted run has left, is linked.",
  external: { uses: "git", with: ["checkout"] },
  on: "repository",
  effect: "write",
  args: { issue: oneIssue },
  flags: {
    name: text("name of the branch", { short: "n", placeholder: "BRANCH", source: "new branch" }),
    base: text("branch, tag or commit to start from (default: the default branch)", {
      short: "B",
      placeholder: "REF",
      source: "ref",
    }),
    link: toggle("link the branch if it exists, whatever its commits"),
    checkout: toggle("check out the branch in git", { short: "c" }),
    list: toggle("print the linked branch instead", { short: "l" }),
  },
  exclusive: [
    ["name", "list"],
    ["base", "list"],
    ["base", "link"],
    ["link", "list"],
    ["checkout", "list"],
  ],
  output: issue,
  exits: {
    refused: "the branch exists and has other commits, or the issue has one",
    partly: "the branch was created, but not linked or checked out",
  },
  examples: [
    ["Create a branch for issue 12 and check it out", "tongs issue develop 12 --checkout"],
    ["Choose its name and where it starts", "tongs issue develop 12 --name fix-lamp --base main"],
    ["Print the branch of an issue", "tongs issue develop 12 --list"],
  ],
  async run(context) {
    const { args, flags, http, repo, out, server } = context;
    if (flags.name !== undefined && !isBranchName(flags.name)) {
      throw new UsageError(`--name: '${flags.name}' is not a valid branch name`);
    }
    const found = await call(http, issueGet, { repo, index: args.issue });
    const name = issueName(repo, found.number);
    const linked = linkedBranch(found);
    if (flags.list) {
      if (out.records) return out.record(found, () => ({ fields: [] }));
      if (linked === undefined) return out.note(`No branch is linked to ${name}`);
      return out.raw(`${linked}\n`);
    }
    if (found.pull_request != null) throw new UsageError(`${name} is a pull request, which has a branch`);
    if (linked !== undefined && (await exists(linked, context))) {
      throw new Failure("exists", `${name} has a branch already: ${linked}`, {
        hint: `To work on it: git fetch, then ${joinWords(["git", "switch", linked])}`,
      });
    }
    const remote = flags.checkout ? await requireRemote(context, "--checkout: no git remote here is") : undefined;
    const branch = flags.name ?? nameFor(found);
    const there = await find(http, branchHeadGet, { repo, branch });
    if (there !== undefined && !flags.link && there.commit?.id !== (await startOf(flags.base, context))) {
      const link = joinWords(["tongs", "issue", "develop", `${found.number}`, "--name", branch, "--link"]);
      throw new Failure("exists", `Branch ${branch} already exists in ${fullName(repo)}`, {
        hint: `Choose another name with --name, or link it: ${link}`,
      });
    }
    const body = { new_branch_name: branch, old_ref_name: flags.base };
    const made =
      there ??
      (await call(http, branchCreate, { repo }, body).catch((error: unknown) =>
        explainUnknownCommit(error, flags.base, context),
      ));
    const did = there === undefined ? "Created" : "Linked the existing";
    const partly = (what: string) => (error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const { message, hint, status, method, path } = error;
      const why = hint === undefined ? message : `${message}\n${hint}`;
      const about = { hint: why, status, method, path, cause: error };
      throw new Failure("partly_done", `${did} branch ${branch} in ${fullName(repo)}, but ${what}`, about);
    };
    const record = await call(http, issueEdit, { repo, index: found.number }, { ref: `refs/heads/${branch}` })
      .catch(orDenied(`Cannot edit ${name}`, editors))
      .catch((error: unknown) => {
        if (there !== undefined) throw error;
        return partly(`it was not linked to ${name}`)(error);
      });
    const at = made.commit?.id.slice(0, 10) ?? "";
    await out.done(`${did} branch ${branch} at ${at} for ${name} ${accountLabel(server)}`, { prints: branch, record });
    if (remote === undefined) return undefined;
    await checkOut(branch, remote, context).catch(partly("it was not checked out"));
    out.note(`Checked out ${branch}`);
    return undefined;
  },
});

type DevelopContext = RepositoryContext & Pick<BaseContext, "git" | "profiles" | "system">;

/** The branch that the `ref` of an issue names; undefined without one, and for a tag. */
function linkedBranch({ ref = "" }: Issue): string | undefined {
  const name = ref.replace(/^refs\/heads\//, "");
  return name === "" || name.startsWith("refs/") ? undefined : name;
}

/** The commit where a new branch would start. */
async function startOf(base: string | undefined, { http, repo }: RepositoryContext): Promise<string> {
  return resolveCommit(base ?? defaultBranch(await call(http, repoGet, { repo })), { http, repo });
}

function exists(branch: string, { http, repo }: RepositoryContext): Promise<boolean> {
  return isFound(call(http, branchHeadGet, { repo, branch }));
}

/** `12-the-lamp-is-dark`: the number, and the words of the title. */
function nameFor({ number, title }: Pick<Issue, "number" | "title">): string {
  const words = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  let name = `${number}`;
  for (const word of words) {
    if (name.length + word.length > 59) break;
    name += `-${word}`;
  }
  return name;
}

/** Fetches the branch and checks it out; it tracks that of the remote. */
async function checkOut(name: string, remote: Remote, { git, server }: DevelopContext): Promise<void> {
  const branch = branchName(name);
  const [merge, tracking] = [`refs/heads/${branch}`, `refs/remotes/${remote.name}/${branch}`];
  const fetch = ["fetch", "--no-tags", "--end-of-options", remote.name, `+${merge}:${tracking}`];
  await git.run(fetch, { config: await gitAuthConfig(server) });
  const target = await git.run(["rev-parse", "--verify", "--end-of-options", `${tracking}^{commit}`]);
  if (isUrl(remote.url)) await setHelperIn(git, server);
  const here = { worktree: undefined, offersWorktree: false, force: false };
  await checkoutBranch(git, { branch, target, remote: remote.name, merge, ...here });
}
