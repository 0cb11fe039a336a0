import type { IgnoredField } from "../failure/failure.ts";
import { masked } from "../http/mask.ts";
import { isObject } from "../shape/shape.ts";
import { jsonText } from "../text/json.ts";
import { valueAt } from "./applied.ts";
import { currentUserPath, userPath } from "./read-paths.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Reads what a write changes: a value, null for an answer without content, or undefined if nothing is there. */
export interface Reader {
  record(path: string): Promise<unknown>;
  list(path: string): Promise<readonly unknown[]>;
}

/** A write that an operation sends. Paths are below the server's address. */
export interface Write {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Those of the path, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The fields of its body that servers know. */
  readonly fields: readonly string[];
  /** The names of fields in the record, where those of the body are other ones. */
  readonly names: Readonly<Partial<Record<string, string>>>;
  /** The user who sends it, if that is known. */
  readonly user: string | null;
  /** The path of another operation (by default of its own) with these parameters, some of them changed. */
  at(template?: string, changes?: Readonly<Record<string, string>>): string;
}

/** A write that was sent. */
export interface PastWrite extends Write {
  /** What its `Undo` has read before. */
  readonly before: unknown;
  readonly status: number;
  /** The answer. */
  readonly after: unknown;
  /** The fields that the journal masks, and that were so before. */
  readonly same?: readonly string[] | undefined;
}

/** A request that undoes a write. */
export interface PastRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** How a write is undone. */
export interface Inverse {
  readonly request: PastRequest;
  /** Whether all is as the write left it. */
  readonly isAsLeft: (read: Reader) => Promise<boolean>;
  /** Whether all is as it was before the write: somebody undid it, or it changed nothing, though its answer said otherwise. */
  readonly isAsBefore?: (read: Reader) => Promise<boolean>;
  /** Whether others use by now what the undo would delete. */
  readonly isUsed?: (read: Reader) => Promise<boolean>;
  /** The fields that the server did not restore, of the record that it answers with. */
  readonly notRestored?: (answer: unknown) => IgnoredField[];
  /** What is sent then, if that restores them. */
  readonly orElse?: PastRequest | undefined;
  /** What the write changed that stays. */
  readonly remaining?: readonly string[];
  /** What else is not as it was, as far as there was any. */
  readonly loses?: readonly string[];
  /** The path of the record that has what the journal masks: it is sent as it is there by then. */
  readonly unmaskedAt?: string;
}

/** All that is not as it was after an undo. */
export const unrestored = ({ remaining = [], loses = [] }: Partial<Inverse>) => [...remaining, ...loses];

/** How the writes of an operation are undone. */
export interface Undo {
  /** Why no write of it can be undone. */
  readonly cannot?: string;
  /** What is lost that undo does not restore. */
  readonly loses?: string | undefined;
  /** Whether the name of the user has to be known who sends it. */
  readonly byUser?: boolean;
  /** Reads what is there before, as `inverse` needs it: null if there is nothing. */
  readonly reads?: (write: Write, read: Reader) => Promise<unknown>;
  /** The request that undoes a write, or why it cannot be undone. */
  readonly inverse: (past: PastWrite) => Inverse | string;
  /** Whether what the write does is done. */
  readonly isDone?: (write: Write, read: Reader) => Promise<boolean>;
}

/** Written in place of text that is too long for the journal. */
export const cutMark = "(too long for the journal)";

/** The reason why a write is not undone that changed nothing. */
export const unchanged = "it changed nothing";

/** The reason if what was there before is not known. */
export const notRecorded = "the previous state was not recorded";

/** What several writes lose that their undo does not restore. */
export const loses = {
  access: "the assignments and watches that it ended",
  /** On Gitea. */
  block: "the follows, stars, watches, assignments and collaborations that it ended",
  /** On Forgejo. */
  userBlock: "the follows, watches and collaborations that it ended",
  watches: "the watches that it ended",
} as const;

/** Why most writes without an undo cannot be undone. */
export const cannot = {
  create: "delete what was created instead",
  delete: "servers do not keep what is deleted",
  secret: "servers do not return secrets",
  start: "what it started has run",
  commit: "it changed a branch: revert the commit instead",
  picture: "the previous picture is not kept",
  marks: "which ones were unread is not recorded",
} as const;

/** What of a write is not undone, as the question before it says. */
export function undoRemark({ cannot: why, loses: lost }: Undo = { inverse: () => "" }): string | undefined {
  return why === undefined ? lost && notRestored(lost) : "cannot be undone";
}

/** What stays lost after an undo. */
export function notRestored(what: string): string {
  return `undo does not restore ${what}`;
}

/** What tells more of a write that is not undone. */
interface Final extends Pick<Undo, "reads"> {
  /** Why not, by what `reads` has found there, or by the body. */
  readonly why?: (past: PastWrite) => string | undefined;
  /** What shows that it is so: a write that found it so changed nothing. */
  readonly state?: StateCheck;
}

/** No write is undone. */
export function notUndone(reason: string, { reads, why, state }: Final = {}): Undo {
  const toggle = state === undefined ? undefined : undoToggle({ state });
  return {
    cannot: reason,
    ...(reads === undefined ? {} : { reads }),
    ...toggle,
    inverse: (past) => (toggle?.inverse(past) === unchanged ? unchanged : (why?.(past) ?? reason)),
  };
}

/** Why the deletion of a branch or a tag cannot be undone, and from which commit it is created again. */
export function createdAgainAt(commit: unknown): string {
  return `${cannot.delete}: create it again at ${commit}`;
}

/** A branch or a tag that is deleted, whose record has the commit in a field. */
export function notCreatedAgain(field: string): Undo {
  return notUndone(createdAgainAt("the same commit"), {
    reads: async ({ path }, read) => (await read.record(path)) ?? null,
    why: ({ before }) => (valueAt(before, field) === undefined ? undefined : createdAgainAt(valueAt(before, field))),
  });
}

/** How an edit is undone, where the fields that it changed are not simply sent as they were. */
interface Edit {
  /** Where the record is, if not at its own path. */
  readonly at?: string;
  /** The fields that say only how to write, which the record does not have. */
  readonly how?: readonly string[];
  /** What is sent with a field, which servers clear or ignore without it. */
  readonly along?: Readonly<Record<string, readonly string[]>>;
  /** The parameters of the path that an edit changed, by the record after it. */
  readonly moved?: (now: Fields) => Readonly<Record<string, string>>;
  /** Changes what is sent, or says what undo leaves behind, or why it cannot be undone. */
  readonly adjust?: (edited: Edited) => Partial<Inverse> | string;
}

/** What an edit changed, for `adjust`. */
export interface Edited {
  readonly past: PastWrite;
  /** The record before and after. */
  readonly old: Fields;
  readonly now: Fields;
  readonly request: { readonly method: string; readonly path: string; readonly body: Fields };
  readonly isAsLeft: Inverse["isAsLeft"];
  /** Whether it set a field to another value. */
  isChanged(field: string): boolean;
}

/** An edit is undone by one that sends the fields that were sent or changed as they were. */
export function undoEdit({ at, how = [], along = {}, moved, adjust }: Edit = {}): Undo {
  const inverse = (past: PastWrite): Inverse | string => {
    const { names, fields: known, same = [] } = past;
    const [body, old, now] = [fieldsOf(past.body), fieldsOf(past.before), fieldsOf(past.after)];
    const fieldOf = (name: string) => names[name] ?? name.replace(/^unset_/, "");
    const lacks = (name: string) => [old, now].some((record) => valueAt(record, fieldOf(name)) === undefined);
    const sent = Object.keys(body).filter((name) => body[name] !== undefined && !how.includes(name));
    // What changed with them: a unit that is switched off loses its settings.
    const others = known.filter((name) => {
      const [was, is] = [valueAt(old, fieldOf(name)), valueAt(now, fieldOf(name))];
      const isOther = ![...sent, ...how, "updated_at"].includes(name) && !isRecord(was) && !isRecord(is);
      return isOther && was !== undefined && !isSame(old, now, fieldOf(name));
    });
    const linked = [...sent, ...others].flatMap((name) => along[name] ?? []);
    const compared = [...sent, ...others.filter((name) => !lacks(name)), ...linked];
    const all = [...new Set(compared.flatMap((name) => innerFields(fieldOf(name), body, old, now)))];
    const isHidden = (field: string) => [body, old, now].some((record) => isMasked(valueAt(record, field)));
    const hidden = all.filter(isHidden);
    const lost = hidden.filter((field) => !same.includes(field));
    const missing = sent.filter((name) => lacks(name) && !(name in along) && !hidden.includes(fieldOf(name)));
    const fields = all.filter((field) => !hidden.includes(field) && !missing.map(fieldOf).includes(field));
    if (fields.every((field) => isSame(old, now, field))) {
      if (missing.length > 0) return `the server does not return ${missing.join(", ")}`;
      return lost.length > 0 ? `the journal does not keep ${lost.join(", ")}` : unchanged;
    }
    const sendable = [...new Set([...sent, ...others, ...linked])].filter(
      (name) => valueAt(old, fieldOf(name)) !== undefined && !missing.includes(name),
    );
    const asSent = (name: string): [string, unknown] => {
      const [was, is] = [valueAt(old, fieldOf(name)), valueAt(now, fieldOf(name))];
      const unset = `unset_${fieldOf(name)}`;
      if (was === null && known.includes(unset)) return [unset, true];
      return [name.replace(/^unset_/, ""), was === null ? emptyLike(is) : asRequested(was)];
    };
    const place = (template?: string) => past.at(template, moved?.(now) ?? {});
    const request = { method: past.method, path: place(), body: Object.fromEntries(sendable.map(asSent)) };
    // The same name can belong to another one since, after the first was deleted.
    const isAsLeft = hasFields(place(at), picked(now, ["id", ...fields]));
    const isChanged = (field: string) => fields.includes(field) && !isSame(old, now, field);
    const adjusted = adjust?.({ past, old, now, request, isAsLeft, isChanged }) ?? {};
    if (typeof adjusted === "string") return adjusted;
    const left = [
      ...lost.map((field) => `${field} as it is: the journal does not keep it`),
      ...(missing.length > 0 ? [`${missing.join(" and ")} as it is: the server does not return it`] : []),
    ].map((what) => `undo leaves ${what}`);
    return {
      request,
      isAsLeft,
      isAsBefore: hasFields(place(at), picked(old, fields)),
      // Servers ignore some values, such as the empty texts of a release.
      notRestored: (answer) => differences(old, answer, fields),
      unmaskedAt: place(at),
      ...adjusted,
      remaining: [...(adjusted.remaining ?? []), ...left],
    };
  };
  return { inverse, reads: async (write, read) => (await read.record(write.at(at))) ?? null };
}

/** How what was created is deleted. */
interface Creation {
  /** The field of its record by which it is deleted (`id`). */
  readonly key?: string;
  /** Where it is deleted, with `{key}`, and shown, if not below the path. */
  readonly at?: string;
  readonly shownAt?: string;
  /** Whether something uses it since. */
  readonly isUsed?: (created: Fields, read: Reader, at: Write["at"]) => Promise<boolean>;
  /** Where all of its kind are listed, if not at the path. */
  readonly listed?: string;
}

/** What was created is deleted, if it is as it was and nothing uses it. */
export function undoCreate({ key = "id", at, shownAt, isUsed, listed }: Creation = {}): Undo {
  return {
    inverse({ after, path, at: pathAt }) {
      const created = fieldsOf(after);
      const name = created[key];
      if (typeof name !== "string" && typeof name !== "number") return "the record of what was created is incomplete";
      const own = at === undefined ? `${path}/${encodeURIComponent(name)}` : pathAt(at, { key: String(name) });
      const shown = shownAt === undefined ? own : pathAt(shownAt, { key: String(name) });
      return {
        request: { method: "DELETE", path: own },
        isAsLeft: hasFields(shown, stable(created)),
        // One that may not be read any more, with its repository, is not known to be gone.
        isAsBefore: async (read) => (await isAbsent(shown)(read)) && !(await isAbsent(pathAt(listed))(read)),
        ...(isUsed && { isUsed: (read: Reader) => isUsed(created, read, pathAt) }),
      };
    },
  };
}

type Deletion = Pick<Creation, "at" | "listed"> & { readonly edits?: boolean };

/** What was deleted is created again, where nothing else refers to it; `edits`: with an edit of what servers ignore then. */
export function undoDelete({ at, edits = false, listed }: Deletion = {}): Undo {
  return {
    reads: async (write, read) => (await read.record(write.at(at))) ?? null,
    inverse({ before, path, at: pathAt }) {
      if (before === null) return unchanged;
      const { id: _id, created_at: _made, updated_at: _edited, ...body } = fieldsOf(before);
      // Records have null or nothing for an empty list.
      const missing = (now: unknown, names = Object.keys(body)) =>
        differences(body, now, names).filter((field) => !isEmpty(field.requested, field.actual));
      const fixed = Object.keys(body).filter((name) => !/_at$|id$|url$|^last_|_activity$/.test(name));
      const above = path.slice(0, path.lastIndexOf("/"));
      const all = listed === undefined ? above : pathAt(listed);
      // It has another ID by then.
      const isAsBefore = async (read: Reader) => (await read.list(all)).some((one) => missing(one, fixed).length === 0);
      return {
        request: { method: "POST", path: above, body },
        isAsLeft: async (read) => (await isAbsent(pathAt(at))(read)) && !(await isAsBefore(read)),
        isAsBefore,
        ...(edits && { notRestored: (now) => missing(now), orElse: { method: "PATCH", path, body } }),
      };
    },
  };
}

/** A rename is undone by renaming back: `field` has the new name, `name` is its field in the record, which is `at`. */
export function undoRename(field: string, name: string, at?: string): Undo {
  return {
    inverse({ method, body, parameters, at: pathAt }) {
      const now = fieldsOf(body)[field];
      const [parameter, old] = [...parameters].at(-1) ?? [];
      if (parameter === undefined || typeof now !== "string") return notRecorded;
      const path = pathAt(undefined, { [parameter]: now });
      // The old name of an account redirects to it: another account that has the new name since is not renamed.
      const isAsLeft = hasFields(at === undefined ? path : pathAt(at), { [name]: now });
      const isNew = hasFields(pathAt(at, { [parameter]: now }), { [name]: now });
      const isAsBefore = async (read: Reader) =>
        (await hasFields(pathAt(at), { [name]: old })(read)) && !(await isNew(read));
      return { request: { method, path, body: { [field]: old } }, isAsLeft, isAsBefore };
    },
  };
}

/** How a write is undone whose effect is one value that can be read: whether something is so, a list, a word. */
interface ByState {
  readonly state: (write: Write, read: Reader) => Promise<unknown>;
  /** The value that a write remaining. */
  readonly result: (past: Pick<PastWrite, "method" | "body" | "after" | "query">) => unknown;
  readonly request: (past: PastWrite) => PastRequest;
  readonly loses?: string | undefined;
}

/** Another request sets the value back, unless the write found it as it left it. */
export function undoState({ state, result, request, loses: lost }: ByState): Undo {
  return {
    loses: lost,
    reads: state,
    isDone: async (write, read) => isEqual(await state(write, read), result({ ...write, after: undefined })),
    inverse(past) {
      const left = result(past);
      if (isEqual(past.before, left)) return unchanged;
      return {
        loses: lost === undefined ? [] : [notRestored(lost)],
        request: request(past),
        isAsLeft: async (read) => isEqual(await state(past, read), left),
      };
    },
  };
}

/** A list that was set, or added to, is set as it was: `field` of the body, and of the record at `at`, or the list at the path. */
export function undoSet(field: string, at?: string): Undo {
  return undoState({
    state: async (write, read) =>
      at === undefined ? read.list(write.path) : listOf(fieldsOf(await read.record(write.at(at)))[field]),
    result: ({ after, body }) => (Array.isArray(after) ? after : listOf(fieldsOf(body)[field])),
    request: ({ path, before }) => ({ method: "PUT", path, body: { [field]: asRequested(listOf(before)) } }),
  });
}

/** Whether what a write sets is so. */
export type StateCheck = (write: Write, read: Reader) => Promise<boolean>;

/** Something is at a path. */
export function isThere(at?: string): StateCheck {
  return async (write, read) => (await read.record(write.at(at))) !== undefined;
}

/** The record at a path has it. */
export function recordHas(at: string, has: (record: Fields) => boolean): StateCheck {
  return async (write, read) => has(fieldsOf(await read.record(write.at(at))));
}

/**
 * The list at a path, or in a field of the record there, has an item with these fields (`""`: the item itself), which are
 * `{parameters}` of the path, fields of the body, `@user` for the user who is signed in or `@id` for the ID of the user in the
 * path.
 */
export function listHas(item: Readonly<Record<string, string>>, at?: string, field?: string): StateCheck {
  return async (write, read) => {
    const sourceOf = async (source: string) => {
      if (source === "@user") return fieldsOf(await read.record(currentUserPath))["login"];
      if (source === "@id") return fieldsOf(await read.record(write.at(userPath)))["id"];
      return source.startsWith("{") ? write.parameters.get(source.slice(1, -1)) : fieldsOf(write.body)[source];
    };
    const place = write.at(at);
    const items = field === undefined ? await read.list(place) : listOf(fieldsOf(await read.record(place))[field]);
    const names = await Promise.all(
      Object.entries(item).map(async ([key, source]) => [key, await sourceOf(source)] as const),
    );
    return items.some((one) => names.every(([key, value]) => isName(valueAt(one, key), value)));
  };
}

/** How a write is undone by another one of the same body, unless it was so already. */
interface Toggle {
  /** Its method, and its path if that is another one. By default PUT for DELETE, and DELETE for all else. */
  readonly by?: string;
  readonly state?: StateCheck;
  /** Whether the write makes it so; by default, DELETE does not. */
  readonly adds?: boolean;
  readonly loses?: string;
  /** The body, if it is another one; undefined for none. */
  readonly body?: (past: PastWrite) => unknown;
}

/** Another write undoes it: by default, PUT and DELETE at the same path. */
export function undoToggle({ by, state = isThere(), adds, loses: lost, body }: Toggle = {}): Undo {
  const result = ({ method }: Pick<Write, "method">) => adds ?? method !== "DELETE";
  return undoState({
    state,
    result,
    request(past) {
      const [method = "", path] = (by ?? (result(past) ? "DELETE" : "PUT")).split(" ");
      return { method, path: past.at(path), ...(body && { body: body(past) }) };
    },
    loses: lost,
  });
}

/** The body of a write, for an opposite that takes the same. */
export function sameBody({ body }: PastWrite): unknown {
  return body;
}

/**
 * Names in lists of the body are added or removed, but for those that were so already. `lists`: the field of the record at
 * `at` that has them, by that of the body; `""`: it is a list of them. `by`: the method of the opposite.
 */
export function undoMembers(
  lists: Readonly<Record<string, string>>,
  { at, by = "DELETE" }: { readonly at?: string; readonly by?: string } = {},
): Undo {
  return undoState({
    /** The names of the body that are there. */
    async state({ body, at: pathAt }, read) {
      const place = pathAt(at);
      const record = Object.values(lists).includes("") ? await read.list(place) : await read.record(place);
      return itemsOf(body, (name, item) => {
        const items = lists[name] === "" ? record : fieldsOf(record)[lists[name] ?? ""];
        return listOf(items).some((one) => isName(nameOf(one), item));
      });
    },
    result: ({ method, body }) => itemsOf(body, () => method !== "DELETE"),
    request({ method, path, body, before }) {
      const had = (name: string, item: unknown) => listOf(fieldsOf(before)[name]).includes(item);
      return { method: by, path, body: itemsOf(body, (name, item) => had(name, item) === (method === "DELETE")) };
    },
  });
}

/** How writes are undone by REST: an edit by one with the fields as they were, PUT by DELETE. */
export const undoByMethod: Readonly<Partial<Record<string, Undo>>> = {
  PATCH: undoEdit(),
  PUT: undoToggle(),
  POST: notUndone(cannot.create),
  DELETE: notUndone(cannot.delete),
};

/** Nothing is at a path. */
export function isAbsent(path: string): Inverse["isAsLeft"] {
  return async (read) => (await read.record(path)) === undefined;
}

/** The record at a path has these fields. */
export function hasFields(path: string, fields: Fields): Inverse["isAsLeft"] {
  return async (read) => {
    const now = await read.record(path);
    return now !== undefined && Object.keys(fields).every((name) => isEqual(valueAt(now, name), fields[name]));
  };
}

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** A list, or the only list in a record: `{"topics": []}`; empty for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  const [only, ...more] = Object.values(fieldsOf(value));
  const found = more.length === 0 && Array.isArray(only) ? only : value;
  return Array.isArray(found) ? found : [];
}

/** All texts in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether the journal masks a value, or something in it. */
export function isMasked(value: unknown): boolean {
  return textsIn(value).some((text) => text.includes(masked));
}

/** A value with what the journal masks as another one has it; undefined for what that does not have. */
export function unmasked(value: unknown, now: unknown): unknown {
  if (!isMasked(value)) return value;
  if (typeof value === "string" || Array.isArray(value)) return now;
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([name, item]) => [name, unmasked(item, fieldsOf(now)[name])]),
  );
}

/** A field, or those of the object that it has, unless that is a record of its own. */
export function innerFields(field: string, ...records: readonly Fields[]): string[] {
  const values = records.map((record) => valueAt(record, field));
  const names = values.some(isRecord) ? [] : values.flatMap((value) => Object.keys(fieldsOf(value)));
  return names.length === 0 ? [field] : names.map((name) => `${field}.${name}`);
}

/** Whether a value is a record of its own: a user, a milestone. */
function isRecord(value: unknown): boolean {
  const { login, id } = fieldsOf(value);
  return (login ?? id) !== undefined;
}

/** The value that a request takes, of one in a record. */
function asRequested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asRequested);
  const { login, id } = fieldsOf(value);
  return login ?? id ?? value;
}

/** What a request empties a field by that is null in records, and ignored if it is null in a request. */
function emptyLike(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isRecord(value) ? 0 : null;
}

function picked(record: Fields, names: readonly string[]): Fields {
  const values = names.map((name) => [name, valueAt(record, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The fields of a record that others do not change by using it. */
function stable(record: Fields): Fields {
  const fixed = Object.entries(record).filter(
    ([name, value]) =>
      !/_at$|_issues$|^last_|url$/.test(name) &&
      (typeof value !== "object" || Array.isArray(value)) &&
      !isMasked(value) &&
      !textsIn(value).includes(cutMark),
  );
  return Object.fromEntries(fixed);
}

/** The fields of a record that another one has otherwise. */
function differences(old: Fields, now: unknown, names: readonly string[]): IgnoredField[] {
  return names
    .filter((name) => !isSame(old, now, name))
    .map((name) => ({ name, requested: valueAt(old, name), actual: valueAt(now, name) }));
}

/** Whether a field is the same in two records: no list is an empty one. */
function isSame(one: unknown, other: unknown, field: string): boolean {
  const [value, same] = [valueAt(one, field), valueAt(other, field)];
  const isList = Array.isArray(value) || Array.isArray(same);
  return isEqual(isList ? (value ?? []) : value, isList ? (same ?? []) : same);
}

function isEmpty(...values: readonly unknown[]): boolean {
  return values.every((value) => value == null || (Array.isArray(value) && value.length === 0));
}

/** Whether two values are the same, lists in any order; of records within them, only what identifies them counts. */
export function isEqual(one: unknown, other: unknown): boolean {
  return comparable(one) === comparable(other);
}

function comparable(value: unknown): string {
  if (Array.isArray(value)) return jsonText(value.map(comparable).toSorted());
  const fields = fieldsOf(value);
  const lists = Object.entries(fields);
  if (lists.length > 0 && lists.every(([, item]) => Array.isArray(item)))
    return jsonText(Object.fromEntries(lists.map(([name, item]) => [name, comparable(item)])));
  return jsonText(fields["login"] ?? fields["id"] ?? value ?? null);
}

/** The fields of a body that are lists, with those of their items that are kept. */
function itemsOf(
  body: unknown,
  keeps: (name: string, item: unknown) => boolean,
): Readonly<Record<string, readonly unknown[]>> {
  const lists = Object.entries(fieldsOf(body)).filter(([, value]) => Array.isArray(value));
  return Object.fromEntries(lists.map(([name, value]) => [name, listOf(value).filter((item) => keeps(name, item))]));
}

/** What a body names an item by: a user, a badge, an address, a team. */
function nameOf(item: unknown): unknown {
  const { login, Slug: badge, email, name } = fieldsOf(item);
  return login ?? badge ?? email ?? name ?? item;
}

/** Names are the same in upper and lower case. */
function isName(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}
