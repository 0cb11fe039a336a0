import { Failure } from "../../command/failure.ts";

/** How far a request got before it failed: only `unsent` ones are sure not to have had an effect. */
export type Progress = "unsent" | "sent";

/** No usable answer came: the name does not resolve, the connection is refused or lost, TLS fails, time ran out. */
export class NoAnswerError extends Failure {
  override readonly name = "NoAnswerError";
  constructor(
    code: "unreachable" | "connection_lost" | "timeout" | "tls",
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

const tlsCodes = /^(ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/;

/** Puts a socket's error into words. `where` is the host and port that was asked. */
export function noAnswer(error: unknown, where: string, progress: Progress): NoAnswerError {
  const code = errorCode(error);
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error;
  if (tlsCodes.test(code)) {
    const hint = "If the server uses a certificate authority of its own, name its file: tongs profile set NAME ca FILE";
    return new NoAnswerError("tls", `The certificate of ${where} was not accepted: ${reason}`, "unsent", {
      hint,
      cause,
    });
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    const hint = "Check the address, and the network (a proxy may be needed: HTTPS_PROXY).";
    return new NoAnswerError("unreachable", `The name of ${where} could not be found`, "unsent", { hint, cause });
  }
  if (code === "ECONNREFUSED" || code === "EHOSTUNREACH" || code === "ENETUNREACH") {
    const hint = "Is the server running, and is the address right?";
    return new NoAnswerError("unreachable", `Nothing answers at ${where} (${code})`, "unsent", { hint, cause });
  }
  const message = `The connection to ${where} was lost (${code === "" ? reason : code})`;
  return new NoAnswerError("connection_lost", message, progress, { cause });
}

function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const code = "code" in error ? String(error.code) : "";
  if (code !== "") return code;
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return "cause" in error ? errorCode(error.cause) : "";
}

/** The answer, or the next piece of it, did not come in time. */
export function timedOut(where: string, milliseconds: number): NoAnswerError {
  const message = `${where} did not answer within ${milliseconds / 1000} s`;
  return new NoAnswerError("timeout", message, "sent", { hint: "Wait longer with --timeout SECONDS (0: for ever)." });
}
