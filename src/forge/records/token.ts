import { type Infer, integer, list, optional, record, string, time } from "./shape.ts";

/** An access token (api-facts 4.3). Forgejo leaves the times out. */
export const accessToken = record({
  id: integer,
  name: string,
  /** The secret; in the answer to its creation only. */
  sha1: optional(string),
  token_last_eight: string,
  scopes: list(string),
  created_at: optional(time),
  last_used_at: optional(time),
});
export type AccessToken = Infer<typeof accessToken>;

/** The token that a request presents (`GET /token`). */
export const presentedToken = record({
  id: integer,
  name: string,
  scopes: list(string),
  created_at: time,
  last_used_at: time,
  user: record({ id: integer, login: string }),
});
export type PresentedToken = Infer<typeof presentedToken>;

/** What `POST /users/{username}/tokens` takes. */
export interface CreateAccessTokenOption {
  readonly name: string;
  readonly scopes: readonly string[];
}
