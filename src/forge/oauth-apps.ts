import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";

/** An OAuth2 application. Its secret is only in the responses to creating and editing it. */
export const oauthApp = serverRecord(
  "an OAuth2 application",
  {
    id: integer,
    name: string,
    client_id: string,
    client_secret: optional(string),
    confidential_client: optional(boolean),
    skip_secondary_authorization: optional(boolean),
    redirect_uris: optional(nullable(list(string))),
    created: optional(time),
  },
  [
    "id",
    "name",
    "client_id",
    "client_secret",
    "confidential_client",
    "skip_secondary_authorization",
    "redirect_uris",
    "created",
  ],
);

export type OauthApp = Infer<typeof oauthApp>;

/** The body of a request that creates or edits an application. A missing field is false. */
export interface OauthAppOption {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly confidential_client?: boolean | undefined;
  readonly skip_secondary_authorization?: boolean | undefined;
}

/** The OAuth2 applications of the signed-in user. */
export function oauthAppsApi(http: Http) {
  const one = (id: number) => path`/user/applications/oauth2/${id}`;

  return {
    list: () => http.list(path`/user/applications/oauth2`, { items: oauthApp, unique: "id" }),

    get: (id: number) => http.get(one(id), { answers: json(oauthApp) }),

    create: (body: OauthAppOption) => http.post(path`/user/applications/oauth2`, { body, answers: json(oauthApp) }),

    /** Replaces the secret, whatever is changed (docs/server-differences.md, "Keys and applications"). */
    edit: (id: number, body: OauthAppOption) => http.patch(one(id), { body, answers: json(oauthApp) }),

    delete: (id: number) => http.delete(one(id), { answers: nothing }),
  };
}
