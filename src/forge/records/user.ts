import { boolean, type Infer, integer, optional, record, string, time, words } from "./shape.ts";

export const visibilities = ["public", "limited", "private"] as const;

/** An account, as every operation returns it (api-facts 1.1). Privileged fields are zero for other callers. */
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
