import { Failure } from "../../command/failure.ts";
import { DeniedError } from "../../http/errors/denied-error.ts";
import { NotFoundError } from "../../http/errors/not-found-error.ts";
import type { Forge } from "../index.ts";
import { byName, everything, unknownName } from "./unknown-name.ts";

/**
 * The names of these teams of an organization, `ORG/TEAM` too. Throws when one does not exist, or when the owner is a
 * user. Who may not see the teams gets the names back as they are; the server judges them then.
 */
export async function teamsNamed(forge: Forge, org: string, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const names = typed.map((name) => name.replace(/^[^/]*\//, ""));
  try {
    const known = await everything(forge.teams.ofOrg(org));
    const unknown = names.filter((name) => byName(known, name, (team) => team.name) === undefined);
    if (unknown.length === 0) return names.flatMap((name) => byName(known, name, (team) => team.name)?.name ?? []);
    throw unknownName(
      "team",
      unknown,
      known.map((team) => team.name),
      `in ${org}`,
    );
  } catch (error) {
    if (error instanceof DeniedError) return names;
    if (error instanceof NotFoundError) {
      throw new Failure("unknown_name", "invalid", `${org} has no teams: it is not an organization`, {
        hint: "Ask people for a review with --reviewer.",
      });
    }
    throw error;
  }
}
