import type { ServerContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { type Change, removedMembers } from "./compare.ts";
import { changePlace } from "./rows.ts";

/** Those whose access a change takes away or limits. */
function losers(change: Change): readonly string[] {
  const { kind, action, fields, name } = change;
  const isLess = action === "delete" || (action === "update" && fields.some(({ old }) => old === "admin"));
  return kind === "collaborators" && isLess ? [name] : removedMembers(change);
}

/** The changes that take access of the caller away, with what that is: they come last, as what follows could be refused. */
export async function ownRemovals(
  changes: readonly Change[],
  context: ServerContext,
): Promise<ReadonlyMap<Change["item"], string>> {
  const taking = changes.filter((change) => losers(change).length > 0);
  if (taking.length === 0) return new Map();
  const me = (await currentUser(context)).toLowerCase();
  const own = taking.filter((change) => losers(change).some((name) => name.toLowerCase() === me));
  return new Map(own.map((change) => [change.item, `takes your own access away: ${changePlace(change)}`]));
}
