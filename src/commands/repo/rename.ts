import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { editRepo } from "../../forge/repo-settings.ts";
import { repository } from "../../forge/repos.ts";
import { HttpError } from "../../http/errors.ts";
import { commandIn, commandOn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { currentRepo } from "./current-repo.ts";

/** `tongs repo rename`: PATCH the repository's name. */
export const rename = writeCommand({
  summary: "Rename a repository",
  details:
    "The server redirects (301) from the old name to the new one until another repository takes the old name. git follows " +
    "the redirect when it fetches; change the remotes of clones with git remote set-url.",
  on: "repository",
  args: { name: one("new name, without the owner") },
  output: repository,
  exits: { refused: "another repository has that name" },
  examples: [["Rename a repository", "tongs repo rename quay -R mara/harbor"]],
  async work({ args, http, repo, server }) {
    if (args.name.includes("/")) {
      const hint = `To move a repository to another owner, run: ${commandIn({ server, repo }, "tongs repo transfer NEW-OWNER")}`;
      throw new UsageError(`'${args.name}' is not a valid repository name`, hint);
    }
    const current = await currentRepo(http, repo, (name) =>
      commandOn(server, `tongs repo rename ${args.name} -R ${name}`),
    );
    if (args.name === current.name) {
      const done = `No change: ${current.full_name} has this name`;
      return { done, prints: current.html_url, record: current, unchanged: true };
    }
    const renamed = await editRepo(http, repo, { name: args.name }).catch((error: unknown) => {
      throw explainNameTaken(error, repo.owner, args.name);
    });
    const done = `Renamed ${fullName(repo)} to ${renamed.full_name}`;
    const notes = [
      `${fullName(repo)} redirects to ${renamed.full_name} until another repository takes that name.`,
      `To update a clone, run: git remote set-url origin ${renamed.clone_url ?? renamed.html_url}`,
    ];
    // Servers ignore the case of names.
    const isOther = renamed.full_name.toLowerCase() !== fullName(repo).toLowerCase();
    return { done, prints: renamed.html_url, record: renamed, notes: isOther ? notes : [] };
  },
});

/** Explains a name that is taken, which servers answer with 422 instead of 409. */
export function explainNameTaken(error: unknown, owner: string, name: string | undefined): unknown {
  if (!(error instanceof HttpError) || name === undefined) return error;
  if (!/already exists/.test(error.serverMessage) && error.status !== 409) return error;
  return new Failure("exists", `Repository ${owner}/${name} already exists`, {
    status: error.status,
    cause: error,
  });
}
