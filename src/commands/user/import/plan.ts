import type { BaseContext, ServerContext } from "../../../app/context.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import type { Http } from "../../../http/client.ts";
import { inOrder } from "../../../system/concurrency.ts";
import { type CheckedFile, rowsToImport } from "./check.ts";
import { addressesUnlisted, addressOwner, addressTaken, lookUpServer, type ServerLookup } from "./look-up.ts";
import { newUserProblem } from "./new-users.ts";
import {
  alreadyExists,
  changedFields,
  type OnExisting,
  type Outcome,
  outcomeColumns,
  summary,
  takenByOrganization,
  unseenFields,
  unseenReason,
} from "./outcome.ts";
import { madeBy, type Row } from "./rows.ts";

/** The flags of `tongs user import` that `--plan` uses. */
export interface PlanFlags {
  readonly onExisting: OnExisting;
  /** The number of rows processed at once. */
  readonly jobs: number | undefined;
  readonly generatePasswords: string | undefined;
}

/** Prints the planned outcome of each row. */
export async function planFile(
  checked: CheckedFile,
  flags: PlanFlags,
  { http, out }: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const counts = new Map<string, number>();
  const onUnlisted = () => out.note(addressesUnlisted);
  async function* planned(): AsyncGenerator<Outcome, void, undefined> {
    const server = await lookUpServer(http, checked, flags.onExisting, onUnlisted);
    const rows = inOrder(rowsToImport(checked), flags.jobs ?? 8, (row) => planRow(http, server, row, flags));
    for await (const item of rows) {
      counts.set(item.action, (counts.get(item.action) ?? 0) + 1);
      yield item;
    }
  }
  await out.list({ take: planned, total: undefined }, outcomeColumns, { unlimited: true, lists: ["row", "rows"] });
  out.note(`Plan: ${summary(counts)}; nothing was changed.`);
  return counts.has("invalid") ? "usage" : undefined;
}

/** The planned outcome of a row. Sends only reads. */
async function planRow(
  http: Http,
  server: ServerLookup,
  row: Row,
  { onExisting, generatePasswords }: PlanFlags,
): Promise<Outcome> {
  const username = String(row.fields["username"]);
  const base = { line: row.line, username };
  const invalid = (reason: string): Outcome => ({ ...base, action: "invalid", reason });
  const user = await server.userOf(username);
  if (user !== undefined && onExisting === "fail") return invalid(alreadyExists);
  if (user !== undefined && onExisting === "skip") return { ...base, action: "skip", reason: alreadyExists };
  if (user !== undefined && (await server.isOrganization(username))) return invalid(takenByOrganization);
  const owner = await addressOwner(server, row);
  if (owner !== undefined) return invalid(`email address ${row.fields["email"]} ${addressTaken(owner)}`);
  if (user === undefined) {
    const problem = await newUserProblem(http, row, generatePasswords !== undefined);
    if (problem !== undefined) return invalid(problem);
    const made = madeBy(row);
    return { ...base, action: "create", ...(made.length > 0 && { reason: made.join(", ") }) };
  }
  const changes = changedFields(row, user);
  if (Object.keys(changes).length > 0) return { ...base, action: "update", changes };
  const unseen = unseenFields(row);
  return { ...base, action: "unchanged", ...(unseen.length > 0 && { reason: unseenReason(unseen) }) };
}
