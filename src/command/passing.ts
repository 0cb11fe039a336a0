import type { Failure } from "./failure.ts";

/** Whether a failure may pass by itself, so that who watches looks again. */
export function isPassing({ exit }: Failure): boolean {
  return exit === "noAnswer" || exit === "serverFailed" || exit === "rateLimited";
}
