import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { shownName } from "../../archive/archive-failure.ts";
import { Failure } from "../../failure/failure.ts";
import type { Artifact } from "../../forge/artifacts.ts";
import { fullName } from "../../repo/repo-name.ts";
import { contextPattern } from "../../text/glob.ts";
import { type FindContext, findRun } from "../run/find.ts";
import { parseRun } from "../run/selector.ts";

type Context = Pick<BaseContext, "out"> & RepositoryContext;

/** Which artifacts of a run are meant; all of them without names and patterns. */
export interface Wanted {
  readonly name: readonly string[];
  readonly pattern: readonly string[];
}

/**
 * The newest artifact of each wanted name of a run, whose list has those of every attempt. Expired ones are left out
 * with a warning. Throws when a name is not there, or nothing is left.
 */
export async function selectArtifacts(run: number, wanted: Wanted, context: Context): Promise<Artifact[]> {
  const { repo, out } = context;
  const newest = await newestArtifacts(run, context);
  const where = `run ${run} of ${fullName(repo)}`;
  if (newest.length === 0) throw missing(`There are no artifacts of ${where}, or there is no such run`);
  const named = new Set(newest.map((one) => one.name));
  const hint = `There are: ${[...named].map(shownName).join(", ")}`;
  const unknown = wanted.name.filter((name) => !named.has(name));
  if (unknown.length > 0) throw missing(`There is no artifact ${unknown.map(shownName).join(", ")} of ${where}`, hint);
  const patterns = wanted.pattern.map(contextPattern);
  const every = wanted.name.length === 0 && patterns.length === 0;
  const chosen = newest.filter(
    ({ name }) => every || wanted.name.includes(name) || patterns.some((matches) => matches(name)),
  );
  if (chosen.length === 0) throw missing(`No artifact of ${where} has such a name`, hint);
  const expired = chosen.filter((one) => one.expired).map((one) => shownName(one.name));
  if (expired.length === chosen.length) throw missing(`The artifacts of ${where} have expired: ${expired.join(", ")}`);
  if (expired.length > 0) out.warn(`Expired, and so left out: ${expired.join(", ")}`);
  return chosen.filter((one) => !one.expired);
}

/** The artifacts of a run. A rerun leaves several of one name: the highest id is the newest. */
export async function newestArtifacts(run: number, { forge, repo }: RepositoryContext): Promise<Artifact[]> {
  const newest = new Map<string, Artifact>();
  for await (const one of forge.artifacts.ofRun(repo, run).take(Number.POSITIVE_INFINITY)) {
    const known = newest.get(one.name);
    if (known === undefined || one.id > known.id) newest.set(one.name, one);
  }
  return [...newest.values()];
}

function missing(message: string, hint?: string): Failure {
  return new Failure("not_found", "notFound", message, { hint });
}

/** The id of the run that is meant, named as `run view` takes it; left out, the newest of the branch here, else of all. */
export async function runId(typed: string | undefined, context: FindContext): Promise<number> {
  const selector = typed === undefined ? ({ by: "current" } as const) : parseRun(typed);
  if (selector.by === "id") return selector.id;
  const found = await findRun(selector, context);
  if (found.kind === "run") return found.run.id;
  throw new Failure(
    "no_runs",
    "notFound",
    `The server of ${fullName(context.repo)} keeps tasks only, and no artifacts`,
    {
      hint: "Fetch them from the run's page: tongs run view --web",
    },
  );
}
