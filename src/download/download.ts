import { Failure } from "../failure/failure.ts";
import type { StreamAnswer } from "../http/answers.ts";
import { BrokenAnswerError, DeniedError, HttpError } from "../http/errors.ts";
import { NoAnswerError } from "../http/no-answer-error.ts";
import { sizeText } from "../text/format.ts";
import type { Identity, Part } from "./part.ts";

/** Requests the file with these headers, from a newly signed address each time. */
export type OpenSource = (headers: Readonly<Record<string, string>>) => Promise<StreamAnswer>;

/** The surroundings and limits of a download. */
export interface DownloadSettings {
  readonly signal: AbortSignal;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** The most bytes to receive, after the content encoding is decoded, whatever length the server announces. */
  readonly maxBytes: number;
  /** Receives the bytes so far, and the total if known. */
  readonly onProgress: (done: number, total: number | undefined) => void;
}

/** How many attempts in a row may bring no new bytes. */
const maxAttempts = 5;

/**
 * Downloads the rest of a part: resumes with `Range` and `If-Range`, retries when the connection is lost, and starts over
 * when the file changed or the server does not support ranges. When it throws, the part keeps what was received.
 */
export async function download(open: OpenSource, part: Part, settings: DownloadSettings): Promise<void> {
  const { signal, sleep, random } = settings;
  let longest = part.length;
  let attempts = 0;
  let startOver = false;
  for (;;) {
    if (isComplete(part)) return;
    const resuming = part.length > 0 && !startOver;
    try {
      const received = await request(open, part, resuming, settings);
      if (received !== "nothing") return;
      startOver = true;
    } catch (error) {
      part.flush();
      if (signal.aborted) throw signal.reason;
      const next = nextStep(error, resuming);
      if (next === "give up" || (attempts >= maxAttempts && part.length <= longest)) throw error;
      startOver = next === "start over";
    }
    if (part.length > longest) attempts = 0;
    longest = Math.max(longest, part.length);
    attempts += 1;
    if (attempts > maxAttempts) throw changingFile();
    await sleep(Math.round(random() * Math.min(8_000, 200 * 2 ** attempts)), signal);
  }
}

function isComplete({ length, identity }: Part): boolean {
  return identity?.total !== undefined && length === identity.total;
}

/** Sends one request and appends the response to the part; "nothing" if it does not continue the part. */
async function request(
  open: OpenSource,
  part: Part,
  resuming: boolean,
  settings: DownloadSettings,
): Promise<"all" | "rest" | "nothing"> {
  const known = part.identity;
  const condition = known?.validator === undefined ? {} : { "if-range": known.validator };
  const answer = await withNewAddress(() => open(resuming ? { range: `bytes=${part.length}-`, ...condition } : {}));
  try {
    const head = readFileHead(answer, part.source);
    if (head.brings === "nothing") return "nothing";
    if ((head.identity.total ?? 0) > settings.maxBytes) throw tooLarge(settings.maxBytes);
    if (head.brings === "all") part.start(head.identity);
    else if (!resuming || head.from !== part.length || head.identity.total !== known?.total) return "nothing";
    // Some servers ignore If-Range.
    else if (head.identity.validator !== known?.validator) return "nothing";
    const total = head.identity.total;
    settings.onProgress(part.length, total);
    await answer.body.drain((piece) => {
      if (part.length + piece.length > settings.maxBytes) {
        // The server announced no length, so the file may be endless: it must not be resumed.
        part.remove();
        throw tooLarge(settings.maxBytes);
      }
      part.append(piece);
      settings.onProgress(part.length, total);
    });
    part.flush();
    if (total !== undefined && part.length !== total) {
      throw new NoAnswerError("connection_lost", `${answer.url.host} closed the connection before the end`, "sent");
    }
    return head.brings;
  } finally {
    answer.body.destroy();
  }
}

/** Retries once when a signed address is refused, because it may have expired (docs/server-differences.md, "Artifacts"). */
async function withNewAddress(open: () => Promise<StreamAnswer>): Promise<StreamAnswer> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DeniedError)) throw error;
    return open();
  }
}

/** What to do after an error. */
function nextStep(error: unknown, resuming: boolean): "resume" | "start over" | "give up" {
  if (error instanceof NoAnswerError) {
    return error.code === "tls" || error.code === "proxy" || error.code === "not_http" ? "give up" : "resume";
  }
  if (!(error instanceof HttpError) || !resuming) return "give up";
  const { status } = error.exchange;
  // The range is past the end (416), or the server cannot handle ranges.
  return status === 416 || status === 412 || status === 400 || status >= 500 ? "start over" : "give up";
}

/** The failure of a file that is larger than the limit, in bytes. */
export function tooLarge(max: number): Failure {
  return new Failure("too_large", `The file is larger than the limit of ${sizeText(max)}`, {
    hint: "If you trust it, raise the limit with --max-size.",
  });
}

function changingFile(): Failure {
  return new Failure("changing_file", "The file on the server changes with every request", {
    hint: "Try again later.",
  });
}

/** What the response head says about the body: the whole file, the rest of it, or nothing usable. */
export type FileHead =
  | { readonly brings: "all"; readonly identity: Identity }
  | { readonly brings: "rest"; readonly identity: Identity; readonly from: number }
  | { readonly brings: "nothing" };

/** Reads the response head. Throws a `BrokenAnswerError` when the body is a web page instead of the file. */
export function readFileHead(answer: StreamAnswer, source: string): FileHead {
  const { status, headers } = answer;
  if (/^text\/html\b/i.test(headers["content-type"] ?? "")) {
    const message = `${answer.url.host} sent a web page instead of the file`;
    const hint = "It may come from a proxy or a sign-in page. What was downloaded so far is kept.";
    throw new BrokenAnswerError(message, { status, method: "GET", path: answer.url.pathname, hint });
  }
  // With a content encoding, lengths and ranges are those of the encoded body.
  const isEncoded = !/^(identity)?$/i.test(headers["content-encoding"] ?? "");
  if (status === 206) {
    const [, from = "", last = "", total = ""] =
      /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"]?.trim() ?? "") ?? [];
    if (from === "" || isEncoded || Number(last) + 1 !== Number(total)) return { brings: "nothing" };
    return {
      brings: "rest",
      from: Number(from),
      identity: { source, total: Number(total), validator: validator(headers) },
    };
  }
  if (status !== 200) return { brings: "nothing" };
  const length = isEncoded ? undefined : headers["content-length"];
  const total = length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
  return { brings: "all", identity: { source, total, validator: isEncoded ? undefined : validator(headers) } };
}

/** The value for `If-Range`: a strong ETag, or the modification time (RFC 9110 13.1.5). */
function validator(headers: StreamAnswer["headers"]): string | undefined {
  const tag = headers["etag"];
  return tag?.startsWith('"') ? tag : headers["last-modified"];
}
