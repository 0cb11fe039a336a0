import { batch } from "../../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { defineCommand } from "../../../app/define.ts";
import { call } from "../../../forge/operation.ts";
import { repoTransferAccept, repoTransferReject } from "../../../forge/repo-settings.ts";
import { repository } from "../../../forge/repos.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { parseRepo } from "../../../repo/repo-name.ts";
import { list } from "../../../shape/shape.ts";
import { reposArgument, reposOrCurrent } from "../arguments.ts";

/** `tongs repo transfer accept`: POST …/transfer/accept for each repository. */
export const accept = defineCommand({
  summary: "Accept the transfer of repositories",
  on: "server",
  effect: "write",
  args: { repo: reposArgument },
  output: list(repository),
  exits: { partly: "some transfers were accepted, some failed" },
  examples: [["Accept a repository", "tongs repo transfer accept mara/harbor"]],
  run: (context) => answer(context.args.repo, "accept", context),
});

/** `tongs repo transfer reject`: POST …/transfer/reject for each repository. */
export const reject = defineCommand({
  summary: "Reject the transfer of repositories",
  on: "server",
  effect: "write",
  args: { repo: reposArgument },
  output: list(repository),
  exits: { partly: "some transfers were rejected, some failed" },
  examples: [["Reject a repository", "tongs repo transfer reject mara/harbor"]],
  run: (context) => answer(context.args.repo, "reject", context),
});

async function answer(typed: readonly string[], verdict: "accept" | "reject", context: BaseContext & ServerContext) {
  const { http, server } = context;
  const work = async (name: string) => {
    const repo = parseRepo(name);
    const answered =
      verdict === "accept" ? call(http, repoTransferAccept, { repo }) : call(http, repoTransferReject, { repo });
    const record = await answered.catch((error: unknown) => {
      // Forgejo does not say what is missing; a missing repository was told apart before (explain-missing.ts).
      if (!(error instanceof NotFoundError) || error.message.startsWith("Repository ")) throw error;
      throw new NotFoundError(error.exchange, `No transfer of ${name} is pending`);
    });
    const done = verdict === "accept" ? `Accepted ${record.full_name}` : `Rejected the transfer of ${record.full_name}`;
    return { message: `${done} ${accountLabel(server)}`, prints: record.html_url, record };
  };
  return batch(await reposOrCurrent(typed, context), work, context);
}
