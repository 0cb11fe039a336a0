import { usualLimits } from "../../archive/bombs.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { type FetchContext, fetchArtifacts } from "./fetch.ts";
import { newestArtifacts } from "./select.ts";

/** How many downloads are under way at once. */
export const usualJobs = 4;

/**
 * Downloads the artifacts of a run for a command whose result is another: says on stderr what it did, prints nothing.
 * A run without artifacts is no failure. One alone unpacks into `dir`, several each into a folder of their name. The exit name is that of a batch.
 */
export async function collectArtifacts(
  context: FetchContext,
  run: number,
  { dir, jobs = usualJobs }: { readonly dir: string; readonly jobs?: number },
): Promise<ExitName | undefined> {
  const { out } = context;
  const artifacts = (await newestArtifacts(run, context)).filter((one) => !one.expired);
  if (artifacts.length === 0) {
    out.note(`Run ${run} left no artifacts.`);
    return undefined;
  }
  const onStderr = { ...out, records: false, done: (message: string) => out.done(message) };
  const options = { dir, jobs, zip: false, existing: "refuse", limits: usualLimits } as const;
  return fetchArtifacts(artifacts, options, { ...context, out: onStderr });
}
