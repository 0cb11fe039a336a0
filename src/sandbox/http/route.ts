import type { IncomingHttpHeaders } from "node:http";
import type { AreaCallbacks, Site } from "../site.ts";
import type { TokenRecord, UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import type { Access, Unit } from "./access.ts";
import type { BodyOf, Form } from "./form.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * What a route requires, in the order of the checks. Below `/user` and `/admin`, the caller is checked before the
 * lookups. Required token scopes follow from the path, see scopes.ts.
 */
export interface Needs {
  /** `{username}` (a user or an organization) exists: `call.subject`. */
  readonly user?: true;
  /** `{org}` exists and is visible: `call.org`. */
  readonly org?: true;
  /** `{owner}/{repo}` exists and is visible, and this unit is readable: `call.repo`, `call.owner`, `call.access`. */
  readonly repo?: Unit | "any";
  /** An unreadable unit is 404 instead of 403. */
  readonly hidden?: true;
  /** The request is authenticated: `call.currentUser`. */
  readonly signedIn?: true;
  readonly siteAdmin?: true;
  /**
   * The caller is `{username}` or an administrator, authenticated with a password or with a token in basic
   * authentication.
   */
  readonly byPassword?: true;
  /** The access level required for the unit; `admin` and `owner` apply to the whole repository. */
  readonly right?: "write" | "admin" | "owner";
  readonly orgOwner?: true;
  /** The repository is not archived (423). */
  readonly unarchived?: true;
  /** The form of the body, validated: `call.body`. */
  readonly body?: Form;
  /** Token scopes are not checked. */
  readonly unscoped?: true;
  /** A GET request that writes. */
  readonly writes?: true;
}

/** The user a response is made for, and the base URLs in it. */
export interface View {
  readonly site: Site;
  /** The origin the request was sent to, used in `html_url` and `clone_url`. */
  readonly origin: string;
  readonly currentUser: UserRecord | undefined;
}

interface Base extends View {
  /** A table of the store. */
  readonly table: Site["table"];
  readonly method: string;
  /** The path below the API root, as sent. */
  readonly path: string;
  /** The full path, as sent. */
  readonly requestPath: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The token in the request, from any header or parameter. */
  readonly token: TokenRecord | undefined;
  readonly by: "nobody" | "token" | "password" | "basic token";
  readonly rawBody: Buffer;
  /** A path parameter, percent-decoded. */
  param(name: string): string;
  /** A path parameter as a number; 0 if it is not a number. */
  number(name: string): number;
  /** A query parameter as a boolean, parsed as Gitea does. */
  flag(name: string): boolean;
}

/** A request as a handler sees it, with what the route declared in `needs`. */
export type Call<N extends Needs = Record<never, never>> = Base &
  (N extends { readonly user: true } ? { readonly subject: UserRecord } : unknown) &
  (N extends { readonly org: true } ? { readonly org: UserRecord } : unknown) &
  (N extends { readonly repo: string } ? RepoPart : unknown) &
  (N extends { readonly signedIn: true } ? { readonly currentUser: UserRecord } : unknown) &
  (N extends { readonly body: Form } ? { readonly body: BodyOf<N["body"]> } : unknown);

/** The part of a call about its repository. */
export interface RepoPart {
  readonly repo: RepoRecord;
  readonly owner: UserRecord;
  readonly access: Access;
}

/** A call with everything a route may require. Routes see only what they declare. */
export type FullCall = Base & {
  subject?: UserRecord;
  org?: UserRecord;
  repo?: RepoRecord;
  owner?: UserRecord;
  access?: Access;
  body?: unknown;
};

/** A method, a path, its requirements and its handler. */
export interface Route {
  readonly method: Method;
  /** `{name}` matches one segment, `{name…}` the rest of the path including slashes. */
  readonly path: string;
  readonly needs: Needs;
  readonly handle: (call: FullCall) => Promise<Reply> | Reply;
}

/** A part of the API: its routes, and callbacks for events in other areas. */
export interface Area extends AreaCallbacks {
  readonly routes: readonly Route[];
  /** Routes outside `/api/v1`. */
  readonly pages?: readonly Route[];
}

type Handler<N extends Needs> = (call: Call<N>) => Promise<Reply> | Reply;

function route<const N extends Needs>(method: Method, path: string, needs: N, handler: Handler<N>): Route {
  // The pipeline sets what `needs` declares before it calls the handler; `Call` is the same in types.
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
