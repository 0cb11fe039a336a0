import { writeOf } from "../../forge/past-writes.ts";
import {
  cutMark,
  fieldsOf,
  type Inverse,
  isEqual,
  isMasked,
  notRecorded,
  textsIn,
  unchanged,
  unrestored,
} from "../../forge/undo.ts";
import type { UndoForecast } from "../../http/debug.ts";
import { isUnsureStatus } from "../../http/no-answer-error.ts";
import type { SentRequest } from "./store.ts";

/** What the undo of a request depends on: `user` sent it. */
export interface Past extends SentRequest {
  readonly user?: string | null | undefined;
}

/** How a write is undone, or why it cannot be. */
export function inverseOf(past: Past): Inverse | string {
  const { method, path, body, before, status, after, same, user = null } = past;
  if (past.undone) return "already undone";
  if (status === undefined || isUnsureStatus(status)) return "no response arrived";
  if (status >= 300) return `the server ${status >= 500 ? "failed" : "refused it"} (${status})`;
  const found = writeOf({ method, target: path, body }, user);
  if (found === undefined) return "this kind of write cannot be undone";
  const { write, undo } = found;
  const known = { ...write, before, status, after, same };
  if (undo.cannot !== undefined) return undo.inverse(known);
  if (undo.reads !== undefined && before === undefined) return notRecorded;
  const inverse = undo.inverse(known);
  if (typeof inverse === "string") return inverse;
  const isCut = textsIn([inverse.request, undo.reads && body]).includes(cutMark);
  const isHidden = isMasked([inverse.request.path, inverse.unmaskedAt === undefined && inverse.request.body]);
  if (isCut || isHidden) return "the recorded state is incomplete";
  const { reads } = undo;
  return { ...(reads && { isAsBefore: async (read) => isEqual(await reads(write, read), before) }), ...inverse };
}

/** Whether a write that has no inverse left nothing to undo. */
export function leftNothing({ status = 0, undone }: Past, reason: string): boolean {
  return undone === true || (status >= 300 && !isUnsureStatus(status)) || reason === unchanged;
}

/** Whether a write changed something, as far as is known. */
export function changedSomething(entry: Past): boolean {
  return inverseOf(entry) !== unchanged;
}

/** What could not be undone of a write that is not sent, with what is there before it. */
export function foreseen(past: Past): UndoForecast {
  const names = writeOf({ method: past.method, target: past.path, body: past.body })?.write.names ?? {};
  const given = Object.entries(fieldsOf(past.body)).filter(([, value]) => value !== undefined);
  const set = given.map(([name, value]) => [names[name] ?? name, value] as const);
  const after = { id: 0, ...fieldsOf(past.before), ...Object.fromEntries(set) };
  const inverse = inverseOf({ ...past, status: 200, after });
  if (typeof inverse !== "string") return { remaining: unrestored(inverse) };
  return inverse === unchanged ? {} : { cannot: inverse };
}
