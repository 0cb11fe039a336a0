import { Failure } from "../../failure/failure.ts";
import { outcomeOfStatus } from "../../failure/statuses.ts";
import { displayText } from "../wire/text.ts";
import type { ForwardFormat } from "./formats.ts";
import { rejectedPoints } from "./otlp.ts";

/** The answer to a request, with the start of its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/**
 * What an answer means: the engine has the readings, except so many of their values; it refuses them, and would again; or
 * the body is too large.
 */
export type Verdict =
  | { readonly is: "taken"; readonly rejected: number; readonly reason: string }
  | { readonly is: "refused"; readonly reason: string }
  | { readonly is: "too-large" };

/** Where engines take a format, for hints. */
export const places: Readonly<Record<ForwardFormat, string>> = {
  "remote-write": "VictoriaMetrics and Prometheus (with --web.enable-remote-write-receiver) take it at /api/v1/write.",
  influx: "InfluxDB and VictoriaMetrics take lines at /write, and InfluxDB 2 at /api/v2/write?org=ORG&bucket=BUCKET.",
  otlp: "Collectors take it at /v1/metrics, Prometheus at /api/v1/otlp/v1/metrics, VictoriaMetrics at /opentelemetry/v1/metrics.",
};

/** Reads an answer. Throws a `Failure` if it says nothing about the readings: no engine, no permission, not now. */
export function verdictOf(answer: Answer, format: ForwardFormat, address: string): Verdict {
  const { status, headers } = answer;
  const type = headers["content-type"] ?? "";
  const reason = reasonIn(answer);
  const said = reason === "" ? "" : `: ${reason}`;
  const fail = (message: string, hint?: string, code = outcomeOfStatus(status)) =>
    new Failure(code, message, { hint, status });
  if (status >= 200 && status < 300) {
    if (/html/.test(type))
      throw fail(`${address} sent a web page: nothing there takes readings`, places[format], "broken_answer");
    return { is: "taken", ...(format === "otlp" && /protobuf/.test(type) ? partial(answer.body, address) : whole) };
  }
  if (status < 400)
    throw fail(`${address} redirects to another address (${status})`, "Use the address that takes readings.");
  switch (status) {
    case 401:
      throw fail(`${address} requires other credentials (401)${said}`, credentialsHint);
    case 403:
      throw fail(`${address} does not permit it (403)${said}`, credentialsHint);
    case 404:
    case 405:
    case 501:
      throw fail(`Nothing takes ${format} at ${address} (${status})${said}`, places[format], "not_found");
    case 408:
      throw fail(`${address} timed out (408)${said}`, undefined, "timeout");
    case 413:
      return { is: "too-large" };
    case 415:
      throw fail(`${address} does not take ${format} (415)${said}`, "Use another --format.", "unknown_operation");
    case 429:
      throw fail(`${address} takes no more readings now (429)${said}`);
    default:
      if (status >= 500) throw fail(`${address} failed (${status})${said}`);
      return { is: "refused", reason: reason === "" ? `status ${status}` : reason };
  }
}

/** Where the credentials for an engine are. */
export const credentialsHint =
  "They are in a profile for this address: tongs profile set NAME host URL, then its token_command, user or headers.";

const whole = { rejected: 0, reason: "" };

function partial(body: Buffer, address: string) {
  try {
    return rejectedPoints(body);
  } catch (cause) {
    throw new Failure("broken_answer", `${address} sent a response that is not one of OTLP`, { cause });
  }
}

const maxReason = 300;

/** The first line of what an engine says, or the error in its JSON; nothing of a page or of bytes. */
function reasonIn({ headers, body }: Answer): string {
  const type = headers["content-type"] ?? "";
  const text = body.toString("utf8").trim();
  if (/html|protobuf/.test(type) || text.startsWith("<")) return "";
  if (text.startsWith("{")) {
    try {
      const { error, message } = JSON.parse(text) as { readonly error?: unknown; readonly message?: unknown };
      const found = [message, error].find((one) => typeof one === "string");
      if (typeof found === "string") return shortened(found);
    } catch {
      // Not JSON after all.
    }
  }
  return shortened(text);
}

function shortened(text: string): string {
  const [first = ""] = text.split(/\r?\n/);
  return displayText(first.length > maxReason ? `${first.slice(0, maxReason)}…` : first);
}
