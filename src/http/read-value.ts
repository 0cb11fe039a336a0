import { isUtf8 } from "node:buffer";
import { parseJson } from "../text/json.ts";
import type { Answer } from "./answers.ts";
import { BrokenAnswerError } from "./errors.ts";
import type { WireHead, WireRequest } from "./transport.ts";

/** The value of a successful answer. Throws a `BrokenAnswerError` when JSON was promised and something else came. */
export async function readValue(
  answer: Answer<unknown>,
  bytes: Buffer,
  { status, headers }: WireHead,
  request: WireRequest,
): Promise<unknown> {
  if (answer.kind === "status") return status;
  if (answer.kind === "yes-no") return true;
  if (answer.kind === "nothing") return undefined;
  if (answer.kind === "text") return bytes;
  const about = { status, method: request.method, path: request.url.pathname };
  const { host } = request.url;
  if (bytes.length === 0) {
    if (status > 201) return null;
    throw new BrokenAnswerError(`${host} answered ${status} with nothing where JSON was due`, about);
  }
  const content = utf8(bytes);
  if (content === undefined) throw new BrokenAnswerError(`The answer of ${host} is not valid UTF-8`, about);
  try {
    return await parseJson(content);
  } catch {
    const html = /^\s*</.test(content);
    const what = html ? `an HTML page${title(content)}` : "something that is not JSON";
    const hint = html
      ? "Is this the address of a Gitea or Forgejo server (with its path prefix), or does a proxy want a sign-in?"
      : undefined;
    const sent = headers["content-type"] ?? "";
    const message = `${host} answered with ${what} ${sent === "" ? "" : `(${sent})`}`.trim();
    throw new BrokenAnswerError(message, { ...about, ...(hint === undefined ? {} : { hint }) });
  }
}

/** The body of an error, as far as it can be read: JSON, or text, or nothing. */
export async function looseBody(bytes: Buffer): Promise<unknown> {
  const content = bytes.toString("utf8");
  if (content === "") return undefined;
  try {
    return await parseJson(content);
  } catch {
    return content.trim();
  }
}

/** The text of bytes without a byte order mark, or undefined when they are not UTF-8. */
function utf8(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function title(html: string): string {
  const found = /<title[^>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim();
  return found === undefined || found === "" ? "" : ` titled “${found}”`;
}
