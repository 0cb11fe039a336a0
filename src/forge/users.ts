import { json, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import { boolean, type Infer, integer, nullable, optional, record, string, time, words } from "../shape/shape.ts";

export const visibilities = ["public", "limited", "private"] as const;

/** An account. Fields that the caller cannot see are empty or zero (docs/server-differences.md, "Users: accounts"). */
export const user = record({
  id: integer,
  login: string,
  username: string,
  login_name: string,
  source_id: integer,
  full_name: string,
  email: string,
  avatar_url: string,
  html_url: string,
  language: string,
  is_admin: boolean,
  last_login: time,
  created: time,
  restricted: boolean,
  active: boolean,
  prohibit_login: boolean,
  location: string,
  website: string,
  description: string,
  visibility: words(...visibilities),
  followers_count: integer,
  following_count: integer,
  starred_repos_count: integer,
  pronouns: optional(string),
});

export type User = Infer<typeof user>;

/** An organization. */
export const organization = record({
  id: integer,
  name: string,
  full_name: string,
  email: string,
  avatar_url: string,
  description: string,
  website: string,
  location: string,
  visibility: words(...visibilities),
  repo_admin_change_team_access: boolean,
  username: string,
});

export type Organization = Infer<typeof organization>;

/** A public SSH key of a user. */
export const publicKey = record({
  id: integer,
  key: string,
  url: optional(string),
  title: optional(string),
  fingerprint: optional(string),
  created_at: time,
  last_used_at: optional(time),
  user: optional(nullable(user)),
  read_only: optional(boolean),
  key_type: optional(string),
});

export type PublicKey = Infer<typeof publicKey>;

/** Accounts, without administration. */
export const users = (http: Http) => ({
  /** The signed-in user. */
  me: () => http.get(path`/user`, { answers: json<User>() }),

  /** Also answers with a user record for an organization. */
  get: (name: string) => http.get(path`/users/${name}`, { answers: json<User>() }),

  /**
   * Whether the name is an organization, which the administrator's operations on users would change, too
   * (docs/server-differences.md, "Users: accounts"). False also if the token has no access.
   */
  isOrganization: (name: string) =>
    http.get(path`/orgs/${name}`, { answers: yesNo }).catch((error: unknown) => {
      if (error instanceof DeniedError) return false;
      throw error;
    }),

  keys: (name: string) => http.list<PublicKey>(path`/users/${name}/keys`, { unique: "id" }),

  organizations: (name: string) => http.list<Organization>(path`/users/${name}/orgs`, { unique: "id" }),
});
