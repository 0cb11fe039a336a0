import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many, one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { orgMemberRemove } from "../../../forge/orgs.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { explainLastOwner } from "../shared.ts";

/** `tongs org member remove`: DELETE each user from all teams of the organization. */
export const remove = defineCommand({
  summary: "Remove members from an organization",
  details: "Removes the users from all teams of the organization. To add members, use: tongs team member add",
  on: "server",
  effect: "destroy",
  args: { org: one("organization"), user: many("usernames; - reads them from stdin, one per line") },
  exits: { partly: "some members were removed, some failed", refused: "the user is the last owner" },
  examples: [["Remove a member", "tongs org member remove tidewater jonas --yes"]],
  async run(context) {
    const { args, http, prompt, server, system } = context;
    const { org } = args;
    const users = await readTargets(args.user, system);
    const who = users.length === 1 ? `${users[0]}` : `${users.length} members`;
    await prompt.confirmAction({ what: `Remove ${who} from organization ${org}` });
    const work = async (user: string) => {
      await call(http, orgMemberRemove, { org, username: user }).catch(async (error: unknown) => {
        if (error instanceof NotFoundError) throw new NotFoundError(error.exchange, `User ${user} or ${org} not found`);
        throw await explainLastOwner(error, context, { org, user });
      });
      return { message: `Removed ${user} from organization ${org} ${accountLabel(server)}` };
    };
    // Several at a time could remove the last owners together.
    return batch(users, work, context, { jobs: 1 });
  },
});
