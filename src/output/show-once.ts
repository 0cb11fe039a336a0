import type { Failure } from "../failure/failure.ts";
import { brokenReason, type OutputStream } from "../system/output-stream.ts";
import { asFailure } from "./report-failure.ts";

/**
 * Prints a value that cannot be shown again: a password, a token, a secret. Call it before printing anything else. If
 * writing fails, throws the failure that `lost` returns for the reason, which says how to get another value.
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
