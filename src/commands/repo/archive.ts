import { batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { editRepo } from "../../forge/repo-settings.ts";
import { repository } from "../../forge/repos.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { reposArgument, reposOrCurrent } from "./shared.ts";

/** `tongs repo archive`: PATCH each repository. */
export const archive = defineCommand({
  summary: "Archive repositories",
  details: "An archived repository is read-only. Its settings can still be changed.",
  on: "server",
  effect: "write",
  args: { repo: reposArgument },
  output: list(repository),
  exits: { partly: "some repositories were archived, some failed" },
  examples: [["Archive two repositories", "tongs repo archive mara/harbor mara/quay"]],
  run: (context) => setArchived(context.args.repo, true, context),
});

/** `tongs repo unarchive`: PATCH each repository. */
export const unarchive = defineCommand({
  summary: "Unarchive repositories",
  on: "server",
  effect: "write",
  args: { repo: reposArgument },
  output: list(repository),
  exits: { partly: "some repositories were unarchived, some failed" },
  examples: [["Unarchive the current repository", "tongs repo unarchive"]],
  run: (context) => setArchived(context.args.repo, false, context),
});

async function setArchived(typed: readonly string[], archived: boolean, context: BaseContext & ServerContext) {
  const { http, server } = context;
  const work = async (repo: RepoName) => {
    const record = await editRepo(http, repo, { archived });
    return { message: `${archived ? "Archived" : "Unarchived"} ${record.full_name} ${accountLabel(server)}`, record };
  };
  return batch(await reposOrCurrent(typed, context), work, context, { name: fullName });
}
