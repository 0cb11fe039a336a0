import type { IgnoredField } from "../../failure/failure.ts";
import { type MatchedOperation, pathOf } from "../../forge/all-operations.ts";
import { valueAt } from "../../forge/applied.ts";
import { eventsToKeep } from "../../forge/hooks.ts";
import { stateOfNotification } from "../../forge/notifications.ts";
import type { PastRequest } from "../../forge/past-writes.ts";
import { notRestored, type Opposite, type Restore, type Undo } from "../../forge/undo.ts";
import type { UndoForecast } from "../../http/debug.ts";
import { masked } from "../../http/mask.ts";
import { isUnsureStatus } from "../../http/no-answer-error.ts";
import { jsonText } from "../../text/json.ts";
import { encodedName } from "../../text/percent.ts";
import {
  api,
  type Fields,
  fieldsOf,
  itemsOf,
  listOf,
  type Reader,
  stateOfOpposite,
  type Write,
  whyNot,
  writeOf,
} from "./state.ts";
import { cutMark, type SentRequest } from "./store.ts";

/** How a write is undone. */
export interface Inverse {
  readonly request: PastRequest;
  /** Whether all is as the write left it, or nothing has to be undone. */
  readonly isAsLeft: (read: Reader) => Promise<boolean>;
  /** The fields that the server did not restore, of the record that it answers with. */
  readonly notRestored?: (answer: unknown) => IgnoredField[];
  /** What is sent then, if that restores them. */
  readonly orElse?: PastRequest;
  /** Whether all is as it was before the write, which left nothing to undo, though its answer said otherwise. */
  readonly isAsBefore?: (read: Reader) => Promise<boolean>;
  /** What the write leaves behind although it is undone. */
  readonly leaves?: readonly string[];
  /** The fields that are sent as the server has them by then, as it would clear them, and the journal masks them. */
  readonly resends?: readonly string[];
}

type Kind<B> = Extract<Exclude<Undo, string>, { readonly by: B }>;

/** What the undo of a request depends on: `user` sent it. */
export interface Past extends SentRequest {
  readonly user?: string | null | undefined;
}

const notRecorded = "the previous state was not recorded";
const unchanged = "it changed nothing";
const sentSecret = "it sent a secret, which the journal does not have";

/** How a write is undone, or why it cannot be. */
export function inverseOf(entry: Past): Inverse | string {
  const { status, undone, path, body, method } = entry;
  if (undone) return "already undone";
  if (status === undefined || isUnsureStatus(status)) return "no response arrived";
  if (status >= 300) return `the server ${status >= 500 ? "failed" : "refused it"} (${status})`;
  const write = writeOf(method, path, body);
  if (typeof write === "string") return whyNot(method, path, body, entry.before) ?? write;
  const hidden = hiddenIn(entry, write);
  if (hidden.length > 0) return besides(hidden, entry, write);
  const isMasked = [path, ...textsIn(body)].some((text) => text.includes(masked));
  // What was too long for the journal cannot be compared.
  if (textsIn(body).includes(cutMark) && write.undo.by !== "delete") return "the recorded state is incomplete";
  const isCreation = write.undo.by === "delete" || (write.undo.by === "variable" && method === "POST");
  if (isMasked && (!isCreation || path.includes(masked))) return sentSecret;
  const inverse = inverseOfKind(entry, write);
  if (typeof inverse === "string" || isCreation) return inverse;
  const isCut = textsIn(inverse.request.body).some((text) => text.includes(masked) || text === cutMark);
  return isCut ? "the recorded state is incomplete" : inverse;
}

/** The fields of an edit that the journal masks, and which undo leaves as they are. */
function hiddenIn({ body, before, after }: Past, { undo }: Write): (readonly [name: string, what: string])[] {
  const all = Object.entries((undo.by === "restore" && undo.hidden) || {});
  return all.filter(
    ([name]) =>
      valueAt(body, name) !== undefined &&
      [body, before, after].some((one) => textsIn(valueAt(one, name)).some((text) => text.includes(masked))),
  );
}

/** How the other fields of an edit are undone. */
function besides(
  hidden: readonly (readonly [name: string, what: string])[],
  entry: Past,
  { undo }: Write,
): Inverse | string {
  const without = (value: unknown) => hidden.reduce((rest, [name]) => withoutField(rest, name.split(".")), value);
  const { body, before, after } = entry;
  const inverse = inverseOf({ ...entry, body: without(body), before: without(before), after: without(after) });
  const what = hidden.map(([, one]) => one).join(" and ");
  if (typeof inverse === "string") return inverse === unchanged ? `the journal does not keep ${what}` : inverse;
  const resends = hidden.flatMap(([name]) => (undo.by === "restore" && undo.resent?.includes(name) ? [name] : []));
  if (resends.some((name) => typeof valueAt(after, name) !== "string")) return sentSecret;
  return { ...inverse, resends, leaves: [...(inverse.leaves ?? []), `undo leaves ${what} as it is`] };
}

function withoutField(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  const { [name]: inner, ...others } = fieldsOf(value);
  if (value === null || inner === undefined) return value;
  return rest.length === 0 ? others : { ...others, [name]: withoutField(inner, rest) };
}

/** Whether a write that has no inverse left nothing to undo. */
export function leftNothing({ status = 0, undone }: Past, reason: string): boolean {
  return undone === true || status >= 300 || reason === unchanged;
}

/** Whether a write changed something, as far as is known. */
export function changedSomething(entry: Past): boolean {
  return inverseOf(entry) !== unchanged;
}

/** What could not be undone of a write that is not sent, with what is there before it. */
export function foreseen(write: Write, { body, before, user }: Pick<Past, "body" | "before" | "user">): UndoForecast {
  const { sent, undo, path } = write;
  const set = Object.entries(givenFields(body)).map(([name, value]) => [namesOf(sent)[name] ?? name, value]);
  const created = undo.by === "delete" ? { [undo.key]: 0 } : {};
  const after = undo.by === "labels" ? [] : { ...fieldsOf(before), ...Object.fromEntries(set), ...created };
  const inverse = inverseOf({ method: sent.operation.method, path, body, before, user, status: 200, after });
  if (typeof inverse !== "string") return { leaves: inverse.leaves };
  return inverse === unchanged ? {} : { cannot: inverse };
}

function inverseOfKind(entry: Past, write: Write): Inverse | string {
  const { undo } = write;
  switch (undo.by) {
    case "delete":
      return creation(entry, write, undo);
    case "rename":
      return rename(write, undo);
  }
  if (entry.before === undefined) return notRecorded;
  switch (undo.by) {
    case "opposite":
      return opposite(entry, write, undo);
    case "labels":
      return issueLabels(entry, write, undo);
    case "replace":
      return replacement(entry, write);
    case "collaborator":
      return collaborator(entry, write, undo);
    case "variable":
      return variable(entry, write);
    case "mark":
      return marking(entry, write);
    case "restore":
      return edit(entry, write, undo);
    case "create":
      return removal(entry, write, undo);
  }
}

/** A creation is undone by deleting. */
function creation(
  { after }: Past,
  { sent, path }: Write,
  { key, at, shownAt, usedBy }: Kind<"delete">,
): Inverse | string {
  const created = fieldsOf(after);
  const name = created[key];
  if (typeof name !== "string" && typeof name !== "number") return "the record of what was created is incomplete";
  const own = at === undefined ? `${path}/${encodedName(String(name))}` : api + pathOf(sent, { key: String(name) }, at);
  const shown = shownAt === undefined ? own : api + pathOf(sent, { key: String(name) }, shownAt);
  const isThere = hasFields(shown, stable(created));
  return {
    request: { method: "DELETE", path: own },
    isAsLeft: async (read) => (await isThere(read)) && !(await isUsed(read)),
  };

  async function isUsed(read: Reader): Promise<boolean> {
    if (usedBy === undefined) return false;
    const users = await read.list(api + pathOf(sent, { key: String(name) }, usedBy.at));
    const { list } = usedBy;
    return list === undefined
      ? users.length > 0
      : users.some((one) => listOf(fieldsOf(one)[list]).some((item) => fieldsOf(item)[key] === name));
  }
}

/**
 * A rename is undone by renaming back. The old name of an account redirects to it, whatever its name is now: another
 * account that has the new name since is not renamed.
 */
function rename({ sent, body }: Write, { field, at, name }: Kind<"rename">): Inverse | string {
  const now = fieldsOf(body)[field];
  const [parameter, old] = [...sent.parameters].at(-1) ?? [];
  if (parameter === undefined || typeof now !== "string") return notRecorded;
  const renamed = api + pathOf(sent, { [parameter]: now });
  return {
    request: { method: sent.operation.method, path: renamed, body: { [field]: old } },
    isAsLeft: hasFields(at === undefined ? renamed : api + pathOf(sent, {}, at), { [name]: now }),
  };
}

/** Another write makes it so again, for those names of the body that were not so before. */
function opposite({ method, before, status, after }: Past, write: Write, undo: Opposite): Inverse | string {
  const { sent, path, body } = write;
  const adds = undo.adds ?? method !== "DELETE";
  const { item, items } = undo.shows ?? {};
  const had = (name: string, value: unknown) => listOf(fieldsOf(before)[name]).includes(value);
  const back = items === undefined ? body : itemsOf(body, (name, value) => had(name, value) !== adds);
  const wasSo = undo.so === undefined ? before === adds : status === undo.so;
  if (items === undefined ? wasSo : Object.values(fieldsOf(back)).every((list) => listOf(list).length === 0))
    return undo.again !== undefined && listOf(after).length > 0 ? undo.again : unchanged;
  const hasBody = (item !== undefined || items !== undefined) && body !== null;
  return {
    ...leavingLost(undo),
    request: {
      method: undo.method ?? (adds ? "DELETE" : "PUT"),
      path: undo.path === undefined ? path : api + pathOf(sent, {}, undo.path),
      ...(hasBody ? { body: back } : {}),
    },
    async isAsLeft(read) {
      const now = await stateOfOpposite({ ...write, body: back }, undo, read);
      return typeof now === "boolean"
        ? now === adds
        : comparable(now) === comparable(adds ? back : itemsOf(back, () => false));
    },
  };
}

/** The labels of an issue are set as they were before; one that was removed is added. */
function issueLabels({ method, before, after }: Past, { sent }: Write, { at }: Kind<"labels">): Inverse | string {
  const id = Number(sent.parameters.get("id"));
  const old = listOf(fieldsOf(before)["labels"]).map((one) => fieldsOf(one)["id"]);
  const issue = api + pathOf(sent, {}, at);
  const place = `${issue}/labels`;
  if (method === "DELETE") {
    if (!old.includes(id)) return unchanged;
    const isListed = (items: readonly unknown[]) => items.some((one) => fieldsOf(one)["id"] === id);
    return {
      request: { method: "POST", path: place, body: { labels: [id] } },
      isAsLeft: async (read) => !isListed(await read.list(place)),
    };
  }
  if (!Array.isArray(after)) return notRecorded;
  if (comparable(after.map((one) => fieldsOf(one)["id"])) === comparable(old)) return unchanged;
  return {
    request: { method: "PUT", path: place, body: { labels: old } },
    isAsLeft: hasFields(issue, { labels: after }),
  };
}

/** A list that was set is set as it was. */
function replacement({ before }: Past, { path, body }: Write): Inverse | string {
  const [[name, set] = ["", []]] = Object.entries(fieldsOf(body));
  const old = listOf(before);
  if (comparable(set) === comparable(old)) return unchanged;
  return {
    request: { method: "PUT", path, body: { [name]: old } },
    isAsLeft: async (read) => comparable(await read.list(path)) === comparable(set),
  };
}

function collaborator({ method, before }: Past, { path, body }: Write, undo: Kind<"collaborator">): Inverse | string {
  const { permission } = fieldsOf(before);
  const { permission: set = "write" } = fieldsOf(body);
  // Administrators of the server have the permission of owners, whatever they are given.
  const isAsLeft: Inverse["isAsLeft"] = async (read) => {
    const { permission: now } = fieldsOf(await read.record(`${path}/permission`));
    return now === set || (now === "owner" && (await read.record(path)) !== undefined);
  };
  if (before === null) return method === "PUT" ? { request: { method: "DELETE", path }, isAsLeft } : unchanged;
  if (method === "PUT" && permission === set) return unchanged;
  if (permission === "owner") return "an owner has this permission whatever a collaborator is given";
  // That of a collaborator who may read, in a repository that has become private.
  if (permission === "none") return "the server does not return the permission that they had";
  const request = { method: "PUT" as const, path, body: { permission } };
  return { ...leavingLost(undo), request, isAsLeft: method === "PUT" ? isAsLeft : isAbsent(path) };
}

function variable({ method, before }: Past, { sent, path, body }: Write): Inverse | string {
  const set = fieldsOf(body);
  if (method === "POST")
    return { request: { method: "DELETE", path }, isAsLeft: hasFields(path, { data: set["value"] }) };
  if (before === null) return unchanged;
  const { value, description } = fieldsOf(before);
  const back = { value, ...(description === undefined || description === "" ? {} : { description }) };
  if (method === "DELETE") return { request: { method: "POST", path, body: back }, isAsLeft: isAbsent(path) };
  const [parameter = "", old = ""] = [...sent.parameters].at(-1) ?? [];
  const name = set["name"];
  const isRenamed = typeof name === "string" && name !== "" && name.toUpperCase() !== old.toUpperCase();
  const place = isRenamed ? api + pathOf(sent, { [parameter]: name }) : path;
  return {
    request: { method: "PUT", path: place, body: isRenamed ? { ...back, name: old } : back },
    isAsLeft: hasFields(place, { data: set["value"] }),
  };
}

/** A notification is marked as it was. */
function marking({ before, path: target }: Past, { path }: Write): Inverse | string {
  const set = new URLSearchParams(target.split("?")[1]).get("to-status") ?? "read";
  const old = stateOfNotification(fieldsOf(before));
  if (old === set) return unchanged;
  return {
    request: { method: "PATCH", path: `${path}?to-status=${old}` },
    isAsLeft: async (read) => stateOfNotification(fieldsOf(await read.record(path))) === set,
  };
}

/** An edit is undone by sending the fields that were there before. */
function edit({ before, after, user }: Past, { sent, path, body }: Write, undo: Restore): Inverse | string {
  const now = fieldsOf(after);
  const record = fieldsOf(before);
  const filled = Object.entries(undo.filledFrom ?? {}).filter(([name]) => record[name] === "");
  const old = { ...record, ...Object.fromEntries(filled.map(([name, from]) => [name, record[from]])) };
  const emptied = new Map(Object.entries(undo.emptiedBy ?? {}).map(([name, by]) => [by, name]));
  const fieldOf = (name: string) => emptied.get(name) ?? namesOf(sent)[name] ?? name;
  const given = [...Object.keys(givenFields(body)), ...(undo.cleared ?? [])];
  const sentNames = [...new Set(given)].filter((name) => undo.how?.includes(name) !== true);
  const isSent = ({ of }: { readonly of: readonly string[] }) => sentNames.some((name) => of.includes(name));
  const besides = (undo.together ?? []).filter(isSent).flatMap(({ sends }) => sends);
  const isThere = (name: string) => valueAt(old, fieldOf(name)) !== undefined;
  const had = besides.filter(isThere);
  const instead = sentNames.flatMap((name) => {
    const other = undo.instead?.[name];
    return other !== undefined && !isThere(name) && isThere(other) ? [{ name, other }] : [];
  });
  const replaced = new Set(instead.map(({ name }) => name));
  const others = new Set(instead.map(({ other }) => other));
  const names = [...new Set([...sentNames, ...others, ...had])];
  const lacks = (name: string) => [old, now].some((one) => valueAt(one, fieldOf(name)) === undefined);
  const isNeeded = (name: string) =>
    !had.includes(name) && !replaced.has(name) && !others.has(name) && undo.cleared?.includes(name) !== true;
  const missing = names.filter((name) => lacks(name) && isNeeded(name));
  const kept = names.filter((name) => !missing.includes(name));
  const isPartly = (name: string) => Object.keys(undo.hidden ?? {}).some((one) => one.startsWith(`${name}.`));
  // Of what is hidden in part, only what the records have of it in the journal.
  const fields = kept.flatMap((name) => {
    const field = fieldOf(name);
    if (!isPartly(name)) return [field];
    const inner = new Set([old, now].flatMap((one) => Object.keys(fieldsOf(valueAt(one, field)))));
    return [...inner].map((one) => `${field}.${one}`);
  });
  const reason = missing.length > 0 ? `the server does not return ${missing.join(", ")}` : unchanged;
  if (fields.every((field) => isSame(old, now, field))) return reason;
  if (undo.own !== undefined && isOwn(sent, user) && takesAway(undo.own.fields, body)) return undo.own.why;
  const sendable = kept.filter((name) => !replaced.has(name));
  const restored = sendable.map((name) => sentField(emptied.get(name) ?? name, valueAt(old, fieldOf(name)), undo));
  // The same name can belong to another one since, after the first was deleted.
  const set = ["id", ...fields].map((name) => [name, valueAt(now, name)]).filter(([, value]) => value !== undefined);
  const place = (template?: string) => api + pathOf(sent, undo.renamed?.(now) ?? {}, template);
  const unset = Object.entries(undo.unset ?? {}).find(([name]) => fields.includes(name) && valueAt(old, name) === null);
  const isAsLeft = hasFields(place(undo.at), Object.fromEntries(set));
  const isFree = undo.overwrites && place() !== path ? isAbsent(path) : undefined;
  const leaves = Object.entries(undo.leaves ?? {}).flatMap(([name, { has, what, shows = name, ...rest }]) =>
    fields.includes(name) &&
    has in record &&
    (!isSame(record, now, name) || !isSame(record, old, name)) &&
    (!("from" in rest) || record[name] === rest.from)
      ? [`undo leaves ${String(now[shows])} ${what}`]
      : [],
  );
  const lost = Object.entries(undo.loses ?? {}).flatMap(([name, { to, has, what }]) => {
    if (!fields.includes(name) || isSame(old, now, name)) return [];
    if (now[name] === to) return old[has] === 0 ? [] : [notRestored(`the ${what} that it removed`)];
    return old[name] === to ? [`undo removes the ${what} that it has by then`] : [];
  });
  const empty = Object.entries(undo.emptyAs ?? {}).filter(([name]) => fields.includes(name) && old[name] === null);
  return {
    leaves: [
      ...leaves,
      ...lost,
      ...(missing.length > 0 ? [`undo leaves ${missing.join(" and ")} as it is: the server does not return it`] : []),
    ],
    ...(empty.length > 0 && { orElse: { method: "PATCH", path, body: Object.fromEntries(empty) } }),
    request: { method: "PATCH", path: place(unset?.[1]), body: Object.fromEntries(restored) },
    isAsLeft: async (read) => (await isAsLeft(read)) && ((await isFree?.(read)) ?? true),
    isAsBefore: hasFields(place(undo.at), Object.fromEntries(fields.map((field) => [field, valueAt(record, field)]))),
    // Servers ignore some values, such as the empty texts of a release.
    notRestored: (answer) => differences(old, answer, fields),
  };
}

/** Whether the path of an operation is of the user who sends it. */
function isOwn({ parameters }: MatchedOperation, user: string | null | undefined): boolean {
  return user != null && parameters.get("username")?.toLowerCase() === user.toLowerCase();
}

/** Whether a body sets one of these fields to its value. */
function takesAway(fields: Fields, body: unknown): boolean {
  return Object.entries(fields).some(([name, value]) => fieldsOf(body)[name] === value);
}

/** The field of a request that restores a field of a record. */
function sentField(name: string, old: unknown, { emptiedBy = {} }: Restore): [string, unknown] {
  const by = emptiedBy[name];
  return by !== undefined && old === null ? [by, true] : [name, asSent(name, old)];
}

/** The value that a request takes, of the one in a record. */
function asSent(field: string, value: unknown): unknown {
  // Records have null for no assignees, which a request ignores.
  if (field === "assignees" && value === null) return [];
  if (field === "milestone") return fieldsOf(value)["id"] ?? 0;
  if (field === "events" && Array.isArray(value)) return eventsToKeep(value.filter((one) => typeof one === "string"));
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => fieldsOf(item)["login"] ?? fieldsOf(item)["id"] ?? item);
}

/** What was deleted is created again: nothing else refers to it. */
function removal({ before }: Past, { sent, path }: Write, { edits, at }: Kind<"create">): Inverse | string {
  if (before === null) return unchanged;
  const { id: _id, created_at: _made, updated_at: _edited, ...body } = fieldsOf(before);
  return {
    request: { method: "POST", path: path.slice(0, path.lastIndexOf("/")), body },
    isAsLeft: isAbsent(at === undefined ? path : api + pathOf(sent, {}, at)),
    ...(edits && {
      // Records have null or nothing for an empty list.
      notRestored: (answer) =>
        differences(body, answer, Object.keys(body)).filter(
          ({ requested, actual }) => !(isEmpty(requested) && isEmpty(actual)),
        ),
      orElse: { method: "PATCH", path, body },
    }),
  };
}

function leavingLost({ loses }: { readonly loses?: string }): Pick<Inverse, "leaves"> {
  return loses === undefined ? {} : { leaves: [notRestored(loses)] };
}

function isAbsent(path: string): Inverse["isAsLeft"] {
  return async (read) => (await read.record(path)) === undefined;
}

/** Whether the record at a path has these fields. */
function hasFields(path: string, fields: Fields): Inverse["isAsLeft"] {
  return async (read) => {
    const now = await read.record(path);
    const isThere = ([name, value]: [string, unknown]) => comparable(valueAt(now, name)) === comparable(value);
    return now !== undefined && Object.entries(fields).every(isThere);
  };
}

/** The fields of a body that are sent: undefined ones are not. */
function givenFields(body: unknown): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(body)).filter(([, value]) => value !== undefined));
}

/** The fields of a record that another one has otherwise. */
function differences(old: Fields, now: unknown, names: readonly string[]): IgnoredField[] {
  return names
    .filter((name) => !isSame(old, now, name))
    .map((name) => ({ name, requested: valueAt(old, name), actual: valueAt(now, name) }));
}

function isEmpty(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.length === 0);
}

/** Whether a field is the same in two records. */
function isSame(one: unknown, other: unknown, field: string): boolean {
  const values = [valueAt(one, field), valueAt(other, field)];
  // No list is an empty one.
  if (values.some(Array.isArray)) values.splice(0, 2, ...values.map((value) => value ?? []));
  return comparable(values[0]) === comparable(values[1]);
}

/** The names of fields in the record of an operation, where those of its body are other ones. */
function namesOf({ operation }: MatchedOperation): Readonly<Partial<Record<string, string>>> {
  return operation.applied?.names ?? {};
}

/** A value as text, lists in any order; of records within it, only what identifies them. */
function comparable(value: unknown): string {
  if (Array.isArray(value)) return jsonText(value.map(comparable).toSorted());
  const fields = fieldsOf(value);
  const lists = Object.entries(fields).filter(([, item]) => Array.isArray(item));
  if (lists.length > 0 && lists.length === Object.keys(fields).length)
    return jsonText(Object.fromEntries(lists.map(([name, item]) => [name, comparable(item)])));
  return jsonText(fields["login"] ?? fields["id"] ?? value ?? null);
}

/** The fields of a record that others do not change by using it. */
function stable(record: Fields): Fields {
  const fixed = Object.entries(record).filter(
    ([name, value]) =>
      !/_at$|_issues$|^last_|url$/.test(name) &&
      (typeof value !== "object" || Array.isArray(value)) &&
      !textsIn(value).some((text) => text.includes(masked) || text === cutMark),
  );
  return Object.fromEntries(fixed);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
