import type { StreamAnswer } from "../http/answers.ts";
import { BrokenAnswerError } from "../http/errors.ts";
import type { Identity } from "./part.ts";

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
