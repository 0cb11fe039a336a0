import { UsageError } from "../failure/failure.ts";
import type { Level } from "../forge/level.ts";
import { presentOrgName } from "../forge/orgs.ts";
import type { Http } from "../http/client.ts";

/**
 * Throws a usage error if what was typed is the old name of what the server found. Servers redirect from the old name of a
 * renamed account or repository, even for DELETE (docs/server-differences.md, "Redirects"), so a deletion that cannot be
 * undone looks first. `hint` says how to name it by its present name.
 */
export function requirePresentName(typed: string, found: string, hint: (present: string) => string): void {
  if (typed.toLowerCase() === found.toLowerCase()) return;
  throw new UsageError(`${typed} was renamed to ${found}`, hint(found));
}

/** Throws a usage error if the organization of a level to delete from has its old name. */
export async function requirePresentOwner(level: Level, http: Http): Promise<void> {
  if (level.of !== "organization") return;
  requirePresentName(
    level.org,
    await presentOrgName(http, level.org),
    (present) => `To delete from it, pass --org ${present}.`,
  );
}
