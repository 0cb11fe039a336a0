import { isServed } from "../../forge/all-operations.ts";
import { type Applied, ignoredFields } from "../../forge/applied.ts";
import { api, writeOf } from "../../forge/past-writes.ts";
import { currentUserPath } from "../../forge/read-paths.ts";
import { sentAt } from "../../forge/sent-at.ts";
import { fieldsOf, type Reader } from "../../forge/undo.ts";
import { json } from "../../http/answers.ts";
import type { Arrived, Http, SentWrite } from "../../http/client.ts";
import { typedPath } from "../../http/path.ts";

/**
 * Whether a write arrived whose answer was lost, `ago` milliseconds after it was sent, with the record that it would have
 * answered with, if it answers with one; undefined if nothing shows that it arrived. A PUT or a DELETE has if all is as it makes
 * it, an edit if the record has the fields that it sends, and a POST as its operation says (`arrives`).
 */
export async function arrived(sent: SentWrite, ago: number, read: Reader, http: Http): Promise<Arrived | undefined> {
  const found = writeOf(sent);
  if (found === undefined) return undefined;
  const { write, undo } = found;
  const { applied, arrives } = found.sent.operation;
  const { method, path, body } = write;
  if (method === "PUT" || method === "DELETE") {
    const isDone = undo.isDone?.(write, read) ?? (method === "DELETE" && isGone(path, read));
    return (await isDone) ? {} : undefined;
  }
  const isAsSent = (record: unknown) => hasAll(body, record, applied);
  if (arrives?.since === undefined) {
    const record = method === "PATCH" ? await undo.reads?.(write, read) : arrives && (await read.record(path));
    return isAsSent(record) ? { value: record } : undefined;
  }
  const account = await http.send("GET", typedPath(currentUserPath), { answers: json() });
  const start = sentAt(account.headers["date"], ago);
  const made: unknown[] = [];
  for await (const record of http.list(typedPath(path), { query: { state: "all" } }).take(50)) {
    const { [arrives.since]: time, user, author, pull_request: pull } = fieldsOf(record);
    const by = fieldsOf(user ?? author)["login"];
    const isOwn = by === undefined || by === fieldsOf(account.value)["login"];
    if (isOwn && Date.parse(String(time)) >= start && (pull ?? null) === null && isAsSent(record)) made.push(record);
  }
  // Of several, none is known to be this one.
  return made.length === 1 ? { value: made[0] } : undefined;
}

/** Whether nothing is at a path that can be read. */
async function isGone(path: string, read: Reader): Promise<boolean> {
  return isServed("GET", path.replace(api, "")) && (await read.record(path)) === undefined;
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
