import { logOf } from "../actions/log.ts";
import { disposition, ranged } from "../http/range.ts";
import { found, notFound } from "../http/refusal.ts";
import { json, type Reply } from "../http/reply.ts";
import { type Call, get } from "../http/route.ts";
import type { Area } from "../site.ts";
import { jobWire } from "../wire/actions.ts";

const reading = { repo: "actions", signedIn: true } as const;
/** How long a log is kept: a year. */
const keptFor = 365 * 86_400_000;
const one = "/repos/{owner}/{repo}/actions/jobs/{job}";

/** A job and its log (api-facts 3.6.7). */
export const jobs: Area = {
  routes: [get(one, reading, (call) => json(200, jobWire(call, found(jobAt(call))))), get(`${one}/logs`, reading, log)],
};

function jobAt({ site, repo, number }: Call<typeof reading>) {
  const job = site.store.table("jobs").get(number("job"));
  return job?.repoId === repo.id ? job : undefined;
}

function log(call: Call<typeof reading>): Reply {
  const { site, headers } = call;
  const job = found(jobAt(call), `run job with id ${call.number("job")}: resource does not exist`);
  const now = site.clock();
  if (job.start === null || job.start > now) notFound("job not started");
  if (job.end !== null && job.end + keptFor <= now) notFound("logs have been cleaned up");
  const run = found(site.store.table("runs").get(job.runId));
  const runner = site.store.table("runners").get(job.runnerId)?.name ?? "runner";
  const body = Buffer.from(logOf(job, runner, run.event, now));
  const name = `${run.workflow.replace(/\.ya?ml$/, "")}-${job.name}-${job.taskId}.log`;
  const more = { "Content-Disposition": disposition("attachment", name), "Accept-Ranges": "bytes" };
  const tooFar = { message: "invalid range: failed to overlap", size: true };
  return ranged(body, headers.range, "text/plain; charset=utf-8", more, tooFar);
}
