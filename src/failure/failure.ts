import type { ExitName } from "./exit-codes.ts";

/** What a failure can say besides its sentence. */
export interface FailureDetails {
  /** What to do next, in one sentence. */
  readonly hint?: string | undefined;
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  /** The path below the server's address, without secrets. */
  readonly path?: string | undefined;
  /** The server's own name for the request, where it sent one. */
  readonly request?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A failure that a user can cause or meet. It carries all that is printed: a sentence, a hint, the exit code, and for
 * scripts a stable `code`. Anything else that is thrown is a bug in tongs and is reported as one.
 */
export class Failure extends Error {
  override readonly name: string = "Failure";
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly request: string | undefined;

  constructor(
    readonly code: string,
    readonly exit: ExitName,
    message: string,
    details: FailureDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.hint = details.hint;
    this.status = details.status;
    this.method = details.method;
    this.path = details.path;
    this.request = details.request;
  }
}

/** The command line cannot be understood or lacks something. Thrown before anything is sent. */
export class UsageError extends Failure {
  override readonly name = "UsageError";
  constructor(message: string, hint?: string) {
    super("usage", "usage", message, { hint });
  }
}

/** The same failure with one more line of hint. */
export function withHint(failure: Failure, hint: string): Failure {
  const { code, exit, message, status, method, path, request } = failure;
  const lines = failure.hint === undefined ? hint : `${failure.hint}\n${hint}`;
  return new Failure(code, exit, message, { status, method, path, request, hint: lines, cause: failure });
}

/** Whether a failure may pass by itself, so that who watches looks again. */
export function isTransient({ exit }: Failure): boolean {
  return exit === "noAnswer" || exit === "serverFailed" || exit === "rateLimited";
}
