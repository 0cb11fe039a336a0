import { basename, resolve } from "node:path";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { type Arg, optional } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { repository } from "../../forge/repos.ts";
import type { Git } from "../../git/git.ts";
import { addressText, cloneUrl, gitAuthConfig } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";

const repoToClone: Arg<string> = {
  count: "one",
  description: "OWNER/NAME, HOST/OWNER/NAME, URL, or NAME for a repository of yours",
  read: (typed) => typed[0] ?? "",
  locate: (typed) => (typed[0]?.includes("/") ? typed[0] : undefined),
};

/** `tongs repo clone`: GET the repository, then run git clone over HTTP with the token of the profile. */
export const clone = defineCommand({
  summary: "Clone a repository",
  details:
    "Clones over HTTP with the token of the profile, which is not stored in the clone. For a fork, adds the parent " +
    "repository as the remote upstream. Prints the path of the new directory.",
  on: "server",
  effect: "write",
  args: { repo: repoToClone, dir: optional("target directory (default: the repository's name)") },
  output: repository,
  examples: [
    ["Clone a repository", "tongs repo clone mara/harbor"],
    ["Clone into another directory", "tongs repo clone mara/harbor quay"],
  ],
  async run(context) {
    const { args, forge, out, server, system, git, options } = context;
    const found = await forge.repos.get(await repoToCloneName(args.repo, context));
    // The record has the current name. A typed old name works only through a redirect, which git must not follow.
    const repo = { owner: found.owner?.login ?? "", name: found.name ?? "" };
    const url = cloneUrl(server, repo);
    const dir = args.dir ?? directoryName(repo.name);
    const parent = parentOf(found.parent);
    if (options.dryRun) return printGitDryRun(["clone", url, dir], context);
    const progress = system.stderr.isTTY === true && !options.quiet;
    const settings = { config: gitAuthConfig(server), progress };
    const verbose = progress ? ["--progress"] : [];
    await git.run(["clone", ...verbose, "--", url, dir], settings);
    const path = resolve(system.cwd, dir);
    const upstream = parent === undefined ? "" : await addUpstream(parent, git.at(path));
    const into = basename(path) === repo.name ? "" : ` into ${dir}`;
    await out.done(`Cloned ${fullName(repo)}${into}${upstream} from ${addressText(server.base)}`, {
      prints: path,
      record: found,
    });

    async function addUpstream(fork: RepoName, here: Git): Promise<string> {
      await here.run(["remote", "add", "upstream", cloneUrl(server, fork)]);
      const { code } = await here.attempt(["fetch", ...verbose, "upstream"], settings);
      if (code === 0) return `, with ${fullName(fork)} as upstream`;
      out.warn(`Added the remote upstream, but could not fetch ${fullName(fork)}`);
      return "";
    }
  },
});

async function repoToCloneName(
  typed: string,
  { locate, server, forge }: BaseContext & ServerContext,
): Promise<RepoName> {
  if (typed.includes("/")) return locate();
  return { owner: server.user ?? (await forge.users.me()).login, name: typed };
}

/** The parent repository of a fork, if the server returns it. */
function parentOf(parent: unknown): RepoName | undefined {
  const { owner, name } = (parent ?? {}) as { owner?: { login?: unknown } | null; name?: unknown };
  const login = owner?.login;
  return typeof login === "string" && typeof name === "string" ? { owner: login, name } : undefined;
}

/** The name of a repository as a directory name. Throws for a name that would lead to another directory. */
function directoryName(name: string): string {
  if (/^[\w.-]+$/.test(name) && !/^(-|\.\.?$|\.git$)/.test(name)) return name;
  throw new Failure("broken_answer", "failure", `The repository name '${name}' cannot be used as a directory name`, {
    hint: "Specify a directory: tongs repo clone REPO DIR",
  });
}
