import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { repositoryOf } from "../../app/shared.ts";
import { displayName } from "../../archive/archive-failure.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { type Artifact, runArtifactList } from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { fullName, isSameRepo } from "../../repo/repo-name.ts";
import { contextPattern } from "../../text/glob.ts";
import { type FindContext, findRun } from "../run/find.ts";
import { parseRun, type RunSelector } from "../run/selector.ts";

type Context = Pick<BaseContext, "out"> & RepositoryContext;

/** Selects artifacts of a run by name: those that equal a name or match a pattern, or all if there are none of both. */
export interface ArtifactFilter {
  readonly name: readonly string[];
  readonly pattern: readonly string[];
}

/**
 * The selected artifacts of a run, the newest of each name. Expired ones are skipped with a warning. Throws a `not_found`
 * failure when a name does not exist, or no artifact is left.
 */
export async function selectArtifacts(run: number, filter: ArtifactFilter, context: Context): Promise<Artifact[]> {
  const { repo, out } = context;
  const newest = await newestArtifacts(run, context);
  const where = `run ${run} of ${fullName(repo)}`;
  if (newest.length === 0) throw missing(`No artifacts found in ${where}, or the run does not exist`);
  const named = new Set(newest.map((one) => one.name));
  const hint = `Available: ${[...named].map(displayName).join(", ")}`;
  const unknown = filter.name.filter((name) => !named.has(name));
  if (unknown.length > 0) throw missing(`No artifact ${unknown.map(displayName).join(", ")} found in ${where}`, hint);
  const patterns = filter.pattern.map(contextPattern);
  const all = filter.name.length === 0 && patterns.length === 0;
  const chosen = newest.filter(
    ({ name }) => all || filter.name.includes(name) || patterns.some((matches) => matches(name)),
  );
  if (chosen.length === 0) throw missing(`No artifact of ${where} matches the pattern`, hint);
  const expired = chosen.filter((one) => one.expired).map((one) => displayName(one.name));
  if (expired.length === chosen.length) throw missing(`The artifacts of ${where} have expired: ${expired.join(", ")}`);
  if (expired.length > 0) out.warn(`Skipped expired artifacts: ${expired.join(", ")}`);
  return chosen.filter((one) => !one.expired);
}

/** The newest artifact of each name in a run. Reruns create artifacts with the same names and higher IDs. */
export async function newestArtifacts(run: number, { http, repo }: RepositoryContext): Promise<Artifact[]> {
  const newest = new Map<string, Artifact>();
  for await (const one of call(http, runArtifactList, { repo, run }).take(Number.POSITIVE_INFINITY)) {
    const known = newest.get(one.name);
    if (known === undefined || one.id > known.id) newest.set(one.name, one);
  }
  return [...newest.values()];
}

function missing(message: string, hint?: string): Failure {
  return new Failure("not_found", message, { hint });
}

/**
 * The run that `--run` selects, as for `run view`; by default the latest run of the current branch, or the latest run.
 * Throws a usage error for the URL of a run in another repository: `--run` does not select the repository.
 */
export function parseRunFlag(
  typed: string | undefined,
  context: Pick<BaseContext, "profiles"> & RepositoryContext,
): RunSelector {
  const selector: RunSelector = typed === undefined ? { by: "current" } : parseRun(typed);
  if (selector.by !== "url") return selector;
  const repo = repositoryOf(selector.repository, context);
  if (isSameRepo(repo, context.repo)) return selector;
  throw new UsageError(
    `${typed} is not a run of ${fullName(context.repo)}`,
    `Select its repository: -R ${fullName(repo)}`,
  );
}

/** The ID of the selected run. Throws a `no_runs` failure when the server has no run records. */
export async function runId(selector: RunSelector, context: FindContext): Promise<number> {
  if (selector.by === "id") return selector.id;
  const found = await findRun(selector, context);
  if (found.kind === "run") return found.run.id;
  throw new Failure(
    "no_runs",
    `The server of ${fullName(context.repo)} has no run records, and no artifacts to download`,
    {
      hint: "Download them in a browser: tongs run view --web",
    },
  );
}
