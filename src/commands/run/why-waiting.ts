import type { RepositoryContext } from "../../app/context.ts";
import { howToApprove } from "../../app/runs/find.ts";
import { currentUser } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import type { Job } from "../../forge/jobs.ts";
import type { Level } from "../../forge/level.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { readJob } from "../../forge/read-job.ts";
import { type Runner, readRunner, runnerList } from "../../forge/runners.ts";
import type { Run } from "../../forge/runs.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";

/** Explains, for each job that has not started, what it is waiting for. */
export async function whyWaiting(run: Run, jobs: readonly Job[], context: RepositoryContext): Promise<string[]> {
  const queued = jobs.filter((job) => readJob(job).state === "queued");
  const blocked = jobs.filter((job) => readJob(job).state === "waiting");
  const reasons: string[] = [];
  if (queued.length > 0) {
    const listed = await listedRunners(context);
    reasons.push(...queued.map((job) => explainQueued(job, listed, context.repo)));
  }
  if (blocked.length > 0 && blocked.length === jobs.length) {
    const how = await howToApprove(run, context);
    reasons.push(`No job can start: runs of pull requests from forks need approval. ${how}`);
  } else reasons.push(...blocked.map((job) => `${job.name} is waiting for the jobs it needs`));
  return reasons;
}

/** The runners that the user can list. */
interface Listed {
  readonly runners: readonly Runner[];
  /** Whether the server's own runners are among them. */
  readonly ofServer: boolean;
  /** The IDs of those of the repository and its owner. The list of the server has those of all others, too. */
  readonly own: ReadonlySet<number>;
}

/** The runners that the user can list, or why there are none. */
async function listedRunners(context: RepositoryContext): Promise<Listed | string> {
  const { http, repo } = context;
  const refusals: Failure[] = [];
  const orRefusal = async (list: () => Promise<Runner[] | undefined>): Promise<Runner[] | undefined> => {
    try {
      return await list();
    } catch (error) {
      if (!(error instanceof Failure && (error.exit === "denied" || error.exit === "notFound"))) throw error;
      refusals.push(error);
      return undefined;
    }
  };
  const ofLevel = (level: Level) => collect(call(http, runnerList, { level }));
  const ofUser = async () => {
    const isOwner = (await currentUser(context)).toLowerCase() === repo.owner.toLowerCase();
    return isOwner ? ofLevel({ of: "user" }) : undefined;
  };
  const all = await orRefusal(() => ofLevel({ of: "server" }));
  const ofRepository = await orRefusal(() => ofLevel({ of: "repository", repo }));
  const ofOwner =
    (await orRefusal(() => ofLevel({ of: "organization", org: repo.owner }))) ?? (await orRefusal(ofUser));
  const own = [...(ofRepository ?? []), ...(ofOwner ?? [])];
  const ids = new Set(own.map(({ id }) => id));
  if (all !== undefined) return { runners: all, ofServer: true, own: ids };
  if (ofRepository !== undefined || ofOwner !== undefined) return { runners: own, ofServer: false, own: ids };
  return refusals.some(({ exit }) => exit === "denied")
    ? "you do not have permission to list runners"
    : "the server does not list its runners";
}

function explainQueued(job: Job, listed: Listed | string, repo: RepoName): string {
  const required = readJob(job).labels;
  const start = `${job.name} is waiting for a runner with ${required.join(", ") || "any label"}`;
  if (typeof listed === "string") return `${start}; ${listed}`;
  const { runners, ofServer, own } = listed;
  const hidden = "those of the server are not visible to you";
  const matching = runners.filter((runner) => required.every((label) => readRunner(runner).labels.includes(label)));
  if (matching.length === 0) {
    const missing = required.filter((label) => !runners.some((runner) => readRunner(runner).labels.includes(label)));
    const what = missing.length > 0 ? missing.join(", ") : "all of them";
    const known =
      runners.map((runner) => `${runner.name} (${readRunner(runner).labels.join(", ")})`).join("; ") || "none";
    return ofServer
      ? `${start}: no runner has ${what}. Runners of the server: ${known}`
      : `${start}: none of the runners that you can list has ${what}; ${hidden}. Runners that you can list: ${known}`;
  }
  const isOwn = ({ id }: Runner) => own.has(id);
  const doubt = (some: readonly Runner[]) => {
    if (!ofServer) return `; ${hidden}`;
    return some.every(isOwn) ? "" : `; not every runner of the server is available to ${fullName(repo)}`;
  };
  const enabled = matching.filter((runner) => readRunner(runner).isOnline && !runner.disabled);
  if (enabled.length === 0) {
    const states = matching
      .map(({ name, status, disabled }) => `${name} is ${disabled ? "disabled" : status}`)
      .join(", ");
    return `${start}: ${states}${doubt(matching)}`;
  }
  const idle = enabled.filter((runner) => !readRunner(runner).isBusy);
  if (idle.length === 0) return `${start}: ${theyAre(enabled)} busy${doubt(enabled)}`;
  const sure = idle.filter(isOwn);
  if (sure.length > 0) return `${start}: ${sure.map(({ name }) => name).join(", ")} should pick it up soon`;
  return `${start}: ${theyAre(idle)} idle${doubt(idle)}`;
}

/** `dock-1 is`, `dock-1, dock-2 are`. */
function theyAre(runners: readonly Runner[]): string {
  return `${runners.map(({ name }) => name).join(", ")} ${runners.length === 1 ? "is" : "are"}`;
}
