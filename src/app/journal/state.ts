import { type MatchedOperation, operationAt, pathOf } from "../../forge/all-operations.ts";
import { valueAt } from "../../forge/applied.ts";
import { listPast, readPast } from "../../forge/past-writes.ts";
import { currentUserPath, userPath } from "../../forge/read-paths.ts";
import type { Opposite, Undo } from "../../forge/undo.ts";
import type { Http } from "../../http/client.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const api = "/api/v1";

/** A write that an operation sends. */
export interface Write {
  readonly sent: MatchedOperation;
  /** How it is undone. */
  readonly undo: Exclude<Undo, string>;
  /** Without its query. */
  readonly path: string;
  readonly body: unknown;
}

/** The write that a request is, or why it cannot be undone. */
export function writeOf(method: string, target: string, body: unknown): Write | string {
  const path = target.replace(/\?.*$/s, "");
  const sent = operationAt(method, path.replace(api, ""));
  const undo = sent?.operation.undo;
  if (sent === undefined || undo === undefined) return "this kind of write cannot be undone";
  if (typeof undo === "string") return undo;
  const { only } = undo.by === "opposite" ? undo : {};
  return only !== undefined && fieldsOf(body)[only.field] !== true ? only.otherwise : { sent, undo, path, body };
}

/** Reads what a write changes: from the server, or from what a command knows. */
export interface Reader {
  /** A value, null for an answer without content, or undefined if nothing is there. */
  record(path: string): Promise<unknown>;
  list(path: string): Promise<readonly unknown[]>;
  /** The name of the user who is signed in. */
  user(): Promise<string>;
}

/** Reads from the server, except what `known` has by its path. */
export function readerOf(http: Http, user: string | null, known: ReadonlyMap<string, unknown> = new Map()): Reader {
  const record = async (path: string) => (known.has(path) ? known.get(path) : readPast(http, path));
  return {
    record,
    list: (path) => listPast(http, path),
    user: async () => user ?? String(fieldsOf(await record(currentUserPath))["login"]),
  };
}

/**
 * What is there as the undo of a write needs it: the record or the list that it changes, or null; of `opposite`, whether
 * it is so, or what of the fields of the body is there. Undefined: nothing has to be known.
 */
export async function stateOf(write: Write, read: Reader): Promise<unknown> {
  const { sent, undo, path } = write;
  if (undo.by === "delete" || undo.by === "rename") return undefined;
  if (undo.by === "opposite") return stateOfOpposite(write, undo, read);
  if (undo.by === "replace") return read.list(path);
  // What anyone may do there is also the permission of one who is no collaborator.
  if (undo.by === "collaborator" && (await read.record(path)) === undefined) return null;
  const at = "at" in undo && undo.at !== undefined ? api + pathOf(sent, {}, undo.at) : path;
  return (await read.record(undo.by === "collaborator" ? `${path}/permission` : at)) ?? null;
}

/** Whether a write that cannot be undone finds it so already, if its operation says what shows that. */
export async function isSoAlready(method: string, target: string, read: Reader): Promise<boolean> {
  const path = target.replace(/\?.*$/s, "");
  const sent = operationAt(method, path.replace(api, ""));
  if (sent?.operation.shows === undefined) return false;
  const undo = { by: "opposite", shows: sent.operation.shows } as const;
  return (await stateOfOpposite({ sent, undo, path, body: null }, undo, read)) === (method !== "DELETE");
}

/** What a write that cannot be undone replaces, if its operation says so; null if there is nothing. */
export async function replacedBy(method: string, target: string, body: unknown, read: Reader): Promise<unknown> {
  const sent = operationAt(method, target.replace(/\?.*$/s, "").replace(api, ""));
  const { replaces } = sent?.operation ?? {};
  const fields = Object.entries(fieldsOf(body)).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  if (sent === undefined || replaces === undefined) return undefined;
  if (replaces.by !== undefined && fieldsOf(body)[replaces.by] !== true) return undefined;
  return (await read.record(api + pathOf(sent, Object.fromEntries(fields), replaces.at))) ?? null;
}

/** Why a write cannot be undone, where its body, or what it replaces, tells more than its operation. */
export function whyNot(method: string, target: string, body: unknown, before: unknown): string | undefined {
  const { operation } = operationAt(method, target.replace(/\?.*$/s, "").replace(api, "")) ?? {};
  return operation?.replaces?.why(before) ?? operation?.whyNot?.(fieldsOf(body));
}

/** Whether what an `opposite` sets is so, or what of the fields of the body is there. */
export async function stateOfOpposite(write: Write, { shows = {} }: Opposite, read: Reader): Promise<boolean | Fields> {
  const { sent, path, body } = write;
  const { at, field, is, holds, item, items } = shows;
  const place = at === undefined ? path : api + pathOf(sent, {}, at);
  if (item !== undefined) {
    const found = field === undefined ? await read.list(place) : listOf(fieldsOf(await read.record(place))[field]);
    const names = await Promise.all(Object.entries(item).map(async ([key, source]) => [key, await wanted(source)]));
    return found.some((one) => names.every(([key, value]) => isSame(valueAt(one, String(key)), value)));
  }
  if (items !== undefined) {
    const record = Object.values(items).includes("") ? await read.list(place) : await read.record(place);
    return itemsOf(body, (name, value) => {
      const there = listOf(items[name] === "" ? record : fieldsOf(record)[items[name] ?? ""]).map(nameOf);
      return there.some((one) => isSame(one, value));
    });
  }
  const now = await read.record(place);
  if (holds !== undefined) return holds(fieldsOf(now));
  if (field === undefined) return now !== undefined;
  const value = fieldsOf(now)[field];
  return is === undefined ? Boolean(value) : value === is;

  async function wanted(source: string): Promise<unknown> {
    if (source === "@user") return read.user();
    if (source === "@id") return fieldsOf(await read.record(api + pathOf(sent, {}, userPath)))["id"];
    return source.startsWith("{") ? sent.parameters.get(source.slice(1, -1)) : fieldsOf(body)[source];
  }
}

/** The fields of a body that are lists, with those of their items that are kept. */
export function itemsOf(body: unknown, keeps: (name: string, value: unknown) => boolean): Fields {
  const lists = Object.entries(fieldsOf(body)).filter(([, value]) => Array.isArray(value));
  return Object.fromEntries(lists.map(([name, value]) => [name, listOf(value).filter((one) => keeps(name, one))]));
}

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A list, or the only list in a record: `{"topics": []}`; empty for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  const [only, ...more] = Object.values(fieldsOf(value));
  const found = more.length === 0 && Array.isArray(only) ? only : value;
  return Array.isArray(found) ? found : [];
}

/** What a body names an item by: a user, a badge, an address, a team. */
function nameOf(item: unknown): unknown {
  const { login, Slug: badge, email, name } = fieldsOf(item);
  return login ?? badge ?? email ?? name ?? item;
}

/** Names are the same in upper and lower case. */
function isSame(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}
