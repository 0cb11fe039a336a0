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
  description: "OWNER/NAME, HOST/OWNER/NAME, a URL; NAME alone is one's own",
  read: (typed) => typed[0] ?? "",
  locate: (typed) => (typed[0]?.includes("/") ? typed[0] : undefined),
};

/** `tongs repo clone`: GET the repository, then git clones it over http with the token of the profile. */
export const clone = defineCommand({
  summary: "Clone a repository",
  details:
    "git works over http with the token in force, which is stored nowhere in the clone. A fork gets the repository it " +
    "was made from as the remote upstream. Prints the folder.",
  on: "server",
  effect: "write",
  args: { repo: repoToClone, dir: optional("the folder; left out, the repository's name") },
  output: repository,
  examples: [
    ["Clone a repository", "tongs repo clone mara/harbor"],
    ["Into a folder of another name", "tongs repo clone mara/harbor quay"],
  ],
  async run(context) {
    const { args, forge, out, server, system, git, options } = context;
    const found = await forge.repos.get(await named(args.repo, context));
    // The record has the present name; the one that was typed may lead here by a redirect, which git must not follow.
    const repo = { owner: found.owner?.login ?? "", name: found.name };
    const url = cloneUrl(server, repo);
    const dir = args.dir ?? folderName(repo.name);
    const parent = parentOf(found.parent);
    if (options.dryRun) return printGitDryRun(["clone", url, dir], context);
    const progress = system.stderr.isTTY === true && !options.quiet;
    const settings = { config: gitAuthConfig(server), progress };
    const verbose = progress ? ["--progress"] : [];
    await git.run(["clone", ...verbose, "--", url, dir], settings);
    const folder = resolve(system.cwd, dir);
    const upstream = parent === undefined ? "" : await addUpstream(parent, git.at(folder));
    const into = basename(folder) === repo.name ? "" : ` into ${dir}`;
    await out.done(`Cloned ${fullName(repo)}${into}${upstream} from ${addressText(server.base)}`, {
      prints: folder,
      record: found,
    });

    async function addUpstream(fork: RepoName, here: Git): Promise<string> {
      await here.run(["remote", "add", "upstream", cloneUrl(server, fork)]);
      const { code } = await here.attempt(["fetch", ...verbose, "upstream"], settings);
      if (code === 0) return `, with ${fullName(fork)} as upstream`;
      out.warn(`${fullName(fork)} is the remote upstream, but could not be fetched`);
      return "";
    }
  },
});

async function named(typed: string, { locate, server, forge }: BaseContext & ServerContext): Promise<RepoName> {
  if (typed.includes("/")) return locate();
  return { owner: server.user ?? (await forge.users.me()).login, name: typed };
}

/** The repository that a fork was made from, where the server tells. */
function parentOf(parent: unknown): RepoName | undefined {
  const { owner, name } = (parent ?? {}) as { owner?: { login?: unknown } | null; name?: unknown };
  const login = owner?.login;
  return typeof login === "string" && typeof name === "string" ? { owner: login, name } : undefined;
}

/** The name of a repository as that of a folder here: a server must not lead out of this one. */
function folderName(name: string): string {
  if (/^[\w.-]+$/.test(name) && !/^(-|\.\.?$|\.git$)/.test(name)) return name;
  throw new Failure("broken_answer", "failure", `The server calls the repository '${name}', which can be no folder`, {
    hint: "Name the folder: tongs repo clone REPO DIR",
  });
}
