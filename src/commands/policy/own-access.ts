import { call } from "../../forge/operation.ts";
import { currentUserGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import type { Change } from "./compare.ts";
import { listOf } from "./kinds/kind.ts";

/** Whether a change takes somebody out of the owners of an organization. */
function removesOwners({ kind, name, action, fields }: Change): boolean {
  return kind === "teams" && action === "update" && name.toLowerCase() === "owners" && removed(fields).length > 0;
}

function removed(fields: Change["fields"]): string[] {
  const members = fields.find(({ field }) => field === "members");
  const kept = new Set(listOf(members?.new).map((name) => name.toLowerCase()));
  return listOf(members?.old).filter((name) => !kept.has(name.toLowerCase()));
}

/**
 * The changes that take the caller out of the owners of an organization: they come last, as what follows would be refused.
 * None for administrators, who may do all of it nevertheless.
 */
export async function ownRemovals(changes: readonly Change[], http: Http): Promise<Change[]> {
  const found = changes.filter(removesOwners);
  if (found.length === 0) return [];
  const { login, is_admin } = await call(http, currentUserGet, {});
  if (is_admin === true) return [];
  return found.filter(({ fields }) => removed(fields).some((name) => name.toLowerCase() === login.toLowerCase()));
}
