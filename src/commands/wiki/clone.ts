import { cloneRepository } from "../../app/clone-repository.ts";
import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { repoGet } from "../../forge/repos.ts";
import { addressText } from "../../profiles/server.ts";

/** `tongs wiki clone`: GET the repository, then run git clone on its wiki, as repo clone does. */
export const clone = defineCommand({
  summary: "Clone a wiki",
  details:
    "Clones over HTTP with the token of the profile, which is not stored in the clone: git asks tongs for it. With tongs " +
    "config set git_protocol ssh, clones over SSH. Prints the path of the new directory.",
  external: { uses: "git" },
  on: "repository",
  effect: "write",
  result: "cloned",
  usesFiles: true,
  args: { dir: optional("target directory (default: the repository's name and .wiki)", { names: "output file" }) },
  examples: [["Clone the wiki of a repository", "tongs wiki clone -R mara/harbor"]],
  async run(context) {
    const { args, http, repo, out, server } = context;
    const found = await call(http, repoGet, { repo });
    const ssh_url = found.ssh_url?.replace(/\.git$/, ".wiki.git");
    const wiki = { ...found, name: `${found.name ?? repo.name}.wiki`, ssh_url, parent: null };
    const options = { typed: `${repo.name}.wiki`, dir: args.dir, command: "tongs wiki clone" };
    const done = await cloneRepository(context, wiki, options);
    if (done === undefined) return;
    await out.done(`Cloned the wiki of ${found.full_name} into ${done.path} from ${addressText(server.base)}`, {
      prints: done.path,
    });
  },
});
