import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { choiceOr } from "../../../command/flags.ts";
import {
  collaboratorAdd,
  collaboratorPermission,
  collaboratorPermissionGet,
  collaboratorRemove,
  permissions,
} from "../../../forge/collaborators.ts";
import { call } from "../../../forge/operation.ts";
import { HttpError, NotFoundError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { list } from "../../../shape/shape.ts";

const args = { user: many("usernames; - reads them from stdin, one per line", { source: "account" }) };

/** `tongs repo collaborator add`: PUT each user with the permission. */
export const add = defineCommand({
  summary: "Add collaborators to a repository",
  details: "Changes the permission of users who are collaborators already.",
  on: "repository",
  effect: "write",
  args,
  flags: { permission: choiceOr(permissions, "write", "what the collaborators may do", { short: "p" }) },
  output: list(collaboratorPermission),
  exits: { partly: "some collaborators were added, some failed" },
  examples: [
    ["Add a collaborator who can write", "tongs repo collaborator add jonas"],
    ["Add two collaborators who can read", "tongs repo collaborator add jonas priya --permission read"],
  ],
  async run(context) {
    const { flags, http, repo, server, system } = context;
    const work = async (user: string) => {
      await call(http, collaboratorAdd, { repo, collaborator: user }, { permission: flags.permission }).catch(
        (error: unknown) => {
          throw explainUnknownUser(error, user);
        },
      );
      return {
        message: `Added ${user} to ${fullName(repo)} (${flags.permission}) ${accountLabel(server)}`,
        record: () => call(http, collaboratorPermissionGet, { repo, collaborator: user }),
      };
    };
    return batch(await readTargets(context.args.user, system), work, context);
  },
});

/** `tongs repo collaborator remove`: DELETE each user. */
export const remove = defineCommand({
  summary: "Remove collaborators from a repository",
  on: "repository",
  effect: "write",
  args,
  exits: { partly: "some collaborators were removed, some failed" },
  examples: [["Remove a collaborator", "tongs repo collaborator remove jonas"]],
  async run(context) {
    const { http, repo, server, system } = context;
    const work = async (user: string) => {
      await call(http, collaboratorRemove, { repo, collaborator: user }).catch((error: unknown) => {
        throw explainUnknownUser(error, user);
      });
      return { message: `Removed ${user} from ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(await readTargets(context.args.user, system), work, context);
  },
});

/** Explains an unknown user, which is 422 or 404 here (docs/server-differences.md, "Repositories"). */
export function explainUnknownUser(error: unknown, user: string): unknown {
  if (!(error instanceof HttpError) || !/^user does not exist/.test(error.serverMessage)) return error;
  return new NotFoundError(error.exchange, `User ${user} not found on ${error.exchange.server}`);
}
