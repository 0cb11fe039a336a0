import { basename } from "node:path";
import { cloneRepository } from "../../app/clone-repository.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { selectRepositories } from "../../app/select-repositories.ts";
import { type Arg, any } from "../../command/args.ts";
import { integer, text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { currentUserGet } from "../../forge/users.ts";
import { protocolOf } from "../../profiles/git-url.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName, namesSeveral, type RepoName } from "../../repo/repo-name.ts";
import { either, list } from "../../shape/shape.ts";
import { fullPath } from "../../system/files.ts";
import { filterRepos, isFiltered, repoFilterExclusive, repoFilterFlags } from "./filters.ts";

const repoToClone: Arg<string> = {
  count: "one",
  description:
    "OWNER/NAME, HOST/OWNER/NAME, URL, NAME for one of your own, or a pattern: 'acme/*'; - reads them from stdin",
  read: (typed) => typed[0] ?? "",
  locate: (typed) => (typed[0]?.includes("/") ? typed[0] : undefined),
  source: "repository",
  dash: "lines",
};

/**
 * `tongs repo clone`: GET the repository, then run git clone over HTTP with the token of the profile; for patterns, GET the
 * repositories of the owner.
 */
export const clone = defineCommand({
  summary: "Clone repositories",
  details:
    "Clones over HTTP with the token of the profile, which is not stored in the clone: git asks tongs for it when you push " +
    "or pull later. With tongs config set git_protocol ssh, or the SSH URL of a repository, clones over SSH. For a fork, " +
    "adds the parent repository as the remote upstream. Prints the paths of the clones. After --, flags of git clone can " +
    "follow.\n\nA pattern, or --dir, clones several repositories side by side into DIR/OWNER/NAME. Repositories that are " +
    "there are updated: their remote is fetched, and the current branch fast-forwarded. Those with uncommitted changes that " +
    "are behind, with diverged branches, or with another remote are named, and left as they are. Submodules are not updated.",
  external: { uses: "git" },
  on: "server",
  effect: "write",
  usesFiles: true,
  args: {
    repo: repoToClone,
    more: any("target directory (default: the repository's name); after a pattern, or with --dir, more repositories", {
      names: "output file",
    }),
    git: any("flags of git clone", { afterDashes: true, names: "program flags" }),
  },
  flags: {
    dir: text("clone several repositories into DIR/OWNER/NAME (default: .)", {
      short: "D",
      names: "output file",
      placeholder: "DIR",
    }),
    jobs: integer("number of repositories cloned at a time (default: 8)", { min: 1, max: 16 }),
    ...repoFilterFlags,
  },
  exclusive: repoFilterExclusive,
  output: either(repository, list(repository), Array.isArray),
  exits: { partly: "some repositories were cloned or updated, some failed" },
  examples: [
    ["Clone a repository", "tongs repo clone mara/harbor"],
    ["Clone into another directory, without old contents", "tongs repo clone mara/harbor quay -- --filter=blob:none"],
    ["Clone all repositories of an organization, or update them", "tongs repo clone 'tidewater/*' --no-archived"],
  ],
  async run(context) {
    const { args, flags, http, out, server, system } = context;
    const { dir, jobs = 8, ...filters } = flags;
    const words = [args.repo, ...args.more];
    if (dir !== undefined || words.some(namesSeveral)) {
      const selected = await selectRepositories(words, context, (listing) => filterRepos(listing, filters, context));
      const { cloneMany } = await import("./clone-many.ts");
      return cloneMany(selected, { dir: dir ?? ".", jobs, gitFlags: args.git }, context);
    }
    if (isFiltered(filters))
      throw new UsageError("Filters need a pattern", "Use, for example: tongs repo clone 'acme/*'");
    const [into, ...others] = args.more;
    if (others.length > 0) {
      const hint = "To clone several repositories, pass --dir DIR.";
      throw new UsageError(`Unexpected argument '${others[0]}'`, hint);
    }
    const repo = await repoToCloneName(args.repo, context);
    const found = await call(http, repoGet, { repo });
    const options = { typed: repo.name, dir: into, protocol: protocolOf(args.repo), gitFlags: args.git };
    const done = await cloneRepository(context, found, options);
    if (done === undefined) return;
    const where = basename(done.path) === found.name ? "" : ` into ${into ?? basename(done.path)}`;
    const upstream = done.upstream === undefined ? "" : `, with ${fullName(done.upstream)} as upstream`;
    await out.done(`Cloned ${found.full_name}${where}${upstream} from ${addressText(server.base)}`, {
      prints: fullPath(done.path, system),
      record: found,
    });
    return undefined;
  },
});

async function repoToCloneName(
  typed: string,
  { locate, server, http }: BaseContext & ServerContext,
): Promise<RepoName> {
  if (typed.includes("/")) return locate();
  return { owner: server.user ?? (await call(http, currentUserGet, {})).login, name: typed };
}
