import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { cannot, undoCreate } from "./undo.ts";

/** An OAuth2 application. Its secret is only in the responses to creating and editing it. */
export const oauthApp = serverRecord("an OAuth2 application", {
  id: integer,
  name: string,
  client_id: string,
  client_secret: optional(string),
  confidential_client: optional(boolean),
  skip_secondary_authorization: optional(boolean),
  redirect_uris: optional(nullable(list(string))),
  created: optional(time),
});

export type OauthApp = Infer<typeof oauthApp>;

export const oauthAppList = operation("GET", "/user/applications/oauth2", { answers: pagesOf(oauthApp) });

export const oauthAppGet = operation("GET", "/user/applications/oauth2/{id}", { answers: oauthApp });

const applied = { answered: ["skip_secondary_authorization"], hint: "The server does not support it." } as const;

export const oauthAppCreate = operation("POST", "/user/applications/oauth2", {
  answers: oauthApp,
  undo: undoCreate(),
  applied,
});

/** Replaces the secret, whatever is changed (docs/server-differences.md, "Keys and applications"). */
export const oauthAppEdit = operation("PATCH", "/user/applications/oauth2/{id}", {
  answers: oauthApp,
  undo: "each edit makes a new client secret: edit it again instead",
  applied,
});

export const oauthAppDelete = operation("DELETE", "/user/applications/oauth2/{id}", { undo: cannot.secret });
