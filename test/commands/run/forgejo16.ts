import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { replyOf } from "../../support/cassette.ts";
import type { Handler, Reply, Seen } from "../../support/server.ts";
import { unknownRoute } from "./forge.ts";

type Exchange = Parameters<typeof replyOf>[0];

/** A run as Forgejo 16 sends it, as far as the tests look at it. */
export interface Forgejo16Run {
  readonly id: number;
  readonly index_in_repo: number;
  readonly workflow_id: string;
  readonly prettyref: string;
  readonly commit_sha: string;
  readonly trigger_event: string;
  readonly status: string;
}

const file = fileURLToPath(new URL("../../data/cassettes/forgejo-16-actions.ndjson", import.meta.url));
const exchanges = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Exchange);

/** The recorded answer of a Forgejo 16.0. */
export function recorded(label: string): Reply {
  const found = exchanges.find((exchange) => exchange.label === label);
  if (found === undefined) throw new Error(`No exchange is labelled '${label}'`);
  return replyOf(found);
}

const runOf = (label: string) => recorded(label).body as Forgejo16Run;

/** The recorded runs, newest first: 21 is running, 17 succeeded, 16 failed. */
export const recordedRuns: readonly Forgejo16Run[] = [
  ...["run view, running", "run view, success", "run view, failed"].map(runOf),
  ...(recorded("runs list").body as { readonly workflow_runs: readonly Forgejo16Run[] }).workflow_runs,
];

const statuses = ["unknown", "waiting", "running", "success", "failure", "cancelled", "skipped", "blocked"];

/** What a server does differently from Forgejo 16.0. */
interface Differences {
  readonly runs?: readonly Forgejo16Run[];
  /** Filters that it does not have, such as `ref`. */
  readonly ignored?: readonly string[];
  readonly over?: (seen: Seen) => Reply | undefined;
}

/** Serves the recorded runs of `root1/ci`, by the rules of Forgejo 16.0; every other path is unknown there. */
export function forgejo16({ runs = recordedRuns, ignored = [], over }: Differences = {}): Handler {
  let left = [...runs];
  return (seen) => {
    const first = over?.(seen);
    if (first !== undefined) return first;
    const { pathname, searchParams } = new URL(seen.url, "http://server");
    const place = pathname.replace("/api/v1/repos/root1/ci/actions/", "");
    const request = `${seen.method} ${place}`;
    if (request === "GET runs") return listed(left, searchParams, ignored);
    const id = Number(/^runs\/(\d+)/.exec(place)?.[1]);
    const run = left.find((one) => one.id === id);
    if (!Number.isNaN(id) && run === undefined) return recorded("run view, unknown");
    if (request === `POST runs/${id}/cancel`) {
      if (run?.status === "running") left = left.map((one) => (one === run ? runOf("run view, after cancel") : one));
      return { status: 204 };
    }
    if (request === `DELETE runs/${id}`) {
      if (run?.status === "running") return recorded("run delete, not finished");
      left = left.filter((one) => one !== run);
      return { status: 204 };
    }
    if (request === `GET runs/${id}`) return { body: run };
    const label = answers[request];
    return label === undefined ? unknownRoute : inRange(recorded(label), seen.headers["range"]?.toString());
  };
}

/** Answers that nothing changes, by request. */
const answers: Readonly<Record<string, string>> = {
  "GET runs/16/jobs": "run jobs, failed",
  "GET runs/17/jobs": "run jobs, success",
  "GET runs/21/jobs": "run jobs, running",
  "GET runs/16/logs": "run logs (zip)",
  "GET jobs/34/logs": "job logs",
  "GET jobs/35/logs": "job logs, failed job",
  "GET jobs/46/logs": "job logs, running job",
  "GET jobs/47/logs": "job logs, job never started",
  "GET tasks": "tasks by status",
  "GET artifacts": "artifacts",
  "GET artifacts/10": "artifact view",
  "GET artifacts/10/zip": "artifact zip",
  "GET artifacts/8/zip": "artifact zip",
  "GET runs/17/artifacts": "artifacts of run",
  "GET runs/16/artifacts": "artifacts of run with none",
};

/** The list of runs: `limit` counts only with `page`, and there is neither `Link` nor `X-Total-Count`. */
function listed(runs: readonly Forgejo16Run[], query: URLSearchParams, ignored: readonly string[]): Reply {
  const get = (name: string) => (ignored.includes(name) ? null : query.get(name));
  const wanted = query.getAll("status");
  const unknown = wanted.find((word) => !statuses.includes(word));
  if (unknown !== undefined) return { status: 400, body: { message: `unknown status: ${unknown}` } };
  const isOne = (name: string, value: unknown) => get(name) === null || get(name) === String(value);
  const found = runs.filter(
    (run) =>
      (wanted.length === 0 || wanted.includes(run.status)) &&
      isOne("ref", `refs/heads/${run.prettyref}`) &&
      isOne("workflow_id", run.workflow_id) &&
      isOne("event", run.trigger_event) &&
      isOne("head_sha", run.commit_sha) &&
      isOne("run_number", run.index_in_repo),
  );
  const page = Number(query.get("page") ?? 0);
  const limit = Number(query.get("limit") ?? 30);
  const shown = page < 1 ? found : found.slice((page - 1) * limit, page * limit);
  return { body: { workflow_runs: shown, total_count: found.length } };
}

function inRange(reply: Reply, range: string | undefined): Reply {
  const from = /^bytes=(\d+)-$/.exec(range ?? "")?.[1];
  if (from === undefined || typeof reply.body !== "string") return reply;
  const rest = Buffer.from(reply.body).subarray(Number(from));
  return rest.length === 0 ? { ...reply, status: 416, body: "invalid range" } : { ...reply, status: 206, body: rest };
}
