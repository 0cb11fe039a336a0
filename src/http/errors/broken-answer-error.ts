import { Failure } from "../../command/failure.ts";

/** An answer came, but it cannot be read: HTML instead of JSON, broken JSON, too large, wrongly encoded. */
export class BrokenAnswerError extends Failure {
  override readonly name = "BrokenAnswerError";
  constructor(
    message: string,
    details: { readonly status: number; readonly method: string; readonly path: string; readonly hint?: string },
  ) {
    super("broken_answer", "serverFailed", message, details);
  }
}
