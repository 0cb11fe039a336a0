import { Failure } from "./failure.ts";

/** The command line cannot be understood or lacks something. Thrown before anything is sent. */
export class UsageError extends Failure {
  override readonly name = "UsageError";
  constructor(message: string, hint?: string) {
    super("usage", "usage", message, { hint });
  }
}
