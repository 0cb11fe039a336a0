import type { IncomingHttpHeaders } from "node:http";
import type { AreaCallbacks, Site } from "../site.ts";
import type { TokenRecord, UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import type { Access, Unit } from "./access.ts";
import type { BodyOf, Form } from "./form.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * What must hold before a handler runs, in the order in which it is checked (below `/user` and `/admin` the caller
 * comes before the lookups). Scopes of tokens follow from the path, see scopes.ts.
 */
export interface Needs {
  /** `{username}` (a person or an organization) exists: `call.subject`. */
  readonly user?: true;
  /** `{org}` exists and is visible: `call.org`. */
  readonly org?: true;
  /** `{owner}/{repo}` exists and is visible, and this unit of it readable: `call.repo`, `call.owner`, `call.access`. */
  readonly repo?: Unit | "any";
  /** The unit, when unreadable, is 404 instead of 403. */
  readonly hidden?: true;
  /** Somebody is signed in: `call.currentUser`. */
  readonly signedIn?: true;
  readonly siteAdmin?: true;
  /** The caller is `{username}` or an administrator, and says so with a password (or a token in its place). */
  readonly byPassword?: true;
  /** The caller's right in the repository's unit; `admin` and `owner` are of the whole repository. */
  readonly right?: "write" | "admin" | "owner";
  readonly orgOwner?: true;
  /** The repository is not archived: 423. */
  readonly unarchived?: true;
  /** The body, checked: `call.body`. */
  readonly body?: Form;
  /** The scopes of a token do not matter. */
  readonly unscoped?: true;
  /** A GET that changes something. */
  readonly writes?: true;
}

/** Who asks, and where answers point to. */
export interface View {
  readonly site: Site;
  /** The address that the request was sent to (`html_url`, `clone_url`). */
  readonly origin: string;
  readonly currentUser: UserRecord | undefined;
}

interface Base extends View {
  readonly method: string;
  /** The path below the API root, as it was sent. */
  readonly path: string;
  /** The whole path, as it was sent. */
  readonly requestPath: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The token that was presented, wherever it was. */
  readonly token: TokenRecord | undefined;
  readonly by: "nobody" | "token" | "password" | "basic token";
  readonly rawBody: Buffer;
  /** A parameter of the path, percent-decoded. */
  param(name: string): string;
  /** A parameter of the path as a number, 0 when it is none. */
  number(name: string): number;
  /** A query parameter as a boolean, as the servers read them. */
  flag(name: string): boolean;
}

export type Call<N extends Needs = Record<never, never>> = Base &
  (N extends { readonly user: true } ? { readonly subject: UserRecord } : unknown) &
  (N extends { readonly org: true } ? { readonly org: UserRecord } : unknown) &
  (N extends { readonly repo: string } ? RepoPart : unknown) &
  (N extends { readonly signedIn: true } ? { readonly currentUser: UserRecord } : unknown) &
  (N extends { readonly body: Form } ? { readonly body: BodyOf<N["body"]> } : unknown);

export interface RepoPart {
  readonly repo: RepoRecord;
  readonly owner: UserRecord;
  readonly access: Access;
}

/** A call whose every need was met; routes see the part that they asked for. */
export type FullCall = Base & {
  subject?: UserRecord;
  org?: UserRecord;
  repo?: RepoRecord;
  owner?: UserRecord;
  access?: Access;
  body?: unknown;
};

export interface Route {
  readonly method: Method;
  /** `{name}` is one segment, `{name…}` the rest of the path, slashes included. */
  readonly path: string;
  readonly needs: Needs;
  readonly handle: (call: FullCall) => Promise<Reply> | Reply;
}

/** A part of the API: its routes, and what it does when something happens in another area. */
export interface Area extends AreaCallbacks {
  readonly routes: readonly Route[];
  /** Routes outside of `/api/v1`. */
  readonly pages?: readonly Route[];
}

type Handler<N extends Needs> = (call: Call<N>) => Promise<Reply> | Reply;

function route<const N extends Needs>(method: Method, path: string, needs: N, handler: Handler<N>): Route {
  // The pipeline fills in what `needs` names before it calls; the types say the same, once, in `Call`.
  return { method, path, needs, handle: handler as unknown as Route["handle"] };
}

export const get = <const N extends Needs>(path: string, needs: N, handler: Handler<N>) =>
  route("GET", path, needs, handler);
export const post = <const N extends Needs>(path: string, needs: N, handler: Handler<N>) =>
  route("POST", path, needs, handler);
export const put = <const N extends Needs>(path: string, needs: N, handler: Handler<N>) =>
  route("PUT", path, needs, handler);
export const patch = <const N extends Needs>(path: string, needs: N, handler: Handler<N>) =>
  route("PATCH", path, needs, handler);
export const del = <const N extends Needs>(path: string, needs: N, handler: Handler<N>) =>
  route("DELETE", path, needs, handler);
