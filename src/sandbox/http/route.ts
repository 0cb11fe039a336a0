import type { IncomingHttpHeaders } from "node:http";
import { factsAt } from "../../forge/facts.ts";
import type { FieldFacts } from "../../forge/generated/facts.ts";
import type { Operations } from "../../forge/generated/operations.ts";
import type { Since } from "../../forge/generated/since.ts";
import { type LevelName, levelPaths } from "../../forge/level.ts";
import type { Operation } from "../../forge/operation.ts";
import type { Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { Place } from "../state/records/actions.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import type { Access, Unit } from "./access.ts";
import type { Caller } from "./caller.ts";
import type { Rules, Sent } from "./form.ts";
import type { Answer } from "./reply.ts";

/**
 * What a route requires, in the order of the checks. Below `/user` and `/admin`, the caller is checked before the
 * lookups. Required token scopes follow from the path, see scopes.ts.
 */
export interface Needs {
  /** `{username}` (a user or an organization), in packages `{owner}`, exists: `call.subject`. */
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
  readonly orgMember?: true;
  readonly orgOwner?: true;
  /** The repository is not archived (423). */
  readonly unarchived?: true;
  /** What the fields of the body must be, beyond what the facts of the operation say. */
  readonly body?: Rules;
  /** What each level of an operation requires that exists at several: `call.place`. It is served at these levels. */
  readonly levels?: Levels;
  /** Not atomic: changes that the handler made before a refusal are kept. */
  readonly partial?: true;
  /** Token scopes are not checked. */
  readonly unscoped?: true;
  /** The last parameter, below a repository, can also be sent unescaped, as several segments. */
  readonly slashes?: true;
}

/** The user a response is made for, and the base URLs in it. */
export interface View {
  readonly site: Site;
  /** The origin the request was sent to, used in `html_url` and `clone_url`. */
  readonly origin: string;
  readonly currentUser: UserRecord | undefined;
}

interface Base extends View, Caller {
  /** A table of the store. */
  readonly table: Site["table"];
  readonly method: string;
  /** The path below the API root, and the full path, as sent. */
  readonly path: string;
  readonly requestPath: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** A path parameter, percent-decoded. */
  param(name: string): string;
  /** A path parameter as a number; 0 if it is not a number. */
  number(name: string): number;
  /** A query parameter as a boolean, parsed as Gitea does. */
  flag(name: string): boolean;
  /** Whether one of the texts has the `q` of the query, in any case. */
  matches(...texts: readonly string[]): boolean;
}

/** A request as a handler sees it, with what the route declared in `needs`, and the body of the operation. */
export type Call<N extends Needs = Record<never, never>, O = undefined> = Base &
  (N extends { readonly user: true } ? { readonly subject: UserRecord } : unknown) &
  (N extends { readonly org: true } ? { readonly org: UserRecord } : unknown) &
  (N extends { readonly repo: string } ? RepoPart : unknown) &
  (N extends { readonly signedIn: true } ? { readonly currentUser: UserRecord } : unknown) &
  (N extends { readonly levels: Levels } ? { readonly place: Place } : unknown) &
  (BodyOf<O> extends undefined ? unknown : { readonly body: BodyOf<O> });

/** The part of a call about its repository. */
export interface RepoPart {
  readonly repo: RepoRecord;
  readonly owner: UserRecord;
  readonly access: Access;
}

/** A call with everything a route may require. Routes see only what they declare. */
export type FullCall = Base & { subject?: UserRecord; org?: UserRecord; place?: Place; body?: unknown } & {
  -readonly [K in keyof RepoPart]?: RepoPart[K];
};

/** What each level of an operation requires. */
export type Levels = Readonly<Partial<Record<LevelName, Needs>>>;

/** The levels of a repository, with these needs, of an organization, which its owners use, and of the current user. */
export function ownLevels(repository: Needs) {
  return { repository, organization: { org: true, signedIn: true, orgOwner: true }, user: { signedIn: true } } as const;
}

/** An operation as it is served, at one of its levels: its requirements and its handler. */
export interface Route {
  readonly method: string;
  /** `{name}` matches one segment. */
  readonly path: string;
  /** The last parameter also matches several segments. */
  readonly slashes: boolean;
  /** Outside `/api/v1`. */
  readonly web: boolean;
  readonly level: LevelName | undefined;
  /** The record of the body. */
  readonly body: string | undefined;
  readonly needs: Needs;
  readonly handle: (call: FullCall) => Promise<Answer> | Answer;
  /** The releases that have it. */
  readonly since: Since;
  /** Its query parameters, as far as the facts know them. */
  readonly query: Readonly<Record<string, FieldFacts>>;
}

/** The routes of a part of the API. */
export type Area = readonly (readonly Route[])[];

/** An operation that takes this body. */
export type Served<B = undefined> = { readonly method: string; readonly since?: Since } & Pick<
  Operation<never, B>,
  "path" | "levels" | "slashes" | "web" | "types"
>;

/** The body that an operation takes, checked. */
export type BodyOf<O> = O extends Served<infer B> ? Sent<B> : undefined;

type OtherBody<K> = K extends keyof Operations ? (Operations[K] extends { body: infer B } ? B : undefined) : undefined;

/** An operation that src/forge does not have, because no command sends it: recordings and tests do. */
export function other<K extends string>(key: K): Served<OtherBody<K>> {
  const [method = "", path = ""] = key.split(" ");
  return { method, path, levels: [] };
}

/** A page outside of the API, for browsers, runners and tests. */
export const page = (key: string): Served => ({ ...other(key), web: true });

/** Serves an operation, at each level that `needs` names. */
export function route<O extends Served<never>, const N extends Needs>(
  operation: O,
  needs: N,
  handler: (call: Call<N, NoInfer<O>>) => Promise<Answer> | Promise<void> | Answer | void,
): readonly Route[] {
  const { levels, ...shared }: Needs = needs;
  const { method, web = false } = operation;
  // The pipeline sets what `needs` declares before it calls the handler; `Call` is the same in types.
  const handle = handler as unknown as Route["handle"];
  const at = (path: string, needs: Needs, level?: LevelName): Route => {
    const slashes = (operation.slashes ?? needs.slashes ?? false) && !/\{repo\}[^{]*$/.test(path);
    const facts = factsAt(method, path);
    const known = { body: facts?.body, since: operation.since ?? facts ?? {}, query: facts?.query ?? {} };
    return { method, path, slashes, web, level, needs, handle, ...known };
  };
  if (levels === undefined) return [at(operation.path, shared)];
  return operation.levels.flatMap((level) => {
    const path = operation.path.replace("{level}", levelPaths[level]);
    return levels[level] === undefined ? [] : [at(path, { ...shared, ...levels[level] }, level)];
  });
}

/**
 * The full name and the URLs of a repository: `api` below the configured root, `web` below the origin of the request.
 */
export function pathOf({ site, origin }: Pick<View, "site" | "origin">, repo: RepoRecord) {
  const owner = site.table("users").get(repo.ownerId)?.name ?? "";
  const full = `${owner}/${repo.name}`;
  return { full, api: `${site.root}/api/v1/repos/${full}`, web: `${origin}/${full}` };
}
