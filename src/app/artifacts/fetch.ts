import { displayName } from "../../archive/archive-failure.ts";
import { defaultLimits } from "../../archive/limits.ts";
import { fileNames } from "../../download/file-names.ts";
import { semaphore } from "../../download/semaphore.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import type { Artifact } from "../../forge/artifacts.ts";
import { maxConnections } from "../../http/transport.ts";
import { bars } from "../../output/bars.ts";
import { fullName } from "../../repo/repo-name.ts";
import { fullPath, shownPath } from "../../system/files.ts";
import { sizeText } from "../../text/format.ts";
import { type BatchItem, batch } from "../batch.ts";
import { type FetchContext, type FetchOptions, fetchArtifact } from "./fetch-artifact.ts";
import { newestArtifacts } from "./select.ts";

/** The default number of parallel downloads. */
export const defaultJobs = 4;

/**
 * Downloads artifacts in parallel. One artifact is unpacked into the folder, several are unpacked into subfolders named
 * after them. Continues after a failure, and returns the exit name of the batch.
 */
export async function fetchArtifacts(
  artifacts: readonly Artifact[],
  options: FetchOptions & { readonly jobs: number },
  context: FetchContext,
): Promise<ExitName | undefined> {
  const { out, system, repo } = context;
  const into = fullPath(options.dir, system);
  const names = fileNames(artifacts);
  const shared = { into, hasOwnFolder: artifacts.length > 1, options, context };
  const newSlot = semaphore(options.jobs);
  const progress = await bars({ system, out, quiet: context.options.quiet });

  const work = async (artifact: Artifact): Promise<BatchItem> => {
    const fileName = names.get(artifact.id) ?? String(artifact.id);
    const about = `${displayName(artifact.name)} (${sizeText(artifact.size_in_bytes)}) from ${fullName(repo)}`;
    if (context.options.dryRun) return { message: `Would download ${about} to ${shownPath(into, system)}` };
    const bar = progress.add(displayName(artifact.name));
    try {
      const { path, isExisting } = await fetchArtifact({ ...shared, artifact, fileName, bar, slot: newSlot() });
      const message = isExisting
        ? `${shownPath(path, system)} already exists`
        : `Downloaded ${about} to ${shownPath(path, system)}`;
      return { message, prints: shownPath(path, system), record: { ...artifact, path } };
    } finally {
      bar.end();
    }
  };
  try {
    return await batch(artifacts, work, context, {
      jobs: parallelJobs(options.jobs),
      name: (artifact) => displayName(artifact.name),
    });
  } catch (error) {
    if (system.signal.aborted) out.note("What was downloaded is kept. Run the same command again to resume.");
    throw error;
  }
}

/**
 * How many artifacts are in progress for so many downloads: while some download, the next ones request their addresses
 * and the last ones unpack. A single job runs alone. Each has a connection of its own, so that none blocks another.
 */
function parallelJobs(jobs: number): number {
  return Math.min(3 * jobs - 2, maxConnections);
}

/**
 * Downloads the artifacts of a run for another command, as `fetchArtifacts` does, but prints nothing to stdout. A run
 * without artifacts is not a failure. Returns the exit name of the batch.
 */
export async function collectArtifacts(
  context: FetchContext,
  run: number,
  { dir, jobs = defaultJobs }: { readonly dir: string; readonly jobs?: number },
): Promise<ExitName | undefined> {
  const { out } = context;
  const artifacts = (await newestArtifacts(run, context)).filter((one) => !one.expired);
  if (artifacts.length === 0) {
    out.note(`Run ${run} has no artifacts.`);
    return undefined;
  }
  const onStderr = { ...out, records: false, done: (message: string) => out.done(message) };
  const options = { dir, jobs, zip: false, onExisting: "refuse", limits: defaultLimits } as const;
  return fetchArtifacts(artifacts, options, { ...context, out: onStderr });
}
