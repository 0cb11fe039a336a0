import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { type Path, path } from "../http/path.ts";
import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string } from "../shape/shape.ts";
import { actionsPath, type Level } from "./level.ts";

/** A runner. The `id` of a label is only its position. */
export const runner = serverRecord(
  "a runner",
  {
    id: integer,
    name: string,
    status: string,
    busy: optional(boolean),
    disabled: optional(boolean),
    ephemeral: optional(boolean),
    labels: optional(nullable(list(serverRecord("a label", { id: integer, name: string, type: string }, ["name"])))),
  },
  ["id", "name", "status", "busy", "disabled", "ephemeral", "labels"],
);

export type Runner = Infer<typeof runner>;

/** The token that a runner registers with. */
export const registrationToken = serverRecord("a registration token", { token: string }, ["token"]);

export type RegistrationToken = Infer<typeof registrationToken>;

/**
 * Runners of a repository, an organization, the caller or the server. Forgejo has only the token
 * (docs/server-differences.md, "Runners").
 */
export function runnersApi(http: Http) {
  const all = (level: Level) => `${actionsPath(level)}/runners` as Path;
  const one = (level: Level, id: number) => `${all(level)}/${id}` as Path;

  return {
    /** Busy runners first, then idle, then offline. The list of the server contains the runners of all levels. */
    list: (level: Level, disabled?: boolean) =>
      http.list(all(level), { items: runner, envelope: "runners", unique: "id", query: { disabled }, since: "1.24" }),

    get: (level: Level, id: number) => http.get(one(level, id), { answers: json(runner), since: "1.24" }),

    delete: (level: Level, id: number) => http.delete(one(level, id), { answers: nothing, since: "1.24" }),

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
