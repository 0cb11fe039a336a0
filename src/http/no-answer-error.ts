import { Failure } from "../failure/failure.ts";
import { maskQuery } from "./mask.ts";
import type { WireRequest } from "./transport.ts";

/** How far a request got before it failed: only `unsent` ones are sure not to have had an effect. */
export type Progress = "unsent" | "sent";

export type NoAnswerCode = "unreachable" | "connection_lost" | "timeout" | "tls" | "not_http" | "proxy";

/** No usable answer came: the name does not resolve, the connection is refused or lost, TLS fails, time ran out. */
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
    super(code, "noAnswer", message, details);
  }
}

/**
 * The same error with what was asked, for scripts; a write that may have arrived says that it may have been done. Other
 * errors are returned as they are.
 */
export function asked(error: unknown, method: string, target: string): unknown {
  if (!(error instanceof NoAnswerError)) return error;
  const { code, message, progress, hint, cause } = error;
  const unknown = progress === "sent" && method !== "GET" && method !== "HEAD";
  const words = unknown ? "It may have been done all the same: look before you repeat it." : hint;
  const details = { method, path: maskQuery(target), cause, ...(words === undefined ? {} : { hint: words }) };
  return new NoAnswerError(code, message, progress, details);
}

const certificateCodes =
  /^(ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|UND_ERR_PRX_TLS)/;

/** Puts a socket's error into words. `where` is the host and port that was asked. */
export function noAnswer(error: unknown, where: string, progress: Progress): NoAnswerError {
  const code = errorCode(error);
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error;
  if (certificateCodes.test(code)) {
    const hint = "If the server uses a certificate authority of its own, name its file: tongs profile set NAME ca FILE";
    const message = `The certificate of ${where} was not accepted: ${reason}`;
    return new NoAnswerError("tls", message, "unsent", { hint, cause });
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO") {
    const hint = "Does the server speak https at this address? For plain http write http:// before it.";
    return new NoAnswerError("tls", `No TLS with ${where}: ${tlsReason(reason)}`, "unsent", { hint, cause });
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    const hint = "Check the address, and the network (a proxy may be needed: HTTPS_PROXY).";
    return new NoAnswerError("unreachable", `The name of ${where} could not be found`, "unsent", { hint, cause });
  }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code) || isConnectTimeout(error)) {
    const hint = "Is the server running, and is the address right?";
    return new NoAnswerError("unreachable", `Nothing answers at ${where} (${code})`, "unsent", { hint, cause });
  }
  if (code.startsWith("HPE_")) {
    const what = code === "HPE_HEADER_OVERFLOW" ? "sends too large a head" : "does not answer in HTTP";
    return new NoAnswerError("not_http", `${where} ${what} (${reason})`, progress, { cause });
  }
  if (code === "UND_ERR_BODY_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT") {
    return new NoAnswerError("timeout", `${where} did not answer in time`, "sent", { hint: waitLonger, cause });
  }
  const named = code === "" || code.startsWith("UND_") ? reason : code;
  return new NoAnswerError("connection_lost", `The connection to ${where} was lost (${named})`, progress, { cause });
}

/** What ended an exchange: errors of our own and interruptions pass, those of the socket are put into words. */
export function inWords(error: Error, { url, signal }: WireRequest, progress: Progress): Error {
  if (signal?.aborted) return signal.reason as Error;
  return "exit" in error ? error : noAnswer(error, url.host, progress);
}

/** OpenSSL's reason without its numbers and source lines. */
function tlsReason(reason: string): string {
  return /:([^:]+):[^:]*:\d+:/.exec(reason)?.[1] ?? reason.trim();
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

const waitLonger = "Wait longer with --timeout SECONDS (0: for ever).";

/** The answer, or the next piece of it, did not come in time. */
export function timedOut(where: string, milliseconds: number, progress: Progress): NoAnswerError {
  const message = `${where} did not answer within ${milliseconds / 1000} s`;
  return new NoAnswerError("timeout", message, progress, { hint: waitLonger });
}
