import type { ExitName } from "./exit-codes.ts";
import { type Outcome, outcomes } from "./outcomes.ts";

/** A field of a write that the server did not apply: what was asked for, and what it is afterwards. */
export interface IgnoredField {
  readonly name: string;
  readonly requested: unknown;
  readonly actual: unknown;
}

/** Details of a failure, besides its message. */
export interface FailureDetails {
  /** What to do next, in the imperative. */
  readonly hint?: string | undefined;
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  /** The path below the server's address, with secrets masked. */
  readonly path?: string | undefined;
  /** The request ID, if the server sent one. */
  readonly request?: string | undefined;
  readonly cause?: unknown;
  /** Of `ignored`. */
  readonly fields?: readonly IgnoredField[] | undefined;
}

/**
 * An expected error: the message, hint and exit code to print, and a stable `code` for scripts. Any other exception is
 * reported as a bug in tongs.
 */
export class Failure extends Error {
  override readonly name: string = "Failure";
  readonly exit: ExitName;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly request: string | undefined;
  readonly fields: readonly IgnoredField[] | undefined;

  constructor(
    readonly code: Outcome,
    message: string,
    details: FailureDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.exit = outcomes[code].exit;
    this.hint = details.hint;
    this.status = details.status;
    this.method = details.method;
    this.path = details.path;
    this.request = details.request;
    this.fields = details.fields;
  }
}

/** The command line is not valid or incomplete. Thrown before anything is sent. */
export class UsageError extends Failure {
  override readonly name = "UsageError";
  constructor(message: string, hint?: string) {
    super("usage", message, { hint });
  }
}

/** Adds a line to the hint of a failure. */
export function withHint(failure: Failure, hint: string): Failure {
  return changed(failure, { hint: failure.hint === undefined ? hint : `${failure.hint}\n${hint}` });
}

/** Says before the message of a failure what was done in spite of it. */
export function withSuccess(failure: Failure, done: string): Failure {
  return changed(failure, { message: `${done}, but the result could not be read: ${failure.message}` });
}

/** The same failure with other words. */
export function inWords(failure: Failure, words: (text: string) => string): Failure {
  const { hint } = failure;
  return changed(failure, { message: words(failure.message), ...(hint === undefined ? {} : { hint: words(hint) }) });
}

/** The failure of something that was not found among records of which some could not be read. */
export function withUnread(failure: Failure): Failure {
  return changed(failure, { code: "partly_read" });
}

/** A copy of the same class, caused by the original. */
export function changed(
  failure: Failure,
  change: { readonly code?: Outcome; readonly message?: string; readonly hint?: string },
): Failure {
  const { code = failure.code, message = failure.message, hint = failure.hint } = change;
  const copy = new Failure(code, message, { cause: failure });
  Object.assign(copy, failure, { code, exit: copy.exit, hint });
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(failure));
}

/** The result; undefined if there is a failure instead, which is for work that only tells more. */
export function unlessFailed<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  });
}

/** Whether a failure is temporary, so that a watching command should retry. */
export function isTransient({ exit }: Failure): boolean {
  return exit === "noAnswer" || exit === "serverFailed" || exit === "rateLimited";
}
