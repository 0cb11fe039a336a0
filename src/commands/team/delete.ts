import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { many } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { teamDelete, teamGet } from "../../forge/teams.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findTeam, isOwners, parseTeam, type TeamName, teamName } from "./find.ts";

/**
 * `tongs team delete`: finds each team, then DELETE /teams/{id}. Servers also delete the team Owners, so it is refused here
 * (docs/server-differences.md, "Organizations and teams").
 */
export const remove = defineCommand({
  summary: "Delete teams",
  on: "server",
  effect: "destroy",
  args: { team: many("ORG/TEAM; - reads them from stdin, one per line") },
  exits: { partly: "some teams were deleted, some failed", refused: "the team Owners cannot be deleted" },
  examples: [["Delete a team", "tongs team delete tidewater/crew --yes"]],
  async run(context) {
    const { args, http, prompt, server, system } = context;
    const teams = (await readTargets(args.team, system)).map(parseTeam);
    const [first, ...others] = teams;
    if (first === undefined) return undefined;
    const what = others.length === 0 ? `team ${teamName(first)}` : `${teams.length} teams`;
    await prompt.confirmAction({ what: `Delete ${what}` });
    const work = async (name: TeamName) => {
      const found = await findTeam(name, context);
      if (isOwners(found)) {
        throw new Failure("owners_team", `${teamName(name)} cannot be deleted`, {
          hint: "An organization must keep its Owners team.",
        });
      }
      const { organization } = await call(http, teamGet, { id: found.id });
      requirePresentName(
        name.org,
        organization?.name || name.org,
        (org) => `To delete the team, run: tongs team delete ${org}/${name.team}`,
      );
      await call(http, teamDelete, { id: found.id });
      return { message: `Deleted team ${teamName(name)} ${accountLabel(server)}` };
    };
    return batch(teams, work, context, { name: teamName });
  },
});
