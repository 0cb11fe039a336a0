import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import {
  boolean,
  either,
  hasKey,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  present,
  serverRecord,
  string,
} from "../shape/shape.ts";
import type { Level } from "./level.ts";
import { orInstead } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { cannot } from "./undo.ts";

/** A label of a runner: a text on Forgejo, a record on Gitea, whose `id` is only its position. */
const label = either(
  serverRecord("a label", { name: string }, { id: integer, type: string }),
  string,
  (value) => typeof value === "string",
);

/**
 * A runner. `status` is online or offline on Gitea, which has `busy` and `disabled`, and offline, idle or active on
 * Forgejo, which has the fields after `labels` (docs/server-differences.md, "Runners").
 */
export const runner = serverRecord(
  "a runner",
  {
    id: integer,
    name: string,
    status: string,
    busy: optional(boolean),
    disabled: optional(boolean),
    ephemeral: optional(boolean),
    labels: optional(nullable(list(nullable(label)))),
    version: optional(string),
    description: optional(string),
    owner_id: optional(integer),
    repo_id: optional(integer),
  },
  { uuid: optional(string) },
);

export type Runner = Infer<typeof runner>;

/** What every server tells of a runner, whatever it calls it. */
export interface RunnerFacts {
  readonly labels: readonly string[];
  readonly isOnline: boolean;
  readonly isBusy: boolean;
}

/** Reads a record of a runner in the form of any server. */
export function readRunner({ labels, status, busy }: Runner): RunnerFacts {
  return {
    labels: present(labels).map((label) => (typeof label === "string" ? label : label.name)),
    isOnline: ["online", "idle", "active"].includes(status),
    isBusy: busy === true || status === "active",
  };
}

/** A runner that the server made; `token` is the runner's own, which is shown once. */
const newRunner = serverRecord("a new runner", { id: integer, uuid: string, token: string });

export type NewRunner = Infer<typeof newRunner>;

/** A job that waits for a runner, or that one has picked up: `task_id` is not 0 then. */
export const runnerJob = serverRecord(
  "a job",
  { id: integer, name: string, status: string, runs_on: nullable(list(string)), run_id: optional(integer) },
  {
    repo_id: optional(integer),
    owner_id: optional(integer),
    needs: optional(nullable(list(string))),
    task_id: optional(integer),
    attempt: optional(integer),
    handle: optional(string),
  },
);

export type RunnerJob = Infer<typeof runnerJob>;

/** The token that a runner registers with. */
export const registrationToken = serverRecord("a registration token", { token: string });

export type RegistrationToken = Infer<typeof registrationToken>;

/**
 * Runners of a repository, an organization, the caller or the server. Forgejo before 15.0 has only the token
 * (docs/server-differences.md, "Runners").
 */
const levels = ["repository", "organization", "user", "server"] as const;

/** Busy runners first, then idle, then offline. The list of the server contains the runners of all levels. */
export const runnerList = operation("GET", "{level}/actions/runners", {
  levels,
  answers: pagesOf(runner, { envelope: "runners" }),
});

export const runnerGet = operation("GET", "{level}/actions/runners/{runner_id}", { levels, answers: runner });

export const runnerDelete = operation("DELETE", "{level}/actions/runners/{runner_id}", { levels });

export const runnerEdit = operation("PATCH", "{level}/actions/runners/{runner_id}", { levels, answers: runner });

const withToken = "the answer has only what a runner signs in with";

/** Registers a runner that has not started yet. On Gitea, runners register themselves. */
export const runnerRegister = operation("POST", "{level}/actions/runners", {
  levels,
  answers: newRunner,
  undo: cannot.secret,
  applied: { except: { name: withToken, description: withToken, ephemeral: withToken } },
});

/** What `runner register` prints: a runner, or the token that one registers with. */
export const registration = either(newRunner, registrationToken, (value) => !hasKey(value, "uuid"));

/** The jobs that wait for a runner with these labels, separated by commas, or with any. */
export const runnerJobList = operation("GET", "{level}/actions/runners/jobs", {
  levels,
  answers: pagesOf(runnerJob, { unpaged: true }),
});

/** The path of the server level before Forgejo 15.0. */
export const serverRunnerJobList = operation("GET", "/admin/runners/jobs", {
  answers: pagesOf(runnerJob, { unpaged: true }),
});

/** Forgejo and Gitea before 1.26 have it by GET only. */
export const registrationTokenCreate = operation("POST", "{level}/actions/runners/registration-token", {
  levels,
  answers: registrationToken,
  undo: cannot.secret,
});

/** Newer servers read the last part of the path as the id of a runner. */
export const registrationTokenGet = operation("GET", "{level}/actions/runners/registration-token", {
  levels,
  answers: registrationToken,
});

/** The path of the server level has no `actions` where the token is read by GET. */
export const serverRegistrationTokenGet = operation("GET", "/admin/runners/registration-token", {
  answers: registrationToken,
});

/** The jobs that wait for a runner, by either path. */
export function waitingJobs(http: Http, level: Level, labels: string | undefined): Listing<RunnerJob> {
  const listing = call(http, runnerJobList, { level, labels });
  if (level.of !== "server") return listing;
  return orInstead(listing, async (error) => {
    if (!(error instanceof UnknownOperationError)) throw error;
    return call(http, serverRunnerJobList, { labels });
  });
}

/**
 * The registration token, by POST; by GET on Forgejo and on Gitea before 1.26 (docs/server-differences.md, "Runners").
 * POST comes first, because newer servers read the last part of the GET path as the id of a runner.
 */
export async function runnerToken(http: Http, level: Level): Promise<RegistrationToken> {
  try {
    return await call(http, registrationTokenCreate, { level });
  } catch (error) {
    if (!(error instanceof UnknownOperationError || error instanceof NotFoundError)) throw error;
    const old =
      level.of === "server" ? call(http, serverRegistrationTokenGet, {}) : call(http, registrationTokenGet, { level });
    return old.catch((second: unknown) => {
      // One of them is no operation of this server: what the other one says counts.
      throw second instanceof UnknownOperationError ? error : second;
    });
  }
}
