import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import type { Job } from "../../forge/jobs.ts";
import type { Level } from "../../forge/level.ts";
import { runState } from "../../forge/run-or-task.ts";
import { type Runner, runnersApi } from "../../forge/runners.ts";
import type { Run } from "../../forge/runs.ts";
import { runPage } from "./find.ts";

/** Explains, for each job that has not started, what it is waiting for. */
export async function whyWaiting(run: Run, jobs: readonly Job[], context: RepositoryContext): Promise<string[]> {
  const queued = jobs.filter((job) => runState(job) === "queued");
  const blocked = jobs.filter((job) => runState(job) === "waiting");
  const reasons: string[] = [];
  if (queued.length > 0) {
    const runners = await availableRunners(context);
    reasons.push(...queued.map((job) => explainQueued(job, runners)));
  }
  if (blocked.length > 0 && blocked.length === jobs.length) {
    const page = runPage({ kind: "run", run }, context);
    reasons.push(`No job can start: runs of pull requests from forks need approval. Approve the run at ${page}`);
  } else reasons.push(...blocked.map((job) => `${job.name} is waiting for the jobs it needs`));
  return reasons;
}

/** The runners available to a repository, as far as the user may list them; undefined if the user may not. */
async function availableRunners({ http, repo }: RepositoryContext): Promise<Runner[] | undefined> {
  const levels: readonly (readonly Level[])[] = [
    [{ of: "server" }],
    [
      { of: "repository", repo },
      { of: "organization", org: repo.owner },
    ],
  ];
  for (const group of levels) {
    const found: Runner[] = [];
    let seen = false;
    for (const level of group) {
      try {
        for await (const runner of runnersApi(http).list(level).take(Number.POSITIVE_INFINITY)) found.push(runner);
        seen = true;
      } catch (error) {
        if (!(error instanceof Failure && (error.exit === "denied" || error.exit === "notFound"))) throw error;
      }
    }
    if (seen) return found;
  }
  return undefined;
}

function explainQueued(job: Job, runners: readonly Runner[] | undefined): string {
  const required = job.labels ?? [];
  const start = `${job.name} is waiting for a runner with ${required.join(", ") || "any label"}`;
  if (runners === undefined) return `${start}; you do not have permission to list runners`;
  const names = ({ labels }: Runner) => (labels ?? []).map(({ name }) => name);
  const matching = runners.filter((runner) => required.every((label) => names(runner).includes(label)));
  if (matching.length === 0) {
    const missing = required.filter((label) => !runners.some((runner) => names(runner).includes(label)));
    const why = missing.length > 0 ? `no runner has ${missing.join(", ")}` : "no runner has all of them";
    const available = runners.map((runner) => `${runner.name} (${names(runner).join(", ")})`).join("; ");
    return `${start}: ${why}. Available runners: ${available || "none"}`;
  }
  const enabled = matching.filter(({ status, disabled }) => status === "online" && !disabled);
  if (enabled.length === 0) {
    const states = matching
      .map(({ name, status, disabled }) => `${name} is ${disabled ? "disabled" : status}`)
      .join(", ");
    return `${start}: ${states}`;
  }
  const busy = enabled.every((runner) => runner.busy);
  return `${start}: ${enabled.map(({ name }) => name).join(", ")} ${busy ? "is busy" : "should pick it up soon"}`;
}
