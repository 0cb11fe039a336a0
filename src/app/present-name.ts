import { UsageError } from "../failure/failure.ts";
import { orgsApi } from "../forge/orgs.ts";
import { orgName } from "../forge/users.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { levelOf } from "./shared.ts";

/**
 * Throws a usage error if what was typed is the old name of what the server found. Servers redirect from the old name of a
 * renamed account or repository, even for DELETE (docs/server-differences.md, "Redirects"), so a deletion that cannot be
 * undone looks first. `hint` says how to delete it by its present name.
 */
export function requirePresentName(typed: string, found: string, hint: (present: string) => string): void {
  if (typed.toLowerCase() === found.toLowerCase()) return;
  throw new UsageError(`${typed} was renamed to ${found}`, hint(found));
}

/** The level to delete from, as `levelOf` selects it. Throws a usage error for the old name of an organization. */
export async function levelToDeleteFrom(
  flags: Parameters<typeof levelOf>[0],
  context: ServerContext & Pick<BaseContext, "locate">,
): ReturnType<typeof levelOf> {
  if (flags.org !== undefined) {
    const found = await orgsApi(context.http).get(flags.org);
    requirePresentName(flags.org, orgName(found), (present) => `To delete from it, pass --org ${present}.`);
  }
  return levelOf(flags, context);
}
