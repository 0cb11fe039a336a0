import { UsageError } from "../../failure/failure.ts";
import type { EditTeamOption } from "../../forge/generated/operations.ts";
import { type Team, teamUnits, unitAccess, unitAccessFor, unitsAt } from "../../forge/teams.ts";
import { nearest } from "../../text/nearest.ts";

/** What a team may do, as the flags say it. */
export interface AccessFlags {
  readonly permission: "read" | "write" | "admin" | undefined;
  /** `UNIT` or `UNIT=ACCESS`. */
  readonly units: readonly string[];
  readonly addUnits?: readonly string[];
  readonly removeUnits?: readonly string[];
}

type AccessBody = Pick<EditTeamOption, "permission" | "units_map">;

/**
 * The access of a new team: administrator access, or the access to each unit; without --units, to all of them. Throws a
 * usage error for an unknown unit, which servers silently drop (docs/server-differences.md, "Organizations and teams").
 */
export function accessOfNew({ permission = "read", units }: AccessFlags): AccessBody {
  const wanted = unitsOf(units, permission);
  if (permission === "admin") {
    if (units.length > 0)
      throw new UsageError("--units cannot be used with --permission admin, which covers all units");
    return { permission };
  }
  return { permission, units_map: units.length > 0 ? wanted : unitsAt(permission) };
}

/** The access of an edited team; empty if the flags do not change it. Throws a usage error for an unknown unit. */
export function changedAccess(
  team: Team,
  { permission, units, addUnits = [], removeUnits = [] }: AccessFlags,
): AccessBody {
  const changes = units.length + addUnits.length + removeUnits.length > 0;
  const access = permission ?? levelOf(team);
  const given = unitsOf(units, access);
  const added = unitsOf(addUnits, access);
  const removed = unitsOf(removeUnits, access);
  if (permission === "admin") {
    if (changes) throw new UsageError("--permission admin covers all units");
    return { permission };
  }
  if (!changes && permission === undefined) return {};
  if (team.permission === "admin" && permission === undefined) {
    throw new UsageError(
      `Team ${team.name} has administrator access, which covers all units`,
      "To limit it to some units, also pass --permission read or --permission write.",
    );
  }
  const current = units.length > 0 ? given : (team.units_map ?? {});
  const start = changes || permission === undefined ? current : unitsAt(permission, Object.keys(current));
  const next = Object.fromEntries(
    Object.entries({ ...start, ...added }).filter(([unit]) => !Object.hasOwn(removed, unit)),
  );
  if (Object.keys(next).length === 0) throw new UsageError("A team needs access to at least one unit");
  return { permission: access, units_map: next };
}

/** The access that a team has, in the form in which it is sent. */
export function presentAccess(team: Team): AccessBody {
  if (team.permission === "admin") return { permission: "admin" };
  return { permission: levelOf(team), units_map: team.units_map ?? {} };
}

/** Gitea says `none` if the access is that of `units_map`; `read` then grants nothing more. */
function levelOf({ permission }: Team): "read" | "write" {
  return permission === "write" ? "write" : "read";
}

/** Throws a usage error for an unknown unit or access, before anything is sent. */
export function checkUnits(typed: readonly string[]): void {
  unitsOf(typed, "read");
}

/** `issues=write` → `repo.issues`: `write`. */
function unitsOf(typed: readonly string[], access: string): Record<string, string> {
  return Object.fromEntries(
    typed.map((one) => {
      const [word = "", given] = one.split("=", 2);
      const unit = word.startsWith("repo.") ? word : `repo.${word}`;
      if (!teamUnits.includes(unit)) {
        const near = nearest(unit, teamUnits);
        const hint = near.length > 0 ? `Did you mean: ${near.join(", ")}?` : `Available: ${teamUnits.join(", ")}`;
        throw new UsageError(`Unknown unit '${word}'`, hint);
      }
      if (given !== undefined && !unitAccess.some((known) => known === given)) {
        throw new UsageError(`Invalid access '${given}' for unit ${word}: must be one of ${unitAccess.join(", ")}`);
      }
      return [unit, given ?? unitAccessFor(unit, access)];
    }),
  );
}
