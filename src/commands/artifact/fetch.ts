import { isAbsolute, relative, resolve } from "node:path";
import { type BatchItem, batch } from "../../app/batch.ts";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { semaphore } from "../../download/turns.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import type { Artifact } from "../../forge/artifacts.ts";
import { connections } from "../../http/transport.ts";
import { fullName } from "../../repo/repo-name.ts";
import { sizeText } from "../../text/format.ts";
import { type FetchOptions, fetchOne } from "./fetch-one.ts";
import { labels } from "./labels.ts";

export type FetchContext = Pick<BaseContext, "out" | "system" | "options"> & RepositoryContext;

/**
 * Downloads artifacts, several side by side, each into its place below the folder: one alone unpacks into it, several
 * each into a folder of their name. Goes on after a failure; the exit name is that of a batch.
 */
export async function fetchArtifacts(
  artifacts: readonly Artifact[],
  options: FetchOptions & { readonly jobs: number },
  context: FetchContext,
): Promise<ExitName | undefined> {
  const { out, system, repo } = context;
  const into = resolve(system.cwd, options.dir);
  const names = labels(artifacts);
  const several = artifacts.length > 1;
  const turn = semaphore(options.jobs);
  const { bars } = await import("../../output/bars.ts");
  const shown = bars({ system, out, quiet: context.options.quiet });

  const work = async (artifact: Artifact): Promise<BatchItem> => {
    const label = names.get(artifact.id) ?? String(artifact.id);
    const place = { into, label, several };
    const about = `${artifact.name} (${sizeText(artifact.size_in_bytes)}) of ${fullName(repo)}`;
    if (context.options.dryRun) return { message: `Would download ${about} to ${near(system.cwd, into)}` };
    const bar = shown.add(artifact.name);
    try {
      const { path, kept } = await fetchOne(artifact, place, options, { bar, turn: turn() }, context);
      const message = kept
        ? `${near(system.cwd, path)} is there already`
        : `Downloaded ${about} to ${near(system.cwd, path)}`;
      return { message, prints: near(system.cwd, path), record: { ...artifact, path } };
    } finally {
      bar.end();
    }
  };
  try {
    return await batch(artifacts, work, context, { jobs: atOnce(options.jobs), name: (artifact) => artifact.name });
  } catch (error) {
    if (system.signal.aborted) out.note("What was downloaded is kept; the same command goes on from there.");
    throw error;
  }
}

/**
 * How many are worked on at once for so many downloads: while those run, the next ones ask for their addresses, and the
 * last ones unpack. Of one job nothing runs beside it. Each has a connection, so that none waits for one it holds back.
 */
function atOnce(jobs: number): number {
  return Math.min(3 * jobs - 2, connections);
}

/** A path as a person would type it here. */
function near(cwd: string, path: string): string {
  const from = relative(cwd, path);
  if (from === "") return ".";
  return from.startsWith("..") || isAbsolute(from) ? path : from;
}
