import { jsonText } from "../text/json.ts";
import { safe } from "../text/safe.ts";
import { maskHeaders, maskUrl, maskValue, sentSecrets } from "./mask.ts";
import type { WireHead, WireRequest } from "./transport.ts";

/** Writes one line of the debug log. */
export type DebugLog = (line: string) => void;

const maxBodyLength = 2_000;

/** Logs a request with all secrets masked, among them the headers whose lower-case names are given. */
export function debugRequest(
  log: DebugLog,
  request: WireRequest,
  body: unknown,
  secretHeaders: readonly string[] = [],
): void {
  log(`> ${request.method} ${maskUrl(request.url)}`);
  for (const line of maskHeaders(request.headers, secretHeaders)) log(`> ${line}`);
  if (body !== undefined && request.body !== undefined) log(`> ${jsonText(maskValue(body)).slice(0, maxBodyLength)}`);
}

/** Logs the status and headers of a response. The body is what the command prints, or the error. */
export function debugResponse(log: DebugLog, request: WireRequest, response: WireHead): void {
  const hide = sentSecrets(request.headers);
  log(`< ${response.status} ${request.method} ${maskUrl(request.url)}`);
  for (const line of maskHeaders(response.headers)) log(safe(`< ${hide(line)}`));
}

/** What of a write could not be undone. */
export interface UndoForecast {
  /** Why it could not be undone. */
  readonly cannot?: string;
  /** What would stay otherwise: `undo does not restore the stars that it removed`. */
  readonly remaining?: readonly string[] | undefined;
}

/** Thrown instead of sending the first write with `--dry-run`. The command then exits with 0. */
export class DryRun extends Error {
  override readonly name = "DryRun";
  constructor(
    readonly method: string,
    readonly url: URL,
    readonly body: unknown,
    readonly forecast: UndoForecast = {},
    /** Whose write it would be, if not that of the account that is signed in. */
    readonly sudo?: { readonly user: string; readonly administrator: string | null },
    /** The files that would be uploaded with it. */
    readonly uploads?: readonly { readonly name: string; readonly size: number }[],
  ) {
    super("dry run");
  }
}
