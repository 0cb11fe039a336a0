import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { type Path, path } from "../http/path.ts";
import { boolean, type Infer, integer, list, nullable, optional, record, string } from "../shape/shape.ts";
import { actionsPath, type Level } from "./level.ts";

/** A runner (api-facts 1.6); a label's `id` is its position only. */
export const runner = record({
  id: integer,
  name: string,
  status: string,
  busy: boolean,
  disabled: optional(boolean),
  ephemeral: boolean,
  labels: nullable(list(record({ id: integer, name: string, type: string }))),
});

export type Runner = Infer<typeof runner>;

/** What a runner registers with. */
export const registrationToken = record({ token: string });

export type RegistrationToken = Infer<typeof registrationToken>;

/** Runners of a repository, an organization, the caller or the server (api-facts 3.6.9). Forgejo has the token only. */
export const runners = (http: Http) => {
  const all = (level: Level) => `${actionsPath(level)}/runners` as Path;
  const one = (level: Level, id: number) => `${all(level)}/${id}` as Path;

  return {
    /** Busy ones first, then idle, then offline. That of the server covers all levels. */
    list: (level: Level, disabled?: boolean) =>
      http.list<Runner>(all(level), { envelope: "runners", unique: "id", query: { disabled }, since: "1.24" }),

    get: (level: Level, id: number) => http.get(one(level, id), { answers: json<Runner>(), since: "1.24" }),

    delete: (level: Level, id: number) => http.delete(one(level, id), { answers: nothing, since: "1.24" }),

    setDisabled: (level: Level, id: number, disabled: boolean) =>
      http.patch(one(level, id), { body: { disabled }, answers: json<Runner>(), since: "1.26" }),

    /**
     * The registration token. By POST; by GET on Forgejo and on Gitea before 1.26, where the server's own level has no
     * `actions` in its path (api-facts 0.1 row 21, 3.6.9). Not the other way round: new servers read GET as a runner's id.
     */
    token: async (level: Level): Promise<RegistrationToken> => {
      const token = `${all(level)}/registration-token` as Path;
      try {
        return await http.post(token, { answers: json<RegistrationToken>(), since: "1.24" });
      } catch (error) {
        if (!(error instanceof UnknownOperationError || error instanceof NotFoundError)) throw error;
        const old = level.of === "server" ? path`/admin/runners/registration-token` : token;
        return http.get(old, { answers: json<RegistrationToken>() }).catch((second: unknown) => {
          throw second instanceof NotFoundError || second instanceof UnknownOperationError ? error : second;
        });
      }
    },
  };
};
