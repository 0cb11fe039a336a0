import { Failure } from "../failure/failure.ts";
import type { StreamAnswer } from "../http/answers.ts";
import { BrokenAnswerError, HttpError } from "../http/errors.ts";
import { NoAnswerError } from "../http/no-answer-error.ts";
import { sizeText } from "../text/format.ts";
import type { Identity, Part } from "./part.ts";

/** Asks for the file, by a newly signed address each time. */
export type OpenSource = (headers: Readonly<Record<string, string>>) => Promise<StreamAnswer>;

/** What a download needs besides. */
export interface DownloadSettings {
  readonly signal: AbortSignal;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** The most bytes that are received, whatever the server says, after unpacking what was packed for the way. */
  readonly mostBytes: number;
  /** Sees the bytes pass by, and where in the file they stand. They are lent. */
  readonly onPiece?: ((piece: Buffer, position: number) => void) | undefined;
  /** Told how far it is. */
  readonly onProgress: (done: number, total: number | undefined) => void;
}

/** Tries without a further byte, or from the beginning once more, before it is given up. */
const mostTries = 5;

/**
 * Brings a part to its full length: from where it is by `Range` and `If-Range`, again after a lost connection, from the
 * beginning when the file has changed or the server does not keep to ranges. What is there stays there when it throws.
 */
export async function download(open: OpenSource, part: Part, settings: DownloadSettings): Promise<void> {
  const { signal, sleep, random } = settings;
  let farthest = part.length;
  let tries = 0;
  let whole = false;
  for (;;) {
    if (isComplete(part)) return;
    const resuming = part.length > 0 && !whole;
    try {
      const used = await once(open, part, resuming, settings);
      if (used !== "nothing") return;
      whole = true;
    } catch (error) {
      part.flush();
      if (signal.aborted) throw signal.reason;
      const next = after(error, resuming);
      if (next === "give up" || (tries >= mostTries && part.length <= farthest)) throw error;
      whole = next === "whole";
    }
    if (part.length > farthest) tries = 0;
    farthest = Math.max(farthest, part.length);
    tries += 1;
    if (tries > mostTries) throw unsteady();
    await sleep(Math.round(random() * Math.min(8_000, 200 * 2 ** tries)), signal);
  }
}

function isComplete({ length, identity }: Part): boolean {
  return identity?.total !== undefined && length === identity.total;
}

/** One request, and what its answer brought. Nothing means that it fits the part not: that has to be begun anew. */
async function once(
  open: OpenSource,
  part: Part,
  resuming: boolean,
  settings: DownloadSettings,
): Promise<"all" | "rest" | "nothing"> {
  const known = part.identity;
  const condition = known?.validator === undefined ? {} : { "if-range": known.validator };
  const answer = await renewed(() => open(resuming ? { range: `bytes=${part.length}-`, ...condition } : {}));
  try {
    const head = readHead(answer, part.of);
    if (head.brings === "nothing") return "nothing";
    if ((head.identity.total ?? 0) > settings.mostBytes) throw tooLarge(settings.mostBytes);
    if (head.brings === "all") part.begin(head.identity);
    else if (!resuming || head.from !== part.length || head.identity.total !== known?.total) return "nothing";
    // Not even If-Range is honoured everywhere.
    else if (head.identity.validator !== known?.validator) return "nothing";
    const total = head.identity.total;
    settings.onProgress(part.length, total);
    await answer.body.drain((piece) => {
      if (part.length + piece.length > settings.mostBytes) {
        // It had no length: whoever sends without end has nothing to resume.
        part.remove();
        throw tooLarge(settings.mostBytes);
      }
      settings.onPiece?.(piece, part.length);
      part.append(piece);
      settings.onProgress(part.length, total);
    });
    part.flush();
    if (total !== undefined && part.length !== total) {
      throw new NoAnswerError("connection_lost", `${answer.url.host} ended the file too early`, "sent");
    }
    return head.brings;
  } finally {
    answer.body.destroy();
  }
}

/** Asks once more when the signed address is refused: it may have expired on the way (api-facts 3.6.8). */
async function renewed(open: () => Promise<StreamAnswer>): Promise<StreamAnswer> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof HttpError) || (error.exchange.status !== 401 && error.exchange.status !== 403)) throw error;
    return open();
  }
}

/** What to do after a failure: go on from where the part is, begin anew, or give up. */
function after(error: unknown, resuming: boolean): "resume" | "whole" | "give up" {
  if (error instanceof NoAnswerError) {
    return error.code === "tls" || error.code === "proxy" || error.code === "not_http" ? "give up" : "resume";
  }
  if (!(error instanceof HttpError) || !resuming) return "give up";
  const { status } = error.exchange;
  // The range lies behind the end (416), or is more than the server can do.
  return status === 416 || status === 412 || status === 400 || status >= 500 ? "whole" : "give up";
}

function tooLarge(most: number): Failure {
  return new Failure("too_large", "failure", `The file is larger than the limit of ${sizeText(most)}`, {
    hint: "If you trust it, raise the limit with --max-size.",
  });
}

function unsteady(): Failure {
  return new Failure(
    "changing_file",
    "serverFailed",
    "The file on the server changes, or begins anew, with every request",
    {
      hint: "Try again when nothing writes it any more.",
    },
  );
}

/** What the head of an answer says of the bytes that follow. */
export type Head =
  | { readonly brings: "all"; readonly identity: Identity }
  | { readonly brings: "rest"; readonly identity: Identity; readonly from: number }
  | { readonly brings: "nothing" };

/** Reads the head. Throws a `BrokenAnswerError` for a web page in place of the file. */
export function readHead(answer: StreamAnswer, of: string): Head {
  const { status, headers } = answer;
  if (/^text\/html\b/i.test(headers["content-type"] ?? "")) {
    const message = `${answer.url.host} answered with a web page instead of the file`;
    const hint = "A proxy or a sign-in page may stand between. What was downloaded so far is kept.";
    throw new BrokenAnswerError(message, { status, method: "GET", path: answer.url.pathname, hint });
  }
  const coded = !/^(identity)?$/i.test(headers["content-encoding"] ?? "");
  // Of a body that was packed for the way, neither length nor ranges count.
  if (status === 206) {
    const [, from = "", last = "", total = ""] =
      /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"]?.trim() ?? "") ?? [];
    if (from === "" || coded || Number(last) + 1 !== Number(total)) return { brings: "nothing" };
    return {
      brings: "rest",
      from: Number(from),
      identity: { of, total: Number(total), validator: validator(headers) },
    };
  }
  if (status !== 200) return { brings: "nothing" };
  const length = coded ? undefined : headers["content-length"];
  const total = length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
  return { brings: "all", identity: { of, total, validator: coded ? undefined : validator(headers) } };
}

/** What `If-Range` takes: a strong ETag, or the time of change (RFC 9110 13.1.5). */
function validator(headers: StreamAnswer["headers"]): string | undefined {
  const tag = headers["etag"];
  return tag?.startsWith('"') ? tag : headers["last-modified"];
}
