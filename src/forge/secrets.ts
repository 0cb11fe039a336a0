import { nothing, status } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import { type Infer, optional, serverRecord, string, time } from "../shape/shape.ts";
import { actionsPath, type Level } from "./level.ts";
import { nameProblem } from "./setting-names.ts";

/** A secret of Actions. No server returns its value. */
export const secret = serverRecord(
  "a secret",
  { name: string, description: optional(string), created_at: optional(time) },
  ["name", "description", "created_at"],
);

export type Secret = Infer<typeof secret>;

/** The body of `PUT …/secrets/{name}`. An absent description is cleared; Forgejo ignores it. */
export interface SecretOption {
  readonly data: string;
  readonly description?: string | undefined;
}

/** Secrets of a repository, an organization or the caller (docs/server-differences.md, "Variables and secrets"). */
export function secretsApi(http: Http) {
  const all = (owner: Level): Path => `${actionsPath(owner)}/secrets` as Path;
  const one = (owner: Level, name: string): Path => `${all(owner)}${path`/${name}`}` as Path;

  return {
    /** No server lists the secrets of a user. */
    list: (owner: Level) =>
      http.list(all(owner), {
        ...{ items: secret, unique: "name" },
        ...(owner.of === "repository" ? { since: "1.22 and Forgejo 8.0" } : {}),
      }),

    /** Creates or replaces a secret. Returns whether it was created. */
    set: async (owner: Level, name: string, body: SecretOption) =>
      (await http.put(one(owner, name), { body, answers: status })) === 201,

    delete: (owner: Level, name: string) => http.delete(one(owner, name), { answers: nothing }),

    /** Why the server refuses a name; undefined if it accepts it. */
    nameProblem: (name: string) => nameProblem(http, "secret", name),
  };
}
