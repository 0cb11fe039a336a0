import type { ServerContext } from "../../app/context.ts";
import type { Arg } from "../../command/args.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { Team } from "../../forge/teams.ts";
import { findTeam as findTeamIn } from "../../forge/teams.ts";
import { HttpError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";

/** A team as it is typed. */
export interface TeamName {
  readonly org: string;
  readonly team: string;
}

/** `ORG/TEAM`, one team. */
export const teamArgument: Arg<TeamName> = {
  count: "one",
  description: "ORG/TEAM",
  read: (typed) => parseTeam(typed[0] ?? ""),
};

/** Parses `ORG/TEAM`. Throws a usage error. */
export function parseTeam(typed: string): TeamName {
  const [org = "", team = "", ...rest] = typed.split("/");
  if (org === "" || team === "" || rest.length > 0) {
    throw new UsageError(`'${typed}' is not a valid team`, "Use ORG/TEAM. To list teams, run: tongs team list ORG");
  }
  return { org, team };
}

/** `org/team`. */
export function teamName({ org, team }: TeamName): string {
  return `${org}/${team}`;
}

/** The record of a team. Throws if the organization has no team of that name, or the user cannot see it. */
export async function findTeam(name: TeamName, { http, server }: ServerContext): Promise<Team> {
  const found = await findTeamIn(http, name.org, name.team);
  if (found !== undefined) return found;
  const message = `Team ${teamName(name)} not found on ${addressText(server.base)}, or you do not have access`;
  throw new Failure("not_found", message, { hint: `To list teams, run: tongs team list ${name.org}` });
}

/** Why a server refused the name of a team. */
export function explainName(error: unknown, team: TeamName): unknown {
  if (!(error instanceof HttpError)) return error;
  const { status, method, path } = error;
  const failed = { status, method, path, cause: error };
  return /already exist/i.test(error.serverMessage) ? teamExists(team, failed) : error;
}

/** The failure for a name that another team of the organization has. */
export function teamExists(team: TeamName, details: { readonly cause?: unknown } = {}): Failure {
  return new Failure("exists", `Team ${teamName(team)} already exists`, details);
}

/** Where the members and repositories of a team are: ORG/TEAM is the first argument of every verb. */
export const inTeam = {
  on: "server",
  args: { team: teamArgument },
  async place(context: ServerContext & { readonly args: { readonly team: TeamName } }) {
    const { id, includes_all_repositories } = await findTeam(context.args.team, context);
    return { ...context.args.team, id, hasAll: includes_all_repositories === true };
  },
  where: (team: TeamName) => `team ${teamName(team)}`,
} as const;
