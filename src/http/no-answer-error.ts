import { changed, Failure } from "../failure/failure.ts";
import { Interruption } from "../failure/interruption.ts";
import { maskQuery } from "./mask.ts";
import type { WireRequest } from "./transport.ts";

/** Whether the request was sent before it failed. Only an `unsent` one certainly had no effect. */
export type Progress = "unsent" | "sent";

export type NoAnswerCode = "unreachable" | "connection_lost" | "timeout" | "tls" | "not_http" | "proxy";

/** No usable response: the host does not resolve, the connection is refused or lost, TLS fails, or a timeout. */
export class NoAnswerError extends Failure {
  override readonly name = "NoAnswerError";
  constructor(
    override readonly code: NoAnswerCode,
    message: string,
    readonly progress: Progress,
    details: {
      readonly hint?: string;
      readonly method?: string;
      readonly path?: string;
      readonly cause?: unknown;
    } = {},
  ) {
    super(code, message, details);
  }
}

/**
 * Adds the method and path to a `NoAnswerError`, and for a write that may have been processed, a hint. Other errors are
 * returned unchanged.
 */
export function withRequest(error: unknown, method: string, target: string): unknown {
  if (!(error instanceof NoAnswerError)) return error;
  const { code, message, progress, hint, cause } = error;
  const newHint = progress === "sent" && isWrite(method) ? mayHaveEffect : hint;
  const details = { method, path: maskQuery(target), cause, ...(newHint === undefined ? {} : { hint: newHint }) };
  return new NoAnswerError(code, message, progress, details);
}

export const mayHaveEffect = "The request may have taken effect. Check before you run the command again.";

export function isWrite(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Whether a status tells nothing of what became of the request: a proxy sends these instead of the server's response. */
export function isUnsureStatus(status: number | undefined): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** Whether a failed write may have taken effect: its response was lost, or a proxy responded instead of the server. */
export function mayHaveActed(error: unknown): error is Failure {
  if (!(error instanceof Failure) || !isWrite(error.method ?? "")) return false;
  return error instanceof NoAnswerError ? error.progress === "sent" : isUnsureStatus(error.status);
}

/** The same failure of a write that may have been processed, with the command that shows whether it was. */
export function withLook(error: Failure, command: string): Failure {
  return changed(error, {
    hint: `The request may have taken effect. Look before you run the command again: ${command}`,
  });
}

/** What to do about a certificate that could not be verified. */
function certificateHint(error: unknown): string {
  const inner = error instanceof Error && "cause" in error ? errorCode(error.cause) : "";
  switch (inner === "" ? errorCode(error) : inner) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "The certificate is for another host name. Check the address of the server.";
    case "CERT_HAS_EXPIRED":
      return "The certificate has expired. Renew it on the server, and check the clock of this machine.";
    case "CERT_NOT_YET_VALID":
      return "The certificate is not valid yet. Check the clock of this machine.";
    default:
      return "If the server uses a private certificate authority, run: tongs profile set NAME ca FILE (without a profile, set TONGS_CA)";
  }
}

const certificateCodes =
  /^(ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|UND_ERR_PRX_TLS)/;

/** The failure for an error of a connection. `host` is the host and port. */
export function connectionFailure(error: unknown, host: string, progress: Progress): NoAnswerError {
  const code = errorCode(error);
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error;
  if (certificateCodes.test(code)) {
    const hint = certificateHint(error);
    const message = `Could not verify the certificate of ${host}: ${reason}`;
    return new NoAnswerError("tls", message, "unsent", { hint, cause });
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO") {
    const hint = /CERTIFICATE/.test(code)
      ? "The server asks for a client certificate. Set it: tongs profile set NAME client_cert FILE"
      : "Check that the server uses https at this address. For plain http, write http:// in front of it.";
    return new NoAnswerError("tls", `TLS handshake with ${host} failed: ${tlsReason(reason)}`, "unsent", {
      hint,
      cause,
    });
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    const hint = "Check the address and your network. If you need a proxy, set HTTPS_PROXY.";
    return new NoAnswerError("unreachable", `Could not resolve host ${host}`, "unsent", { hint, cause });
  }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code) || isConnectTimeout(error)) {
    const hint = "Check that the server is running and the address is correct.";
    return new NoAnswerError("unreachable", `Could not connect to ${host} (${code})`, "unsent", { hint, cause });
  }
  if (code === "UND_ERR_SOCKET" && /^bad (response|upgrade)$/.test(reason)) {
    const message = `${host} sent 100 Continue or switched protocols although the request did not ask for it`;
    return new NoAnswerError("not_http", message, progress, { cause });
  }
  if (code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW" || isParserError(error)) {
    const what = code.endsWith("_OVERFLOW")
      ? "sent response headers that are too large"
      : "did not return a valid HTTP response";
    return new NoAnswerError("not_http", `${host} ${what} (${reason})`, progress, { cause });
  }
  const named = code === "" || code.startsWith("UND_") ? reason : code;
  return new NoAnswerError("connection_lost", `The connection to ${host} was lost (${named})`, progress, { cause });
}

/**
 * The failure that ended a request: an interruption, which says if a write may have been processed, a `Failure` unchanged, or a
 * connection failure.
 */
export function requestFailure(error: Error, { url, method, signal }: WireRequest, progress: Progress): Error {
  if (signal?.aborted) {
    const { reason } = signal;
    const isUnsure = reason instanceof Interruption && progress === "sent" && isWrite(method);
    return isUnsure ? new Interruption(reason.signal, { hint: mayHaveEffect }) : (reason as Error);
  }
  return "exit" in error ? error : connectionFailure(error, url.host, progress);
}

/** OpenSSL's reason without error numbers and source lines. */
function tlsReason(reason: string): string {
  return /:([^:]+):[^:]*:\d+:/.exec(reason)?.[1] ?? reason.trim();
}

/** An error of undici's parser; undici sets no code on it. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

function isConnectTimeout(error: unknown): boolean {
  const at = error instanceof AggregateError ? error.errors[0] : error;
  return errorCode(at) === "ETIMEDOUT" && at instanceof Error && "syscall" in at && at.syscall === "connect";
}

function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const code = "code" in error && error.code !== undefined ? String(error.code) : "";
  if (code !== "") return code;
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return "cause" in error ? errorCode(error.cause) : "";
}

const waitLonger = "Pass --timeout SECONDS to wait longer (0: no limit).";

/** The response, or the next part of it, did not arrive in time; `did`: what came of it. */
export function timeoutFailure(host: string, milliseconds: number, progress: Progress, did = "did not respond") {
  const message = `${host} ${did} within ${milliseconds / 1000} s`;
  return new NoAnswerError("timeout", message, progress, { hint: waitLonger });
}
