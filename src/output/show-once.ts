import type { Failure } from "../failure/failure.ts";
import { brokenReason, type OutputStream } from "../system/output-stream.ts";
import { asFailure } from "./report-failure.ts";

/**
 * Prints what can be shown only once: a password, a token, a secret. Call it before anything else is printed. When it
 * cannot be written, whatever the reason, it throws what `lost` makes of that reason: a failure that says what exists
 * and how to get another.
 */
export async function showOnce(
  stdout: OutputStream,
  show: () => Promise<void>,
  lost: (reason: string) => Failure,
): Promise<void> {
  stdout.keepGoing();
  try {
    await show();
  } catch (error) {
    throw lost(asFailure(error).message);
  }
  const error = await stdout.flushed();
  if (error !== undefined) throw lost(brokenReason(error));
}
