import { status } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Infer, optional, serverRecord, string, time } from "../shape/shape.ts";
import type { CreateOrUpdateSecretOption } from "./generated/operations.ts";
import type { SettingLevel } from "./level.ts";
import { collect } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { cannot } from "./undo.ts";

/** A secret of Actions. No server returns its value. */
export const secret = serverRecord("a secret", {
  name: string,
  description: optional(string),
  created_at: optional(time),
});

export type Secret = Infer<typeof secret>;

/** Secrets of a repository, an organization or the caller (docs/server-differences.md, "Variables and secrets"). */
const levels = ["repository", "organization", "user"] as const;

/** Forgejo lists the secrets of a user since 17.0. */
export const secretList = operation("GET", "{level}/actions/secrets", {
  levels,
  answers: pagesOf(secret, { unique: "name" }),
});

/** Creates or replaces a secret (201 or 204). An absent description is cleared; Forgejo ignores it, which the list tells. */
export const secretSet = operation("PUT", "{level}/actions/secrets/{secretname}", {
  levels,
  answers: status,
  undo: cannot.secret,
  applied: {
    answered: ["description"],
    after: {
      fields: ["description"],
      async read(http, { level, secretname }: { readonly level: SettingLevel; readonly secretname: string }) {
        if (level.of === "user") return undefined;
        const all = await collect(call(http, secretList, { level }));
        return all.find(({ name }) => name.toUpperCase() === secretname.toUpperCase());
      },
    },
    hint: "The server has no descriptions of secrets.",
  },
});

export const secretDelete = operation("DELETE", "{level}/actions/secrets/{secretname}", {
  levels,
  undo: cannot.secret,
});

/** Creates or replaces a secret. Returns whether it was created. */
export async function setSecret(
  http: Http,
  level: SettingLevel,
  name: string,
  body: CreateOrUpdateSecretOption,
): Promise<boolean> {
  return (await call(http, secretSet, { level, secretname: name }, body)) === 201;
}
