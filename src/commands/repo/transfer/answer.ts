import { batchCommand } from "../../../app/write-command.ts";
import { call } from "../../../forge/operation.ts";
import { repoTransferAccept, repoTransferReject } from "../../../forge/repo-settings.ts";
import { repository } from "../../../forge/repos.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { parseRepo } from "../../../repo/repo-name.ts";
import { list } from "../../../shape/shape.ts";
import { reposArgument, reposOrCurrent } from "../arguments.ts";

/** `tongs repo transfer accept`: POST …/transfer/accept for each repository. */
export const accept = answer("Accept", "accepted", "Accepted", repoTransferAccept);

/** `tongs repo transfer reject`: POST …/transfer/reject for each repository. */
export const reject = answer("Reject", "rejected", "Rejected the transfer of", repoTransferReject);

function answer(verb: string, past: string, done: string, send: typeof repoTransferAccept | typeof repoTransferReject) {
  return batchCommand({
    summary: `${verb} the transfer of repositories`,
    on: "server",
    args: { repo: reposArgument },
    output: list(repository),
    exits: { partly: `some transfers were ${past}, some failed` },
    targets: (context) => reposOrCurrent(context.args.repo, context),
    async work(name, { http }) {
      const record = await call(http, send, { repo: parseRepo(name) }).catch((error: unknown) => {
        // Forgejo does not say what is missing; a missing repository was told apart before (explain-missing.ts).
        if (!(error instanceof NotFoundError) || error.message.startsWith("Repository ")) throw error;
        throw new NotFoundError(error.exchange, `No transfer of ${name} is pending`);
      });
      return { done: `${done} ${record.full_name}`, prints: record.html_url, record };
    },
    examples: [[`${verb} a repository`, `tongs repo transfer ${verb.toLowerCase()} mara/harbor`]],
  });
}
