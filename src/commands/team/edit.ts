import { defineCommand } from "../../app/define.ts";
import { doneEdit } from "../../app/done-edit.ts";
import { bodyOf, changedNames, editedText } from "../../app/fields.ts";
import { names, text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { findTeam as findTeamOf, isOwners, team, teamEdit } from "../../forge/teams.ts";
import { changedAccess, checkUnits, presentAccess } from "./access.ts";
import { accessFlags, teamFields } from "./create.ts";
import { explainName, findTeam, teamArgument, teamExists, teamName } from "./find.ts";

/** `tongs team edit`: PATCH /teams/{id} with the given fields and the name, which servers require. */
export const edit = defineCommand({
  summary: "Edit a team",
  on: "server",
  fieldsOf: teamEdit,
  effect: "write",
  args: { team: teamArgument },
  flags: {
    name: text("new name", { placeholder: "NAME" }),
    ...teamFields,
    ...accessFlags,
    addUnits: names("units to add: code, issues=write, …", { placeholder: "UNIT" }),
    removeUnits: names("units to remove", { placeholder: "UNIT", opposite: "addUnits" }),
  },
  output: team,
  exits: { refused: "a team with the new name exists, or the team Owners keeps its name and its access" },
  examples: [["Let a team write issues", "tongs team edit tidewater/crew --add-units issues=write"]],
  async run(context) {
    const { args, flags, http } = context;
    if (flags.name === "") throw new UsageError("--name must not be empty");
    checkUnits([...flags.units, ...flags.addUnits, ...flags.removeUnits]);
    const found = await findTeam(args.team, context);
    const access = changedAccess(found, flags);
    const body = { ...bodyOf(teamFields, flags), ...access, ...(flags.name === undefined ? {} : { name: flags.name }) };
    const names = changedNames(body);
    if (isOwners(found) && (flags.name !== undefined || Object.keys(access).length > 0)) {
      throw new Failure("owners_team", `The name and the access of ${teamName(args.team)} cannot be changed`, {
        hint: "An organization must keep its Owners team.",
      });
    }
    // Servers ignore includes_all_repositories without permission (docs/server-differences.md, "Organizations and teams").
    const alone = flags.includesAllRepositories !== undefined && Object.keys(access).length === 0;
    const present = alone && !isOwners(found) ? presentAccess(found) : {};
    const named = { ...args.team, team: flags.name ?? found.name };
    const isNew = named.team.toLowerCase() !== found.name.toLowerCase();
    if (isNew && (await findTeamOf(http, named.org, named.team)) !== undefined) throw teamExists(named);
    const edited = await call(http, teamEdit, { id: found.id }, { name: found.name, ...present, ...body }).catch(
      (error: unknown) => {
        throw isNew ? explainName(error, named) : error;
      },
    );
    const label = (team: string) => `team ${teamName({ ...args.team, team })}`;
    const said = editedText("team", label(args.team.team), label(edited.name));
    await doneEdit(context, { said, names, what: `team ${edited.name}`, record: edited });
  },
});
