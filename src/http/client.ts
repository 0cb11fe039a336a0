import type { Failure } from "../command/failure.ts";
import { type Answer, json, type StreamAnswer } from "./answers.ts";
import { readAll, unpacked } from "./body.ts";
import { type DebugLog, debugRequest, debugResponse } from "./debug.ts";
import { refuseWrite } from "./dry-run.ts";
import { BrokenAnswerError } from "./errors/broken-answer-error.ts";
import { errorFor } from "./errors/error-for.ts";
import type { Exchange } from "./errors/http-error.ts";
import { NotFoundError } from "./errors/not-found-error.ts";
import { parseJson } from "./json.ts";
import { type Listing, type PageCall, pages } from "./pages.ts";
import { type Path, type Query, queryString } from "./path.ts";
import { isRedirect, redirected } from "./redirect.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";
import type { Transport, WireRequest, WireResponse } from "./transport.ts";

/** What an operation may say of its request, besides method and path. */
export interface CallOptions<T> {
  readonly query?: Query;
  readonly body?: unknown;
  /** Sent as it is, with this content type, in place of `body`. */
  readonly raw?: { readonly content: string | Buffer; readonly type: string };
  readonly answers: Answer<T>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The release of Gitea that brought the operation, for the message of a server that lacks it. */
  readonly since?: string;
}

/** An answer with its status and headers, for `tongs api` and for lists. */
export interface Answered<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly value: T;
}

/** The HTTP layer under the typed operations. */
export interface Http {
  get<T>(path: Path, options: CallOptions<T>): Promise<T>;
  post<T>(path: Path, options: CallOptions<T>): Promise<T>;
  put<T>(path: Path, options: CallOptions<T>): Promise<T>;
  patch<T>(path: Path, options: CallOptions<T>): Promise<T>;
  delete<T>(path: Path, options: CallOptions<T>): Promise<T>;
  /** A listing: pages in parallel, in order, only as many as are asked for. */
  list<T>(path: Path, options?: PageCall): Listing<T>;
  /** Any method, with status and headers. */
  send<T>(method: string, path: Path, options: CallOptions<T>): Promise<Answered<T>>;
}

/** What the client works with. */
export interface ClientSettings {
  /** The server's address with its path prefix, without `/api/v1`. */
  readonly base: URL;
  readonly authorization?: string | undefined;
  readonly transport: Transport;
  readonly retry: RetryPolicy;
  readonly timeout: number;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly debug?: DebugLog | undefined;
  /** Told of each warning that the server sends along. */
  readonly onWarning: (warning: string) => void;
  readonly userAgent: string;
  /** Finds better words for a 404; may ask the server more. */
  readonly explain?: (error: NotFoundError, http: Http) => Promise<Failure>;
}

/** The HTTP layer for one server. */
export function httpClient(settings: ClientSettings): Http {
  const root = settings.base.href.replace(/\/+$/, "");
  const server = root.replace(/^https?:\/\//, "");

  async function exchange(request: WireRequest, body: unknown): Promise<WireResponse & { readonly url: URL }> {
    if (settings.dryRun) refuseWrite(request, body);
    let current = request;
    for (let hop = 0; ; hop += 1) {
      if (settings.debug) debugRequest(settings.debug, current, body);
      const response = await withRetries(current, settings.transport.send, settings.retry);
      if (settings.debug) debugResponse(settings.debug, current, response);
      const location = response.headers["location"];
      if (!isRedirect(response.status, location)) return Object.assign(response, { url: current.url });
      response.body.destroy();
      current = redirected(current, response.status, location, hop);
    }
  }

  async function send<T>(method: string, path: Path, options: CallOptions<T>): Promise<Answered<T>> {
    const target = `/api/v1${path}${queryString(options.query ?? {})}`;
    const request = wireRequest(settings, method, new URL(root + target), options);
    const response = await exchange(request, options.raw ? undefined : options.body);
    const { status, headers } = response;
    for (const warning of warningsIn(headers)) settings.onWarning(warning);
    if (options.answers.kind === "stream" && status < 400) {
      const value: StreamAnswer = { status, headers, body: await unpacked(response), url: response.url };
      return { status, headers, value: value as T };
    }
    const bytes = method === "HEAD" ? Buffer.alloc(0) : await readAll(response, request);
    const failed = async (): Promise<Exchange> => ({
      ...{ method, path: target, status, headers, server },
      body: await looseBody(bytes),
    });
    if (options.answers.kind === "yes-no" && status === 404) {
      const error = errorFor(await failed(), options.since);
      if (error.code === "not_found") return { status, headers, value: false as T };
      throw error;
    }
    if (status >= 300) {
      const error = errorFor(await failed(), options.since);
      throw error instanceof NotFoundError && settings.explain ? await settings.explain(error, http) : error;
    }
    return { status, headers, value: (await readValue(options.answers, bytes, status, headers, request)) as T };
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
    list: <T>(path: Path, call: PageCall = {}) =>
      pages<T>(call, (query) => send("GET", path, { ...call, query: { ...call.query, ...query }, answers: json() })),
    send,
  };
  return http;
}

function wireRequest(settings: ClientSettings, method: string, url: URL, options: CallOptions<unknown>): WireRequest {
  const writes = method !== "GET" && method !== "HEAD";
  // A write without a body still sends {}: with no content type the servers answer 422 (api-facts 3.1.1).
  const body = options.raw?.content ?? (writes ? JSON.stringify(options.body ?? {}) : undefined);
  const type = options.raw?.type ?? (body === undefined ? undefined : "application/json");
  return {
    method,
    url,
    body,
    timeout: settings.timeout,
    signal: settings.signal,
    headers: {
      accept: options.answers.accept,
      ...(options.answers.kind === "stream" ? {} : { "accept-encoding": "gzip" }),
      "user-agent": settings.userAgent,
      ...(settings.authorization === undefined ? {} : { authorization: settings.authorization }),
      ...(type === undefined ? {} : { "content-type": type }),
      ...options.headers,
    },
  };
}

async function readValue(
  answer: Answer<unknown>,
  bytes: Buffer,
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  request: WireRequest,
): Promise<unknown> {
  if (answer.kind === "status") return status;
  if (answer.kind === "yes-no") return true;
  if (answer.kind === "nothing") return undefined;
  if (answer.kind === "text") return bytes;
  if (bytes.length === 0) return null;
  const about = { status, method: request.method, path: request.url.pathname };
  const content = utf8(bytes);
  if (content === undefined) {
    throw new BrokenAnswerError(`The answer of ${request.url.host} is not valid UTF-8`, about);
  }
  try {
    return await parseJson(content);
  } catch {
    const html = /^\s*</.test(content);
    const what = html ? `an HTML page${title(content)}` : "something that is not JSON";
    const hint = html
      ? "Is this the address of a Gitea or Forgejo server (with its path prefix), or does a proxy want a sign-in?"
      : undefined;
    const sent = headers["content-type"] ?? "";
    const message = `${request.url.host} answered with ${what} ${sent === "" ? "" : `(${sent})`}`.trim();
    throw new BrokenAnswerError(message, { ...about, ...(hint === undefined ? {} : { hint }) });
  }
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function title(html: string): string {
  const found = /<title[^>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim();
  return found === undefined || found === "" ? "" : ` titled “${found}”`;
}

/** The body of an error, as far as it can be read. */
async function looseBody(bytes: Buffer): Promise<unknown> {
  const content = bytes.toString("utf8");
  if (content === "") return undefined;
  try {
    return await parseJson(content);
  } catch {
    return content.trim();
  }
}

/** `X-Gitea-Warning`, and `Warning` as Forgejo sends it (api-facts 3.1.6). */
function warningsIn(headers: Readonly<Record<string, string | undefined>>): string[] {
  return ["x-gitea-warning", "x-forgejo-warning", "warning"].flatMap((name) => headers[name] ?? []);
}
