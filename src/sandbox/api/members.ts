import { type Answer, notFound } from "../http/reply.ts";
import { type Call, type Needs, type Route, route, type Served } from "../http/route.ts";
import { userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { Table } from "../state/store.ts";

/** Whether something is in a set, and how it gets in or out. */
interface Membership {
  readonly has: boolean;
  readonly set: (isIn: boolean) => unknown;
}

/** The membership that a record of a table is. */
export function presence<R>(table: Table<R>, key: string, record: R): Membership {
  return {
    has: table.get(key) !== undefined,
    set: (isIn) => (isIn ? table.put(record) : table.delete(key)),
  };
}

/** A list of ids with one in it, as the last, or without it. */
export const toggled = (list: readonly number[], id: number, isIn: boolean): number[] => [
  ...list.filter((one) => one !== id),
  ...(isIn ? [id] : []),
];

/** The operations of a set: whether something is in it (204 or 404), putting it in, and taking it out. */
export function membership<const N extends Needs, const W extends N>(
  reading: N,
  writing: W,
  of: (call: Call<N>) => Membership,
  { check, add, remove }: { readonly check?: Served; readonly add?: Served; readonly remove?: Served },
  /** What a check shows (default: nothing, 204), and where it `tells`, putting something in. */
  shows?: (call: Call<N>) => Answer,
  tells = false,
): readonly Route[] {
  // The pipeline sets what the needs declare, and writing needs what reading does.
  const at = of as (call: Call) => Membership;
  const show = shows as undefined | ((call: Call) => Answer);
  const setting = (isIn: boolean) => (call: Call) => {
    at(call).set(isIn);
    return isIn && tells ? show?.(call) : undefined;
  };
  const is = (call: Call) => (at(call).has ? show?.(call) : notFound());
  return [
    ...(check === undefined ? [] : route(check, reading as Needs, is)),
    ...(add === undefined ? [] : route(add, writing as Needs, setting(true))),
    ...(remove === undefined ? [] : route(remove, writing as Needs, setting(false))),
  ];
}

/** The users with these ids. */
export const usersOf = ({ table }: Pick<Call, "table">, ids: readonly number[]): UserRecord[] =>
  ids.flatMap((id) => table("users").get(id) ?? []);

/** The user of a parameter. Throws 404, with the words of some operations. */
export function namedUser(call: Call, parameter: string, words?: "redirect"): UserRecord {
  const name = call.param(parameter);
  const missing = words && `user redirect does not exist [name: ${name}]`;
  return userNamed(call.site.store, name) ?? notFound(missing);
}
