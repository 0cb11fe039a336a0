import { Failure } from "../failure/failure.ts";
import { ownersOf } from "../forge/teams.ts";
import { ServerError } from "../http/errors.ts";
import { commandOn } from "../profiles/server.ts";
import type { ServerContext } from "./context.ts";

/**
 * Explains a 500 for the removal of a member: servers answer so for the last owner (docs/server-differences.md,
 * "Organizations and teams").
 */
export async function explainLastOwner(
  error: unknown,
  { http, server }: ServerContext,
  { org, user }: { readonly org: string; readonly user: string },
): Promise<unknown> {
  if (!(error instanceof ServerError)) return error;
  const [only, ...others] = await ownersOf(http, org).catch(() => []);
  if (others.length > 0 || only?.login.toLowerCase() !== user.toLowerCase()) return error;
  return new Failure("last_owner", `${user} is the last owner of ${org}`, {
    hint: `Add another owner first: ${commandOn(server, `tongs team member add ${org}/Owners USER`)}`,
    cause: error,
  });
}
