import type { WireRequest } from "./transport.ts";

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
