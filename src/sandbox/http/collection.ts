import type { TableName } from "../state/store.ts";
import type { Sent } from "./form.ts";
import { type ListHeaders, listReply } from "./paging.ts";
import { type Answer, found, json, listed } from "./reply.ts";
import { type Call, type FullCall, type Needs, type Route, route, type Served } from "./route.ts";

/** What reading and writing the records of a collection require; deleting them, where that differs. */
interface Access<R extends Needs, W extends Needs> {
  readonly read: R;
  readonly write: W;
  readonly deleting?: Needs;
}

/** The operations of records that are listed, read, created, edited and deleted alike. */
interface Collection<R extends Needs, W extends Needs, T, C, E> {
  readonly table: TableName;
  readonly needs: Access<R, W>;
  readonly get?: Served;
  readonly list?: readonly [operation: Served, records: (call: Call<R>) => readonly T[]];
  readonly create?: readonly [operation: Served<C>, make: (call: Call<W>, body: Sent<C>) => Promise<T> | T];
  readonly edit?: readonly [operation: Served<E>, change: (call: Call<W>, record: T, body: Sent<E>) => Promise<T> | T];
  /** The status of an edit (default: 200). */
  readonly edited?: 201;
  /** Called before a record is deleted (default: nothing). */
  readonly remove?: readonly [operation: Served, before?: (call: Call<W>, record: T) => unknown];
  /** The headers of the list; `all`: it is not paged. */
  readonly headers?: ListHeaders | "all";
  /** The record of a path (default: the one of the list whose id is its last parameter). Throws 404. */
  readonly find?: (call: Call<R>) => T;
  readonly serialize: (call: Call<R>, record: T) => unknown;
}

/** The routes of the records of a table. */
export function collection<const R extends Needs, const W extends Needs, T extends { readonly id: number }, C, E>(
  given: Collection<R, W, T, C, E>,
): readonly Route[] {
  // The pipeline sets what the needs declare before it calls a handler; `Call` is the same in types.
  type Plain = Collection<Needs, Needs, T, unknown, unknown>;
  const {
    needs,
    headers,
    get,
    list,
    serialize,
    create,
    edit,
    edited = 200,
    remove,
    ...rest
  } = given as unknown as Plain;
  const { read, write, deleting = write } = needs;
  const parameter = /\{(\w+)\}$/.exec((get ?? remove?.[0] ?? edit?.[0])?.path ?? "")?.[1] ?? "id";
  const byId = (call: FullCall) => found(list?.[1](call).find(({ id }) => id === call.number(parameter)));
  const find = rest.find ?? byId;
  const shown = async (call: FullCall, record: T | Promise<T>) => (await serialize(call, await record)) as Answer;
  const routes = [
    get && route(get, read, (call) => shown(call, find(call))),
    list &&
      route(list[0], read, (call) =>
        headers === "all" ? listed(call, list[1](call), serialize) : listReply(call, list[1](call), serialize, headers),
      ),
    create && route(create[0], write, (call: FullCall) => shown(call, create[1](call, call.body as object))),
    edit &&
      route(edit[0], write, async (call: FullCall) =>
        json(edited, await shown(call, edit[1](call, find(call), call.body as object))),
      ),
    remove &&
      route(remove[0], deleting, (call) => {
        const record = find(call);
        remove[1]?.(call, record);
        call.table(rest.table).delete(record.id);
      }),
  ];
  return routes.flatMap((one) => one ?? []);
}
