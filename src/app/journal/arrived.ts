import { isServed, operationAt } from "../../forge/all-operations.ts";
import { type Applied, ignoredFields } from "../../forge/applied.ts";
import type { Arrived, Http, SentWrite } from "../../http/client.ts";
import { typedPath } from "../../http/path.ts";
import { api, fieldsOf, isSoAlready, type Reader, stateOf, stateOfOpposite, writeOf } from "./state.ts";

/**
 * Whether a write arrived whose answer was lost, with the record that it would have answered with, if it answers with one;
 * undefined if nothing shows that it arrived. A PUT or a DELETE has if all is as it makes it, an edit if the record has the
 * fields that it sends, and a creation if that record is in the list (`arrives` of its operation).
 */
export async function arrived(sent: SentWrite, since: Date, read: Reader, http: Http): Promise<Arrived | undefined> {
  const { method, target, body } = sent;
  const path = target.replace(/\?.*$/s, "");
  if (method === "PUT" || method === "DELETE") return (await isDone(sent, path, read)) ? {} : undefined;
  const { operation } = operationAt(method, path.replace(api, "")) ?? {};
  const isAsSent = (record: unknown) => hasAll(body, record, operation?.applied);
  if (method === "PATCH") {
    const write = writeOf(method, target, body);
    if (typeof write === "string" || write.undo.by !== "restore" || !isReadable(write.undo.at ?? path))
      return undefined;
    const record = await stateOf(write, read);
    return isAsSent(record) ? { value: record } : undefined;
  }
  if (operation?.arrives === undefined) return undefined;
  const found: unknown[] = [];
  const { since: created } = operation.arrives;
  const own = fieldsOf(await read.record(`${api}/user`))["login"];
  // Servers say whole seconds.
  const sentAt = Math.floor(since.getTime() / 1000) * 1000;
  for await (const record of http.list(typedPath(path), { query: { state: "all" } }).take(50)) {
    const { [created]: time, user, author, pull_request: pull } = fieldsOf(record);
    const by = fieldsOf(user ?? author)["login"];
    const isOwn = by === undefined || by === own;
    if (isOwn && Date.parse(String(time)) >= sentAt && (pull ?? null) === null && isAsSent(record)) found.push(record);
  }
  // Of several, none is known to be this one.
  return found.length === 1 ? { value: found[0] } : undefined;
}

function isReadable(path: string): boolean {
  return isServed("GET", path.replace(api, ""));
}

/** Whether a record has all the fields of a body. */
function hasAll(body: unknown, record: unknown, applied: Applied<never> = {}): boolean {
  const shown = Object.entries(fieldsOf(body)).filter(
    ([name, value]) => value != null && !(name in (applied.except ?? {})),
  );
  const isRecord = Object.keys(fieldsOf(record)).length > 0;
  const as = { ...applied, answered: "all" } as Applied<unknown>;
  return shown.length > 0 && isRecord && ignoredFields(Object.fromEntries(shown), record, as).length === 0;
}

/** Whether what a DELETE removes is no longer there, or what a PUT sets is so, by one read; false if nothing shows that. */
async function isDone({ method, target, body }: SentWrite, path: string, read: Reader): Promise<boolean> {
  const sent = operationAt(method, path.replace(api, ""));
  if (sent === undefined) return false;
  const { undo, shows } = sent.operation;
  if (typeof undo === "object" && undo.by === "opposite") {
    const left = await stateOfOpposite({ sent, undo, path, body }, undo, read);
    if (undo.adds ?? method !== "DELETE") return left === true;
    const lists = Object.values(fieldsOf(left));
    return left === false || (lists.length > 0 && lists.flat().length === 0);
  }
  if (shows !== undefined) return isSoAlready(method, target, read);
  return method === "DELETE" && isReadable(path) && (await read.record(path)) === undefined;
}
