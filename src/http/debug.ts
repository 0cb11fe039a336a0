import { jsonText } from "../text/json.ts";
import { safe } from "../text/safe.ts";
import { maskHeaders, maskUrl, maskValue } from "./mask.ts";
import type { WireHead, WireRequest } from "./transport.ts";

/** Takes one line of the debug log. */
export type DebugLog = (line: string) => void;

const longest = 2_000;

/** Writes a request with every secret masked. */
export function debugRequest(log: DebugLog, request: WireRequest, body: unknown): void {
  log(`> ${request.method} ${maskUrl(request.url)}`);
  for (const line of maskHeaders(request.headers)) log(`> ${line}`);
  if (body !== undefined && request.body !== undefined) log(`> ${jsonText(maskValue(body)).slice(0, longest)}`);
}

/** Writes the head of an answer. Its body is what the command prints, or the error. */
export function debugResponse(log: DebugLog, request: WireRequest, response: WireHead): void {
  log(`< ${response.status} ${request.method} ${maskUrl(request.url)}`);
  for (const line of maskHeaders(response.headers)) log(safe(`< ${line}`));
}

/** Thrown in place of the first write under `--dry-run`: what would have been sent. It ends the command with success. */
export class DryRun extends Error {
  override readonly name = "DryRun";
  constructor(
    readonly method: string,
    readonly url: URL,
    readonly body: unknown,
  ) {
    super("dry run");
  }
}

/** Stops a write. */
export function refuseWrite(request: WireRequest, body: unknown): void {
  if (request.method !== "GET" && request.method !== "HEAD") throw new DryRun(request.method, request.url, body);
}
