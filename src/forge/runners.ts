import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { type Path, path } from "../http/path.ts";
import {
  boolean,
  either,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  present,
  serverRecord,
  string,
} from "../shape/shape.ts";
import { actionsPath, type Level } from "./level.ts";

/** A label of a runner: a text on Forgejo, a record on Gitea, whose `id` is only its position. */
const label = either(
  serverRecord("a label", { id: integer, name: string, type: string }, ["name"]),
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
    uuid: optional(string),
    version: optional(string),
    description: optional(string),
    owner_id: optional(integer),
    repo_id: optional(integer),
  },
  ["id", "name", "status", "busy", "disabled", "ephemeral", "labels"],
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

/** The token that a runner registers with. */
export const registrationToken = serverRecord("a registration token", { token: string }, ["token"]);

export type RegistrationToken = Infer<typeof registrationToken>;

/**
 * Runners of a repository, an organization, the caller or the server. Forgejo before 15.0 has only the token
 * (docs/server-differences.md, "Runners").
 */
export function runnersApi(http: Http) {
  const since = "1.24 and Forgejo 15.0";
  const all = (level: Level) => `${actionsPath(level)}/runners` as Path;
  const one = (level: Level, id: number) => `${all(level)}/${id}` as Path;

  return {
    /** Busy runners first, then idle, then offline. The list of the server contains the runners of all levels. */
    list: (level: Level, disabled?: boolean) =>
      http.list(all(level), { items: runner, envelope: "runners", unique: "id", query: { disabled }, since }),

    get: (level: Level, id: number) => http.get(one(level, id), { answers: json(runner), since }),

    delete: (level: Level, id: number) => http.delete(one(level, id), { answers: nothing, since }),

    setDisabled: (level: Level, id: number, disabled: boolean) =>
      http.patch(one(level, id), { body: { disabled }, answers: json(runner), since: "1.26" }),

    /**
     * The registration token, by POST; by GET on Forgejo and on Gitea before 1.26, where the path of the server level
     * has no `actions` (docs/server-differences.md, "Runners"). POST comes first, because newer servers read the last
     * part of the GET path as the id of a runner.
     */
    token: async (level: Level): Promise<RegistrationToken> => {
      const token = `${all(level)}/registration-token` as Path;
      try {
        return await http.post(token, { answers: json(registrationToken), since: "1.22 and Forgejo 7.0" });
      } catch (error) {
        if (!(error instanceof UnknownOperationError || error instanceof NotFoundError)) throw error;
        const old = level.of === "server" ? path`/admin/runners/registration-token` : token;
        return http.get(old, { answers: json(registrationToken) }).catch((second: unknown) => {
          throw second instanceof NotFoundError || second instanceof UnknownOperationError ? error : second;
        });
      }
    },
  };
}
