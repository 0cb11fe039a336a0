import { exists } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError } from "../http/errors.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  listed,
  listedRecord,
  map,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
  words,
} from "../shape/shape.ts";
import { call, operation, pagesOf } from "./operation.ts";

export const visibilities = ["public", "limited", "private"] as const;

/** An account. Fields that the caller cannot see are empty or zero (docs/server-differences.md, "Users: accounts"). */
export const user = listedRecord(
  "a user",
  {
    id: optional(integer),
    login: string,
    login_name: optional(string),
    source_id: optional(integer),
    full_name: optional(string),
    email: optional(string),
    html_url: optional(string),
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
    /** `Bot` of one that cannot sign in on the web. */
    type: optional(string),
    followers_count: optional(integer),
    following_count: optional(integer),
    starred_repos_count: optional(integer),
    pronouns: optional(string),
  },
  { username: string, avatar_url: string, language: string },
);

/** An account within another record. */
export const person = listed(using(user, "login"));

export type User = Infer<typeof user>;

/** An organization. */
export const organization = serverRecord(
  "an organization",
  {
    id: optional(integer),
    name: string,
    full_name: optional(string),
    email: optional(string),
    description: optional(string),
    website: optional(string),
    location: optional(string),
    visibility: optional(words(...visibilities)),
    repo_admin_change_team_access: optional(boolean),
    username: optional(string),
  },
  { avatar_url: string },
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
    title: optional(string),
    fingerprint: optional(string),
    created_at: optional(time),
    /** Forgejo calls it `updated_at`. */
    last_used_at: optional(time),
    updated_at: optional(time),
    key: optional(string),
  },
  {
    url: optional(string),
    user: optional(nullable(user)),
    read_only: optional(boolean),
    key_type: optional(string),
  },
);

export type PublicKey = Infer<typeof publicKey>;

/** Whether a user, as an administrator sees it, may sign in. */
export function maySignIn({ active = true, prohibit_login = false }: User): boolean {
  return active && !prohibit_login;
}

/** The extras of a request that an administrator sends as somebody else. */
export const sentAs = (login: string) => ({ headers: { sudo: login } });

/** The signed-in user. */
export const currentUserGet = operation("GET", "/user", { answers: user });

/** Also answers with a user record for an organization. */
export const userGet = operation("GET", "/users/{username}", { answers: user });

export const orgCheck = operation("GET", "/orgs/{org}", { answers: exists(map(anything)) });

export const userOrgList = operation("GET", "/users/{username}/orgs", {
  belongsTo: userGet,
  answers: pagesOf(organization),
});

/**
 * Whether the name is an organization, which the administrator's operations on users would change, too
 * (docs/server-differences.md, "Users: accounts"). False also if the token has no access.
 */
export function isOrganization(http: Http, name: string): Promise<boolean> {
  return call(http, orgCheck, { org: name }).catch((error: unknown) => {
    if (error instanceof DeniedError) return false;
    throw error;
  });
}
