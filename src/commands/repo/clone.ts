import { basename } from "node:path";
import { cloneRepository } from "../../app/clone-repository.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Arg, optional } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { currentUserGet } from "../../forge/users.ts";
import { protocolOf } from "../../profiles/git-url.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { fullPath } from "../../system/files.ts";

const repoToClone: Arg<string> = {
  count: "one",
  description: "OWNER/NAME, HOST/OWNER/NAME, URL, or NAME for one of your own repositories",
  read: (typed) => typed[0] ?? "",
  locate: (typed) => (typed[0]?.includes("/") ? typed[0] : undefined),
  source: "repository",
};

/** `tongs repo clone`: GET the repository, then run git clone over HTTP with the token of the profile. */
export const clone = defineCommand({
  summary: "Clone a repository",
  details:
    "Clones over HTTP with the token of the profile, which is not stored in the clone: git asks tongs for it when you push " +
    "or pull later. With tongs config set git_protocol ssh, or the SSH URL of a repository, clones over SSH. For a fork, " +
    "adds the parent repository as the remote upstream. Prints the path of the new directory.",
  besideApi: { uses: "git" },
  on: "server",
  effect: "write",
  usesFiles: true,
  args: {
    repo: repoToClone,
    dir: optional("target directory (default: the repository's name)", { names: "output file" }),
  },
  output: repository,
  examples: [
    ["Clone a repository", "tongs repo clone mara/harbor"],
    ["Clone into another directory", "tongs repo clone mara/harbor quay"],
  ],
  async run(context) {
    const { args, http, out, server, system } = context;
    const repo = await repoToCloneName(args.repo, context);
    const found = await call(http, repoGet, { repo });
    const options = { typed: repo.name, dir: args.dir, protocol: protocolOf(args.repo) };
    const done = await cloneRepository(context, found, options);
    if (done === undefined) return;
    const into = basename(done.path) === found.name ? "" : ` into ${args.dir ?? basename(done.path)}`;
    const upstream = done.upstream === undefined ? "" : `, with ${fullName(done.upstream)} as upstream`;
    await out.done(`Cloned ${found.full_name}${into}${upstream} from ${addressText(server.base)}`, {
      prints: fullPath(done.path, system),
      record: found,
    });
  },
});

async function repoToCloneName(
  typed: string,
  { locate, server, http }: BaseContext & ServerContext,
): Promise<RepoName> {
  if (typed.includes("/")) return locate();
  return { owner: server.user ?? (await call(http, currentUserGet, {})).login, name: typed };
}
