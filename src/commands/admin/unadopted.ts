import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { unadoptedAdopt, unadoptedDelete } from "../../forge/admin.ts";
import { call } from "../../forge/operation.ts";
import { NotFoundError } from "../../http/errors.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import type { RepoName } from "../../repo/repo-name.ts";

const repositories = many("repositories as OWNER/NAME; - reads them from stdin, one per line");

/** `tongs admin unadopted adopt`: POST /admin/unadopted/{owner}/{repo} for each. */
export const adopt = defineCommand({
  summary: "Adopt repositories that are on the server's disk",
  on: "server",
  effect: "write",
  args: { repository: repositories },
  exits: { partly: "some repositories were adopted, some failed" },
  examples: [["Adopt a repository", "tongs admin unadopted adopt mara/foundling"]],
  async run(context) {
    const { args, http, server, system } = context;
    const targets = await readTargets(args.repository, system);
    for (const target of targets) parsed(target);
    const adoptOne = async (target: string) => {
      await call(http, unadoptedAdopt, { repo: parsed(target) }).catch((error: unknown) =>
        Promise.reject(notUnadopted(error, target)),
      );
      const prints = `${addressText(server.base)}/${target}`;
      return { message: `Adopted ${target} ${accountLabel(server)}`, prints };
    };
    return batch(targets, adoptOne, context);
  },
});

/** `tongs admin unadopted delete`: DELETE /admin/unadopted/{owner}/{repo} for each. */
export const remove = defineCommand({
  summary: "Delete unadopted repositories from the server's disk",
  on: "server",
  effect: "destroy",
  args: { repository: repositories },
  exits: { partly: "some repositories were deleted, some failed" },
  examples: [["Delete an unadopted repository", "tongs admin unadopted delete mara/wreck --yes"]],
  async run(context) {
    const { args, http, prompt, server, system } = context;
    const targets = await readTargets(args.repository, system);
    for (const target of targets) parsed(target);
    const [first] = targets;
    await prompt.confirmAction(
      targets.length === 1 && first !== undefined
        ? { what: `Delete the files of ${first}`, typed: first }
        : { what: `Delete the files of ${targets.length} repositories` },
    );
    const deleteOne = async (target: string) => {
      await call(http, unadoptedDelete, { repo: parsed(target) }).catch((error: unknown) =>
        Promise.reject(notUnadopted(error, target)),
      );
      return { message: `Deleted the files of ${target} ${accountLabel(server)}` };
    };
    return batch(targets, deleteOne, context);
  },
});

function parsed(target: string): RepoName {
  const [owner, name, ...rest] = target.split("/");
  if (owner === undefined || name === undefined || owner === "" || name === "" || rest.length > 0) {
    throw new UsageError(`'${target}' is not OWNER/NAME`);
  }
  return { owner, name };
}

/** The error for a repository that is not on the disk, or that the server knows already. */
function notUnadopted(error: unknown, target: string): unknown {
  if (!(error instanceof NotFoundError)) return error;
  const message = `No unadopted repository ${target} on ${error.exchange.server}`;
  return new NotFoundError(error.exchange, message, "To see them, run: tongs admin unadopted list");
}
