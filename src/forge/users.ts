import { exists, json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  listedRecord,
  map,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  words,
} from "../shape/shape.ts";

export const visibilities = ["public", "limited", "private"] as const;

/** An account. Fields that the caller cannot see are empty or zero (docs/server-differences.md, "Users: accounts"). */
export const user = listedRecord(
  "a user",
  {
    id: optional(integer),
    login: string,
    username: string,
    login_name: optional(string),
    source_id: optional(integer),
    full_name: optional(string),
    email: optional(string),
    avatar_url: string,
    html_url: optional(string),
    language: string,
    is_admin: optional(boolean),
    last_login: optional(time),
    created: optional(time),
    restricted: optional(boolean),
    active: optional(boolean),
    prohibit_login: optional(boolean),
    location: optional(string),
    website: optional(string),
    description: optional(string),
    visibility: optional(words(...visibilities)),
    followers_count: optional(integer),
    following_count: optional(integer),
    starred_repos_count: optional(integer),
    pronouns: optional(string),
  },
  [
    "id",
    "login",
    "login_name",
    "source_id",
    "full_name",
    "email",
    "html_url",
    "is_admin",
    "last_login",
    "created",
    "restricted",
    "active",
    "prohibit_login",
    "location",
    "website",
    "description",
    "visibility",
    "followers_count",
    "following_count",
    "starred_repos_count",
    "pronouns",
  ],
);

/** An account within another record. */
export const person = listedRecord("a user", user.fields, ["login"]);

export type User = Infer<typeof user>;

/** An organization. */
export const organization = serverRecord(
  "an organization",
  {
    id: optional(integer),
    name: string,
    full_name: optional(string),
    email: optional(string),
    avatar_url: string,
    description: optional(string),
    website: optional(string),
    location: optional(string),
    visibility: optional(words(...visibilities)),
    repo_admin_change_team_access: optional(boolean),
    username: optional(string),
  },
  [
    "id",
    "name",
    "full_name",
    "email",
    "description",
    "website",
    "location",
    "visibility",
    "repo_admin_change_team_access",
    "username",
  ],
);

export type Organization = Infer<typeof organization>;

/** The name of an organization, in either field. */
export function orgName(org: Organization): string {
  return org.name === "" ? (org.username ?? "") : org.name;
}

/** A public SSH key of a user. */
export const publicKey = serverRecord(
  "a public key",
  {
    id: integer,
    key: string,
    url: optional(string),
    title: optional(string),
    fingerprint: optional(string),
    created_at: optional(time),
    last_used_at: optional(time),
    user: optional(nullable(user)),
    read_only: optional(boolean),
    key_type: optional(string),
  },
  ["id", "title", "fingerprint", "created_at", "last_used_at"],
);

export type PublicKey = Infer<typeof publicKey>;

/** Accounts, without administration. */
export function usersApi(http: Http) {
  return {
    /** The signed-in user. */
    me: () => http.get(path`/user`, { answers: json(user) }),

    /** Also answers with a user record for an organization. */
    get: (name: string) => http.get(path`/users/${name}`, { answers: json(user) }),

    /**
     * Whether the name is an organization, which the administrator's operations on users would change, too
     * (docs/server-differences.md, "Users: accounts"). False also if the token has no access.
     */
    isOrganization: (name: string) =>
      http.get(path`/orgs/${name}`, { answers: exists(map(anything)) }).catch((error: unknown) => {
        if (error instanceof DeniedError) return false;
        throw error;
      }),

    keys: (name: string) => http.list(path`/users/${name}/keys`, { items: publicKey, unique: "id" }),

    organizations: (name: string) => http.list(path`/users/${name}/orgs`, { items: organization, unique: "id" }),
  };
}
