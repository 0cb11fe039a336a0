import { noteIgnored } from "../failure/ignored.ts";
import { type Answer, type Answered, json, nothing } from "../http/answers.ts";
import type { CallOptions, Http } from "../http/client.ts";
import type { Listing, PageCall } from "../http/pages.ts";
import { type Path, pathSegment, type Query, wildcardSegments } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { isObject, type Shape } from "../shape/shape.ts";
import { type Applied, ignoredFields } from "./applied.ts";
import type { Operations } from "./generated/operations.ts";
import { type Level, type LevelName, levelPaths } from "./level.ts";
import { missingAt } from "./missing-records.ts";
import { notUndone, type Undo, undoByMethod } from "./undo.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What an operation does to the server. */
export type Effect = "read" | "write" | "destroy";

/**
 * An operation of the API: all that is known of it. Since which release it and its fields exist, and what its query and
 * body are, is in src/forge/generated, by method and path.
 */
export interface Operation<P = never, B = never, R = unknown> extends OperationSettings {
  readonly method: Method;
  /** Below /api/v1, with `{name}` for each parameter; it can begin with `{level}`. */
  readonly path: string;
  readonly levels: readonly LevelName[];
  readonly answers: Shape<unknown> | Answer<unknown> | Pages<unknown>;
  readonly effect: Effect;
  /** Carries the types of a call only; never set. */
  readonly types?: (parameters: P, body: B) => R;
}

/** What is said of an operation besides its method, path and answer. */
export interface OperationSettings {
  /** The last parameter keeps its slashes; said only of what `keepsSlashes` does not know. */
  readonly slashes?: boolean;
  /** The path is one of the web pages, outside the API. */
  readonly web?: boolean;
  /** It is the container registry's: below the root of the host, and the token is a password there. */
  readonly registry?: boolean;
  /** Anybody gets the same answer. */
  readonly open?: boolean;
  /** What does not exist if the server answers 404, if not as its path says (`missingAt`): `Label {id}`. */
  readonly missing?: string | undefined;
  /** The unit of a repository that it belongs to: it is also missing where the unit is turned off. */
  readonly unit?: "Issues" | "Pull requests" | "Wiki pages" | "Releases";
  /** How a write is undone, if not as its method says (`undoByMethod`). */
  readonly undo?: Undo;
  /** Of a list: reads what it belongs to. Sent if the list is empty, which it also is for an account that cannot be seen. */
  readonly belongsTo?: Operation;
  /**
   * Of a POST: after a lost answer, a record with the fields that were sent is looked for in the list at its path, where it is a
   * creation; `since`: the field with the time of that, which tells it from others that have the same fields. Without `since`,
   * it is the record at its path.
   */
  readonly arrives?: { readonly since?: string };
  /** Fields of its body that a server must know: one that ignored them would do more than was asked for. */
  readonly strict?: readonly string[];
  /** How its answer shows which fields of the body the server applied. */
  readonly applied?: Applied<never>;
}

/** The answer of an operation that lists records page by page. */
export interface Pages<T> extends Omit<PageCall<T>, "query" | "operation"> {
  readonly kind: "pages";
}

/** A list of records, all checked against a shape; their id is unique, if not another field is said to be. */
export function pagesOf<T>(items: Shape<T>, options: Omit<PageCall<T>, "items" | "query"> = {}): Pages<T> {
  return { kind: "pages", items, ...(items.fields?.id && { unique: "id" }), ...options };
}

type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type PathNames<P extends string> = P extends `${infer Before}{owner}/{repo}${infer After}`
  ? Names<`${Before}${After}`>
  : Names<P>;
type PathParameters<P extends string, L extends LevelName> = {
  readonly [N in Exclude<PathNames<P>, "level">]: string | number;
} & (P extends `${string}{owner}/{repo}${string}` ? { readonly repo: RepoName } : unknown) &
  (P extends `{level}${string}` ? { readonly level: Extract<Level, { readonly of: L }> } : unknown);
type Key<M extends Method, P extends string, L extends LevelName> = P extends `{level}${infer Rest}`
  ? `${M} ${(typeof levelPaths)[L]}${Rest}`
  : `${M} ${P}`;
type Facts<K> = K extends keyof Operations ? Operations[K] : { query: Record<never, never> };
type ReadonlyQuery<K> = { readonly [N in keyof Facts<K>["query"]]: Facts<K>["query"][N] };
type CallParameters<M extends Method, P extends string, L extends LevelName> = PathParameters<P, L> &
  ReadonlyQuery<Key<M, P, L>>;
type BodyOf<K> = Facts<K> extends { body: infer B } ? B : undefined;
type Result<A> =
  A extends Pages<infer T>
    ? Listing<T>
    : A extends Answer<infer T>
      ? Promise<T>
      : A extends Shape<infer T>
        ? Promise<T>
        : never;

/** What the fields of a body are compared with: the record that is the answer, or what is read after it. */
type Compared<A> = A extends Shape<infer T> ? T : unknown;
type FieldsOf<B> = B extends object ? keyof B & string : never;

/** The paths whose last parameter keeps its slashes: the path of a file, or the name of a branch. */
const keepsSlashes = /\/(?:\{(?:archive|basehead|filepath|manifest)\}|branches\/\{branch\})$/;

/**
 * Declares an operation. The types of its parameters, query and body come from its method and path. It answers nothing if
 * not said otherwise.
 */
export function operation<
  M extends Method,
  const P extends string,
  A extends Shape<unknown> | Answer<unknown> | Pages<unknown> = Answer<undefined>,
  const L extends LevelName = LevelName,
>(
  method: M,
  path: P,
  said: Omit<OperationSettings, "applied" | "undo"> & {
    /** How a write is undone, or why it cannot be. */
    readonly undo?: Undo | string;
    readonly answers?: A;
    readonly effect?: Effect;
    readonly levels?: readonly L[];
    readonly applied?: Applied<Compared<A>, FieldsOf<BodyOf<Key<M, P, L>>>>;
  } = {},
): Operation<CallParameters<M, P, L>, BodyOf<Key<M, P, L>>, Result<A>> {
  const effect = method === "GET" ? "read" : method === "DELETE" ? "destroy" : "write";
  const byMethod = said.effect === "read" ? undefined : undoByMethod[method];
  const undo = typeof said.undo === "string" ? notUndone(said.undo) : (said.undo ?? byMethod);
  return {
    answers: nothing,
    effect,
    levels: [],
    missing: missingAt(path),
    ...(keepsSlashes.test(path) && { slashes: true }),
    ...(said as object),
    ...(undo && { undo }),
    method,
    path,
  };
}

/** The query of an operation: those of its parameters that can be left out. */
export type QueryOf<O> = O extends { readonly types?: (parameters: infer P, body: never) => unknown }
  ? { readonly [N in keyof P as undefined extends P[N] ? N : never]: P[N] }
  : never;

/** The record that an operation answers with. */
export type AnswerOf<O> = O extends { readonly types?: (...given: never[]) => Promise<infer T> } ? T : never;

/** What a call can have besides parameters and body. */
export type CallExtras = Pick<CallOptions<unknown>, "headers" | "raw" | "timeout" | "beforeRedirect">;

/**
 * Sends an operation. `parameters` are those of its path (`repo` for `{owner}/{repo}`, `level` for `{level}`) and of its
 * query; undefined ones are left out. Rejects with what the HTTP layer throws, and with a usage error for a name that cannot
 * stand in a path; a list does so when it is read.
 */
export function call<P, B, R>(
  http: Http,
  operation: Operation<P, B, R>,
  parameters: NoInfer<P>,
  body?: NoInfer<B>,
  extras?: CallExtras,
): R;
export function call(http: Http, operation: Operation, parameters: unknown, body?: unknown, extras: CallExtras = {}) {
  const { answers } = operation;
  if (!isPages(answers)) return respondTo(http, operation, parameters, body, extras).then(({ value }) => value);
  try {
    const { path, ...request } = requestOf(operation, parameters as ParameterValues);
    const { belongsTo } = operation;
    const { org, username } = parameters as ParameterValues;
    const whenEmpty = belongsTo && (() => respondTo(http, belongsTo, { org, username }, undefined));
    return http.list(path, { ...answers, ...request, ...extras, ...(whenEmpty && { whenEmpty }) });
  } catch (error) {
    // Thrown when it is read, as the others reject: whoever calls several at once waits for all of them.
    const failed: Listing<unknown> = {
      async *take() {
        yield* await Promise.reject<never[]>(error);
      },
      total: undefined,
    };
    return failed;
  }
}

/** The strict fields that a body has. */
function strictFields({ strict = [] }: Operation, body: unknown): readonly string[] {
  const given = Object.entries((body ?? {}) as object).filter(([, value]) => value !== undefined);
  return strict.filter((field) => given.some(([name]) => name === field));
}

/** Sends an operation as `call` does; returns the status and the headers with the value. */
export function respond<P, B, T>(
  http: Http,
  operation: Operation<P, B, Promise<T>>,
  parameters: NoInfer<P>,
  body?: NoInfer<B>,
  extras?: CallExtras,
): Promise<Answered<T>>;
export function respond(http: Http, operation: Operation, parameters: unknown, body?: unknown, extras?: CallExtras) {
  return respondTo(http, operation, parameters, body, extras);
}

/** The record that an operation answers with; undefined if it does not exist, which is then not explained. */
export async function find<P, B, T>(
  http: Http,
  operation: Operation<P, B, Promise<T>>,
  parameters: NoInfer<P>,
): Promise<T | undefined> {
  const { path, ...request } = requestOf(operation, parameters as ParameterValues);
  const answers = { ...(asAnswer(operation.answers) as Answer<T>), optional: true } as const;
  return (await http.send<T | undefined>(operation.method, path, { ...request, answers })).value;
}

/** Sends an operation that is no list, and notes the fields of its body that the server did not apply. */
async function respondTo(http: Http, operation: Operation, parameters: unknown, body: unknown, extras?: CallExtras) {
  const { path, ...request } = requestOf(operation, parameters as ParameterValues);
  const strict = strictFields(operation, body);
  const { after } = operation.applied ?? {};
  const given = new Map(Object.entries((body ?? {}) as object));
  let read: object | undefined;
  // What is there afterwards, not what the server repeats.
  const settle = async (answer: unknown) => {
    read = await after?.read(http, parameters as never, body as never);
    return isObject(answer) && read !== undefined ? { ...answer, ...read } : answer;
  };
  const isRead = after?.fields.some((name) => (given.get(name) ?? "") !== "") === true;
  const options = {
    ...request,
    answers: asAnswer(operation.answers),
    body,
    strict,
    ...(isRead && { settle }),
    ...extras,
  };
  const answered = await http.send(operation.method, path, options);
  const record = isObject(answered.value) ? answered.value : read;
  if (operation.effect === "write" && body != null && record !== undefined) noteApplied(operation, body, record);
  return answered;
}

/** Notes the fields that the server did not apply. */
function noteApplied({ applied = {} }: Operation, body: object, record: object): void {
  const { hint } = applied;
  const ignored = ignoredFields(body, record, applied as Applied<unknown>);
  if (ignored.length > 0) noteIgnored(ignored, typeof hint === "function" ? hint(ignored, record as never) : hint);
}

type ParameterValues = Readonly<Record<string, unknown>>;

interface Request {
  readonly path: Path;
  readonly query: Query;
  /** The method and the path with the names of its parameters. */
  readonly operation: string;
  readonly open: boolean | undefined;
  readonly registry: boolean | undefined;
}

/** The path and the query of a call. */
function requestOf(operation: Operation, parameters: ParameterValues): Request {
  const { level, ...given } = parameters;
  const values = new Map(Object.entries({ ...given, ...(level as object) }));
  values.delete("of");
  const repo = values.get("repo");
  if (isRepo(repo)) values.set("owner", repo.owner).set("repo", repo.name);
  const template = pathAt(operation, level as Level | undefined);
  const names = template.match(/\{[^}]+\}/g) ?? [];
  const path = names.reduce((built, place, index) => {
    const name = place.slice(1, -1);
    const value = String(values.get(name));
    values.delete(name);
    const encode = operation.slashes && index === names.length - 1 ? wildcardSegments : pathSegment;
    return built.replace(place, () => encode(value));
  }, template);
  return {
    path: (operation.web ? `/${path}` : path) as Path,
    query: Object.fromEntries(values) as Query,
    operation: `${operation.method} ${template}`,
    open: operation.open,
    registry: operation.registry,
  };
}

function pathAt({ path }: Operation, level: Level | undefined): string {
  return level === undefined ? path : path.replace("{level}", levelPaths[level.of]);
}

function isRepo(value: unknown): value is RepoName {
  return typeof value === "object" && value !== null && "owner" in value && "name" in value;
}

/** Whether an operation lists records page by page. */
export function isPages(answers: Operation["answers"]): answers is Pages<unknown> {
  return "kind" in answers && answers.kind === "pages";
}

/** What the HTTP layer checks an answer against; of a list, nothing. */
export function asAnswer(answers: Operation["answers"]): Answer<unknown> {
  if (isPages(answers)) return json();
  return "kind" in answers ? answers : json(answers);
}
