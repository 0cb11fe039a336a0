import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { teamMemberAdd, teamMemberRemove } from "../../../forge/teams.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { explainLastOwner } from "../../org/shared.ts";
import { findTeam, teamArgument, teamName } from "../find.ts";

const args = { team: teamArgument, user: many("usernames; - reads them from stdin, one per line") };

/** `tongs team member add`: PUT /teams/{id}/members/{username} for each user. */
export const add = defineCommand({
  summary: "Add members to a team",
  on: "server",
  effect: "write",
  args,
  exits: { partly: "some members were added, some failed" },
  examples: [["Add two members", "tongs team member add tidewater/pilots jonas priya"]],
  async run(context) {
    const { http, server, system } = context;
    const name = teamName(context.args.team);
    const users = await readTargets(context.args.user, system);
    const { id } = await findTeam(context.args.team, context);
    const work = async (user: string) => {
      await call(http, teamMemberAdd, { id, username: user }).catch((error: unknown) => {
        throw explain(error, user);
      });
      return { message: `Added ${user} to team ${name} ${accountLabel(server)}` };
    };
    return batch(users, work, context);
  },
});

/** `tongs team member remove`: DELETE /teams/{id}/members/{username} for each user. */
export const remove = defineCommand({
  summary: "Remove members from a team",
  on: "server",
  effect: "write",
  args,
  exits: { partly: "some members were removed, some failed", refused: "the user is the last owner" },
  examples: [["Remove a member", "tongs team member remove tidewater/pilots jonas"]],
  async run(context) {
    const { http, server, system } = context;
    const { org } = context.args.team;
    const name = teamName(context.args.team);
    const users = await readTargets(context.args.user, system);
    const { id } = await findTeam(context.args.team, context);
    const work = async (user: string) => {
      await call(http, teamMemberRemove, { id, username: user }).catch(async (error: unknown) => {
        throw explain(await explainLastOwner(error, context, { org, user }), user);
      });
      return { message: `Removed ${user} from team ${name} ${accountLabel(server)}` };
    };
    // Several at a time could remove the last owners together.
    return batch(users, work, context, { jobs: 1 });
  },
});

function explain(error: unknown, user: string): unknown {
  if (!(error instanceof NotFoundError)) return error;
  return new NotFoundError(error.exchange, `User ${user} not found on ${error.exchange.server}`);
}
