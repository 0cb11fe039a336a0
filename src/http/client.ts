import { Failure, UsageError, withSuccess } from "../failure/failure.ts";
import { noteWrite } from "../failure/ignored.ts";
import { anything } from "../shape/shape.ts";
import { jsonText, parseJson } from "../text/json.ts";
import { decoded, isWellFormed } from "../text/percent.ts";
import { addressAt } from "./address.ts";
import { type Answer, type Answered, json, type StreamAnswer } from "./answers.ts";
import { errorBody, observedValue, readBody, readErrorBody, readValue } from "./body.ts";
import { type DebugLog, DryRun, debugRequest, debugResponse, type UndoForecast } from "./debug.ts";
import { decodedBody } from "./decode.ts";
import {
  BrokenAnswerError,
  type Exchange,
  errorFor,
  isWebPage,
  NotFoundError,
  UnknownOperationError,
} from "./errors.ts";
import { contentSize } from "./head-timer.ts";
import { sentSecrets } from "./mask.ts";
import { isUnsureStatus, NoAnswerError, withRequest } from "./no-answer-error.ts";
import { type Listing, type PageCall, pages, readItems } from "./pages.ts";
import { apiPath, type Path, type Query, queryString } from "./path.ts";
import { isRedirect, redirectRequest } from "./redirect.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";
import type { Body, StreamedContent, Transport, WireHead, WireRequest } from "./transport.ts";

/** The body of a request that is not made from a JSON value. */
export interface RawContent {
  readonly content: string | Buffer | StreamedContent;
  readonly type: string;
}

/** Options of a request, besides method and path. */
export interface CallOptions<T> {
  /** The operation that the request is of: `GET /repos/{owner}/{repo}/labels`. */
  readonly operation?: string;
  /** The fields of the body that the server must know. */
  readonly strict?: readonly string[];
  readonly query?: Query;
  readonly body?: unknown;
  /** Sent unchanged, with this content type, instead of `body`. */
  readonly raw?: RawContent;
  readonly answers: Answer<T>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether anybody gets the same answer, also outside of the API. */
  readonly open?: boolean | undefined;
  /**
   * Whether it is of the container registry, which has its place at the root of the host, whatever the path prefix of the
   * server is, and takes tokens as passwords only.
   */
  readonly registry?: boolean | undefined;
  /** The time for the head of the response to arrive, in milliseconds, instead of that of the client. */
  readonly timeout?: number | undefined;
  /** Returns what is there after a write, by its answer, where that only repeats what was sent; may send requests. */
  readonly settle?: (answer: unknown) => Promise<unknown>;
  /** Awaited before a redirect is followed. */
  readonly beforeRedirect?: () => Promise<void>;
}

/** What a server has by its description: of each operation, by its shape, the names of its query and of its body's fields. */
export type Described = Readonly<Record<string, readonly string[]>>;

/** The HTTP layer under the typed operations. */
export interface Http {
  get<T>(path: Path, options: CallOptions<T>): Promise<T>;
  post<T>(path: Path, options: CallOptions<T>): Promise<T>;
  put<T>(path: Path, options: CallOptions<T>): Promise<T>;
  patch<T>(path: Path, options: CallOptions<T>): Promise<T>;
  delete<T>(path: Path, options: CallOptions<T>): Promise<T>;
  /** A list: pages are fetched in parallel, kept in order, and only as many as needed. */
  list<T>(path: Path, options?: PageCall<T>): Listing<T>;
  /** The record that a request returns, or undefined if it cannot be read: one of those that make up a list. */
  ifReadable<T>(request: Promise<T>): Promise<T | undefined>;
  /** The version of the server, which is kept for a day if not `fresh`; undefined if it does not say one. */
  version(options?: { readonly fresh?: boolean }): Promise<string | undefined>;
  /** What the server of a version describes of itself; undefined if it does not. */
  described(version: string): Promise<Described | undefined>;
  /** Sends any method and returns the status and headers, too. */
  send<T>(method: string, path: Path, options: CallOptions<T>): Promise<Answered<T>>;
  /** The same, with requests that also end when a signal aborts, with its reason. */
  until(signal: AbortSignal): Http;
}

/** A write that is about to be sent. */
export interface SentWrite {
  readonly method: string;
  /** Path and query below the server's address. */
  readonly target: string;
  /** The JSON body, or a description of other content. */
  readonly body: unknown;
}

/** A write arrived; `value`: the record that it would have answered with, if it answers with one. */
export interface Arrived {
  readonly value?: unknown;
}

/** Sees what a command reads and writes, for the journal. */
export interface Observer {
  /** A record or a page was read as JSON. */
  read(target: string, value: unknown): void;
  /** Time passed: what was read can have changed. */
  forget(): void;
  /**
   * Resolves when the write may be sent, to a function for its response; that is not called if none arrives. `value`: its
   * JSON, if it is JSON. It may read with `http` what is there before.
   */
  write(
    sent: SentWrite,
    http: Http,
  ): Promise<(response: { readonly status: number; readonly value?: unknown }) => void>;
  /** What of a write that a dry run does not send could not be undone. */
  foresee(sent: SentWrite, http: Http): Promise<UndoForecast>;
}

/** A user as whom an administrator acts, by the header Sudo; null if the administrator's name is not known. */
export interface Sudo {
  readonly user: string;
  readonly administrator: string | null;
}

/** Settings of the HTTP client. */
export interface ClientSettings {
  /** The server's address with its path prefix, without `/api/v1`. */
  readonly base: URL;
  /** Returns the `Authorization` header for the next request, if any. Called only when a request is sent. */
  readonly authorization?: (() => Promise<string | undefined>) | undefined;
  /** The environment variable that the token is from, for hints. */
  readonly tokenVariable?: string;
  /** The command line that signs in, for hints. */
  readonly signIn?: string;
  /** Additional headers for the server itself, by lower-case name; they are secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The user as whom requests are sent, and the administrator who sends them. Only the API knows that. */
  readonly sudo?: Sudo;
  readonly transport: Transport;
  readonly retry: RetryPolicy;
  /** The time for the head of a response to arrive, in milliseconds; 0 is no limit. */
  readonly timeout: number;
  /** The longest silence within the body of a response, in milliseconds; 0 is no limit. Default: `timeout`. */
  readonly idleTimeout?: number;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly debug?: DebugLog | undefined;
  /** Called with each warning: from the server, or about redirects and retries. */
  readonly onWarning: (warning: string) => void;
  /** Called with the path of a request, and another one on the same server that it is redirected to. */
  readonly onMoved?: ((from: string, to: string) => void) | undefined;
  readonly userAgent: string;
  /** Sees reads and writes. */
  readonly observer?: Observer | undefined;
  /**
   * Called with each record that cannot be read, of a list or within `ifReadable`, which is then left out; without it, such
   * a record is an error.
   */
  readonly onUnreadable?: ((failure: Failure) => void) | undefined;
  /**
   * Called with the operation of each request before it is sent, and the fields of its body that the server must know. Throws
   * if the server does not have one of them.
   */
  readonly requires?: (
    operation: string,
    about: Pick<Exchange, "method" | "path" | "server">,
    http: Http,
    fields: readonly string[],
  ) => Promise<void>;
  /** Returns the version of the server, undefined if it does not say one; may ask for it, and does if it is to be `fresh`. */
  readonly version?: (http: Http, options?: { readonly fresh?: boolean }) => Promise<string | undefined>;
  /** Returns what the server of a version describes of itself; may ask for it. */
  readonly described?: (http: Http, version: string) => Promise<Described | undefined>;
  /** Looks whether a write arrived whose answer was lost, or was that of a proxy; `since`: when it was sent. */
  readonly arrived?: (sent: SentWrite, since: Date, http: Http) => Promise<Arrived | undefined>;
  /** Returns a more specific error for something or an operation that is missing; may send further requests. */
  readonly explain?: (error: NotFoundError | UnknownOperationError, http: Http) => Promise<Failure>;
}

/** A response whose body was read, unless it is streamed. */
interface Received extends WireHead {
  readonly body: Body;
  readonly bytes: Buffer;
}

/** Refuses a name of the server with half of a surrogate pair, which no address can have; a typed one is refused before. */
function refuseIllFormed(method: string, path: Path, query: Query = {}): void {
  const names = [...path.split(/[/?&=]/).map(decoded), ...Object.values(query).flat().map(String)];
  const name = names.find((one) => !isWellFormed(one));
  if (name === undefined) return;
  const message = `The server returned a name that is not valid Unicode: ${JSON.stringify(name)}`;
  throw new BrokenAnswerError(message, { status: 200, method, path });
}

/** Creates the HTTP client for one server. */
export function httpClient(settings: ClientSettings): Http {
  const root = settings.base.href.replace(/\/+$/, "");
  const prefix = settings.base.pathname.replace(/\/+$/, "");
  const server = root.replace(/^https?:\/\//, "");
  const { debug } = settings;

  /** Sends a request once and reads the body: a body that is cut off is retried like a lost response. */
  async function once(request: WireRequest, shown: unknown, { kind, largest }: Answer<unknown>): Promise<Received> {
    if (debug) debugRequest(debug, request, shown, Object.keys(settings.headers ?? {}));
    if (request.method !== "GET" && request.method !== "HEAD") noteWrite();
    const response = await settings.transport.send(request);
    if (debug) debugResponse(debug, request, response);
    const { status, headers, body } = response;
    if (status >= 300) return { status, headers, body, bytes: await readErrorBody(response, request) };
    if (kind === "stream") return { status, headers, body: decodedBody(response, request), bytes: Buffer.alloc(0) };
    return { status, headers, body, bytes: await readBody(response, request, largest) };
  }

  async function exchange(first: WireRequest, shown: unknown, { answers, beforeRedirect }: CallOptions<unknown>) {
    const streams = answers.kind === "stream";
    let request = first;
    for (let hop = 0; ; hop += 1) {
      const response = await withRetries(request, (wire) => once(wire, shown, answers), settings.retry);
      const location = response.headers["location"];
      if (!isRedirect(response.status, location)) return { ...response, url: request.url };
      const next = redirectRequest(request, response.status, location, hop);
      const isSignedIn = request.headers["authorization"] !== undefined;
      if (!streams && next.url.origin !== request.url.origin && isSignedIn) {
        settings.onWarning(`${server} redirects to ${next.url.origin}; your token was not sent there`);
      }
      if (next.url.origin === request.url.origin) settings.onMoved?.(request.url.pathname, next.url.pathname);
      await beforeRedirect?.();
      request = next;
    }
  }

  async function send<T>(method: string, path: Path, options: CallOptions<T>): Promise<Answered<T>> {
    const { answers } = options;
    refuseIllFormed(method, path, options.query);
    const target = targetOf(path, options.query);
    const url = addressAt(settings.base, (options.registry ? "" : prefix) + target);
    if (settings.sudo !== undefined) refuseBesideApi(target, options);
    if (options.operation !== undefined)
      await settings.requires?.(options.operation, { method, path: target, server }, http, options.strict ?? []);
    const shown = debug || settings.dryRun ? await shownBody(options) : undefined;
    const { observer } = settings;
    const isRead = method === "GET" || method === "HEAD";
    const sent: SentWrite = { method, target, body: isRead ? undefined : await shownBody(options) };
    if (settings.dryRun && !isRead)
      throw new DryRun(method, url, shown, await observer?.foresee(sent, http), settings.sudo);
    const request = wireRequest(settings, method, url, options, await settings.authorization?.());
    const observed = isRead ? undefined : await observer?.write(sent, http);
    const since = settings.retry.now();
    /** The answer of a write that may have arrived, if what is there shows that it did. */
    const arrived = async (): Promise<Answered<T> | undefined> => {
      if (isRead || (answers.kind !== "nothing" && answers.kind !== "json")) return undefined;
      const found = await settings.arrived?.(sent, since, http);
      const value = answers.kind === "json" ? found?.value : undefined;
      if (found === undefined || (answers.kind === "json" && value === undefined)) return undefined;
      const read = answers.read?.(value, url.pathname) ?? { value, mismatch: undefined };
      if (read.mismatch !== undefined) return undefined;
      const status = answers.kind === "json" ? 200 : 204;
      observed?.({ status, value: read.value });
      return { status, headers: {}, value: read.value as T };
    };
    const fail = (error: unknown): never => {
      // A response arrived, though it is not usable.
      if (!(error instanceof BrokenAnswerError) || error.status === undefined) throw withRequest(error, method, target);
      observed?.({ status: error.status });
      throw isRead || error.status >= 300 ? error : withSuccess(error, `${server} answered ${method} ${apiPath(path)}`);
    };
    const response = await exchange(request, shown, options).catch(async (error: unknown) => {
      const isLost = error instanceof NoAnswerError && error.progress === "sent";
      return (isLost ? await arrived() : undefined) ?? fail(error);
    });
    if (!("bytes" in response)) return response;
    const { status, bytes } = response;
    const hide = sentSecrets(request.headers, options.body);
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, value && hide(value)]),
    );
    for (const warning of warningsIn(headers)) settings.onWarning(`${server} warns: ${warning}`);
    if (status < 300) {
      const streamed: StreamAnswer = { status, headers, body: response.body, url: response.url };
      const read = () => readValue(answers, bytes, response, request).catch(fail);
      const sentValue = answers.kind === "stream" ? streamed : await read();
      const { onUnreadable } = settings;
      const report = (mismatch: string) => onUnreadable?.(unfit(method, path, { status, target, mismatch }));
      const found = answers.read?.(sentValue, response.url.pathname, onUnreadable && report);
      const { value: answer, mismatch } = found ?? { value: sentValue, mismatch: undefined };
      if (mismatch !== undefined) return fail(unfit(method, path, { status, target, mismatch }));
      const settled = async () => (options.settle === undefined ? answer : await options.settle(answer));
      const value = await settled().catch((error: unknown) => {
        observed?.({ status, value: answer });
        throw error instanceof Failure ? withSuccess(error, `${server} answered ${method} ${apiPath(path)}`) : error;
      });
      observed?.({ status, value: await observedValue(answers, value) });
      if (isRead && answers.kind === "json") observer?.read(target, value);
      return { status, headers, value: (answers.kind === "yes-no" ? true : value) as T };
    }
    const shownBytes = Buffer.from(hide(bytes.toString("latin1")), "latin1");
    const failed: Exchange = {
      method,
      path: target,
      status,
      headers,
      server,
      bytes: shownBytes,
      redirectedTo: response.url.href === url.href ? undefined : response.url,
      tokenVariable: settings.tokenVariable,
      signIn: settings.signIn,
      body: await errorBody(shownBytes),
    };
    const error = errorFor(failed);
    const missing = error.code === "not_found";
    const mayHaveActed = response.mayHaveActed && !isRead;
    // An earlier attempt did it. Servers refuse what is so already, and answer for what is missing with other statuses, too.
    if (mayHaveActed && method === "DELETE" && missing && answers.kind === "nothing") {
      observed?.({ status: 204 });
      return { status, headers, value: undefined as T };
    }
    // A server can fail although it did all (docs/server-differences.md, "Repositories", "Pull requests: creating").
    const isUnsure = !isRead && (isUnsureStatus(status) || (["PATCH", "POST"].includes(method) && status >= 500));
    const done = mayHaveActed || isUnsure ? await arrived() : undefined;
    if (done !== undefined) return done;
    observed?.({ status });
    const isAnswer = answers.kind === "yes-no" || answers.optional === true;
    if (isAnswer && missing && !isWebPage(failed))
      return { status, headers, value: (answers.kind === "yes-no" ? false : undefined) as T };
    if (mayHaveActed && !isUnsureStatus(status))
      settings.onWarning(`An earlier attempt of this ${method} got no response but may have taken effect`);
    const isMissing = error instanceof NotFoundError || error instanceof UnknownOperationError;
    throw isMissing && settings.explain ? await settings.explain(error, http) : error;
  }

  function unfit(
    method: string,
    path: Path,
    { status, target, mismatch }: { readonly status: number; readonly target: string; readonly mismatch: string },
  ) {
    const message = `${server} answered ${method} ${apiPath(path)} with something that is not ${mismatch}`;
    return new BrokenAnswerError(message, { status, method, path: target });
  }

  const value =
    (method: string) =>
    async <T>(path: Path, options: CallOptions<T>): Promise<T> =>
      (await send(method, path, options)).value;

  const http: Http = {
    get: value("GET"),
    post: value("POST"),
    put: value("PUT"),
    patch: value("PATCH"),
    delete: value("DELETE"),
    version: async (options) => settings.version?.(http, options),
    described: async (version) => settings.described?.(http, version),
    list: <T>(path: Path, call: PageCall<T> = {}) => {
      const { onUnreadable } = settings;
      const asList = onUnreadable ? { ...call, items: anything } : call;
      const answers = { ...json(), read: (value: unknown) => readItems(asList, value) };
      const queryOf = (page: Query) => ({ ...call.query, ...page });
      const report = (mismatch: string, page: Query) => {
        const target = targetOf(path, queryOf(page));
        onUnreadable?.(unfit("GET", path, { status: 200, target, mismatch }));
      };
      const fetch = (page: Query) => send("GET", path, { ...call, query: queryOf(page), answers });
      const repeated = () =>
        settings.onWarning(`${server} repeats a page of ${apiPath(path)}: the list can be incomplete`);
      return pages<T>(call, fetch, { unreadable: onUnreadable && report, repeated });
    },
    ifReadable: <T>(request: Promise<T>) =>
      request.catch((error: unknown) => {
        if (!(error instanceof BrokenAnswerError) || settings.onUnreadable === undefined) throw error;
        settings.onUnreadable(error);
        return undefined;
      }),
    send,
    until: (signal) => httpClient({ ...settings, signal: AbortSignal.any([settings.signal, signal]) }),
  };
  return http;
}

/** Path and query below the server's address. */
function targetOf(path: Path, query: Query = {}): string {
  return `${apiPath(path)}${queryString(query)}`;
}

function wireRequest(
  settings: ClientSettings,
  method: string,
  url: URL,
  options: CallOptions<unknown>,
  authorization: string | undefined,
): WireRequest {
  const writes = method !== "GET" && method !== "HEAD";
  // A write without a body sends {}: without a content type servers return 422 (docs/server-differences.md, "Errors and
  // statuses").
  const body = options.raw?.content ?? (writes ? jsonText(options.body ?? {}) : undefined);
  const type = options.raw?.type ?? (body === undefined ? undefined : "application/json");
  return {
    method,
    url,
    body,
    timeout: options.timeout ?? settings.timeout,
    idleTimeout: settings.idleTimeout ?? settings.timeout,
    ...(options.answers.kind === "stream" ? {} : { clock: settings.retry.now }),
    signal: settings.signal,
    headers: {
      accept: options.answers.accept,
      ...(options.answers.kind === "stream" ? {} : { "accept-encoding": "gzip" }),
      "user-agent": settings.userAgent,
      ...settings.headers,
      ...(authorization === undefined
        ? {}
        : { authorization: options.registry ? asBasic(authorization) : authorization }),
      ...(type === undefined ? {} : { "content-type": type }),
      ...options.headers,
      ...(settings.sudo === undefined || options.open ? {} : { sudo: settings.sudo.user }),
    },
  };
}

/** `token X` as a password; servers take any name with it. */
function asBasic(authorization: string): string {
  return `Basic ${Buffer.from(authorization.replace(" ", ":")).toString("base64")}`;
}

/** Throws a usage error for a request that the server would not take as that of the user of --sudo. */
function refuseBesideApi(target: string, { query, headers = {}, open = false }: CallOptions<unknown>): void {
  if ("sudo" in headers || query?.["sudo"] !== undefined) throw new UsageError("Specify --sudo only as a flag");
  if (!open && !target.startsWith("/api/v1/"))
    throw new UsageError(`--sudo cannot be used with ${target}, which is outside of the API`);
}

/** The body as `--debug` and `--dry-run` print it: raw JSON as a value, other raw content as its size. */
async function shownBody({ raw, body }: CallOptions<unknown>): Promise<unknown> {
  if (raw === undefined) return body;
  try {
    if (raw.type.includes("json")) return await parseJson(raw.content.toString());
  } catch {
    // Not JSON after all: print its size.
  }
  return `(${contentSize(raw.content)} bytes of ${raw.type})`;
}

/** `X-Gitea-Warning`, or `Warning` on Forgejo (docs/server-differences.md, "Errors and statuses"). */
function warningsIn(headers: Readonly<Record<string, string | undefined>>): string[] {
  return ["x-gitea-warning", "x-forgejo-warning", "warning"].flatMap((name) => headers[name] ?? []);
}
