import type { Place } from "../state/records/actions.ts";
import type { TableName } from "../state/store.ts";
import type { BodyOf, Form } from "./form.ts";
import { type ListHeaders, listReply } from "./paging.ts";
import { empty, found, json } from "./reply.ts";
import { type Call, del, type FullCall, get, type Needs, patch, post, type Route } from "./route.ts";

/** What reading and writing the records of a collection require; deleting them, where that differs. */
interface Access<R extends Needs, W extends Needs> {
  readonly read: R;
  readonly write: W;
  readonly deleting?: Needs;
}

/** Records that are listed, read, created, edited and deleted alike. Operations that are left out do not exist. */
interface Collection<R extends Needs, W extends Needs, T, C extends Form, E extends Form> {
  /** The parameter of a record's path (default: `id`). */
  readonly parameter?: string;
  /** The headers of the list; `all`: it is not paged. */
  readonly headers?: ListHeaders | "all";
  readonly list?: (call: Call<R>) => readonly T[];
  /** The record of a path (default: the one of the list with this id). Throws 404. */
  readonly find?: (call: Call<R>) => T;
  readonly wire: (call: Call<R>, record: T) => unknown;
  readonly create?: readonly [form: C, make: (call: Call<W>, body: BodyOf<C>) => Promise<T> | T];
  readonly edit?: readonly [form: E, change: (call: Call<W>, record: T, body: BodyOf<E>) => Promise<T> | T];
  /** Called before a record is deleted (default: nothing); `kept`: records cannot be deleted. */
  readonly remove?: ((call: Call<W>, record: T) => void) | "kept";
}

/** The routes of a collection: `GET` and `POST` of its path; `GET`, `PATCH` and `DELETE` of a record's. */
export function collection<
  const R extends Needs,
  const W extends Needs,
  T extends { readonly id: number },
  const C extends Form,
  const E extends Form,
>(path: string, table: TableName, access: Access<R, W>, given: Collection<R, W, T, C, E>): Route[] {
  // The pipeline sets what the needs declare before it calls a handler; `Call` is the same in types.
  const { headers, list, wire, create, edit, remove, ...rest } = given as unknown as Collection<
    Needs,
    Needs,
    T,
    Form,
    Form
  >;
  const { parameter = "id" } = rest;
  const { read, write, deleting = write }: Access<Needs, Needs> = access;
  const one = `${path}/{${parameter}}`;
  const byId = (call: FullCall) => found(list?.(call).find(({ id }) => id === call.number(parameter)));
  const find = rest.find ?? byId;
  const routes = [get(one, read, async (call) => json(200, await wire(call, find(call))))];
  if (list !== undefined) {
    routes.push(
      get(path, read, (call) => {
        const show = (record: T) => wire(call, record);
        return headers === "all" ? json(200, list(call).map(show)) : listReply(call, list(call), show, headers);
      }),
    );
  }
  if (create !== undefined) {
    const [body, make] = create;
    const answer = async (call: Call<{ body: Form }>) => json(201, await wire(call, await make(call, call.body)));
    routes.push(post(path, { ...write, body }, answer));
  }
  if (edit !== undefined) {
    const [body, change] = edit;
    const answer = async (call: Call<{ body: Form }>) => {
      return json(200, await wire(call, await change(call, find(call), call.body)));
    };
    routes.push(patch(one, { ...write, body }, answer));
  }
  if (remove === "kept") return routes;
  const erase = (call: FullCall) => {
    const record = find(call);
    remove?.(call, record);
    call.table(table).delete(record.id);
    return empty(204);
  };
  return [...routes, del(one, deleting, erase)];
}

/** A level at which there are hooks, variables, secrets and runners. */
export interface Level {
  readonly path: string;
  readonly needs: Needs;
  place(call: FullCall): Place;
}

/** The levels of a repository, with these needs, of an organization and of the current user. */
export function levels(ofRepo: Needs): readonly Level[] {
  return [
    {
      path: "/repos/{owner}/{repo}",
      needs: ofRepo,
      place: ({ repo }) => ({ level: "repository", of: repo?.id ?? 0 }),
    },
    {
      path: "/orgs/{org}",
      needs: { org: true, signedIn: true, orgOwner: true },
      place: ({ org }) => ({ level: "owner", of: org?.id ?? 0 }),
    },
    {
      path: "/user",
      needs: { signedIn: true },
      place: ({ currentUser }) => ({ level: "owner", of: currentUser?.id ?? 0 }),
    },
  ];
}
