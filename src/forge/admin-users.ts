import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { InvalidError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import { boolean, type Infer, integer, list, optional, serverRecord, string } from "../shape/shape.ts";
import { publicKey, type User, user, type visibilities } from "./users.ts";

/** The visibility of an account. */
export type Visibility = (typeof visibilities)[number];

/** The body of `POST /admin/users`. `created_at` is RFC 3339. */
export interface CreateUserOption {
  readonly username: string;
  readonly email: string;
  readonly source_id?: number | undefined;
  readonly login_name?: string | undefined;
  readonly full_name?: string | undefined;
  /** Required for local accounts. */
  readonly password?: string | undefined;
  /** Default: true. */
  readonly must_change_password?: boolean | undefined;
  readonly send_notify?: boolean | undefined;
  readonly restricted?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
  readonly created_at?: string | undefined;
}

/** The body of `PATCH /admin/users/{username}`; absent fields do not change. */
export interface EditUserOption {
  readonly source_id?: number | undefined;
  readonly login_name?: string | undefined;
  readonly email?: string | undefined;
  readonly full_name?: string | undefined;
  readonly password?: string | undefined;
  readonly must_change_password?: boolean | undefined;
  readonly website?: string | undefined;
  readonly location?: string | undefined;
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
  /** `is_admin` in the record. */
  readonly admin?: boolean | undefined;
  readonly allow_git_hook?: boolean | undefined;
  readonly allow_import_local?: boolean | undefined;
  readonly max_repo_creation?: number | undefined;
  readonly prohibit_login?: boolean | undefined;
  readonly allow_create_organization?: boolean | undefined;
  readonly restricted?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
}

/** Filters and sort order of `GET /admin/users`; Forgejo and Gitea before 1.26 support only the first two. */
export interface AdminUserQuery {
  readonly source_id?: number | undefined;
  readonly login_name?: string | undefined;
  readonly q?: string | undefined;
  readonly is_admin?: boolean | undefined;
  readonly is_active?: boolean | undefined;
  readonly is_restricted?: boolean | undefined;
  readonly is_2fa_enabled?: boolean | undefined;
  readonly is_prohibit_login?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
  readonly sort?: "name" | "created" | "updated" | "id" | undefined;
  readonly order?: "asc" | "desc" | undefined;
}

/** An e-mail address of a user. */
export const email = serverRecord(
  "an e-mail address",
  {
    email: string,
    verified: optional(boolean),
    primary: optional(boolean),
    user_id: integer,
    username: string,
  },
  ["email", "verified", "primary", "username"],
);

export type Email = Infer<typeof email>;

/** A badge. The keys are capitalized, unlike documented (docs/server-differences.md, "Users: accounts"). */
export const badge = serverRecord(
  "a badge",
  { ID: integer, Slug: string, Description: optional(string), ImageURL: string },
  ["Slug", "Description"],
);

export type Badge = Infer<typeof badge>;

/** User administration (`/admin/users`). Needs an administrator account and the scope `admin`. */
export function adminUsersApi(http: Http) {
  const one = (name: string) => path`/admin/users/${name}`;
  const patch = (name: string, body: EditUserOption) => http.patch(one(name), { body, answers: json(user) });

  return {
    /** Filtered and sorted by the server; `list-users.ts` adds the filters that older servers do not have. */
    list: (query: AdminUserQuery) => http.list(path`/admin/users`, { items: user, query: { ...query }, unique: "id" }),

    create: (body: CreateUserOption) => http.post(path`/admin/users`, { body, answers: json(user) }),

    /** As `create`, with the headers of the answer: its `Date` is the server's clock. */
    createAnswered: (body: CreateUserOption) => http.send("POST", path`/admin/users`, { body, answers: json(user) }),

    /** The headers of a list of one account: the server's clock (`date`) and how many there are (`x-total-count`). */
    headers: async () =>
      (await http.send("GET", path`/admin/users`, { query: { page: 1, limit: 1 }, answers: json(list(user)) })).headers,

    /** Changes only the given fields; `current` is the account before the change. */
    edit: async (current: User, changes: EditUserOption) => {
      const body = { ...signInFields(current, changes), ...changes };
      try {
        return await patch(current.login, body);
      } catch (error) {
        // The account has no sign-in name, but the server requires both fields.
        if (!(error instanceof InvalidError) || error.status !== 422 || "login_name" in body) throw error;
        return patch(current.login, { ...changes, source_id: current.source_id, login_name: current.login });
      }
    },

    delete: (name: string, purge: boolean) =>
      http.delete(one(name), { query: { purge: purge || undefined }, answers: nothing }),

    rename: (name: string, new_username: string) =>
      http.post(path`/admin/users/${name}/rename`, { body: { new_username }, answers: nothing }),

    addKey: (name: string, body: { readonly title: string; readonly key: string; readonly read_only?: boolean }) =>
      http.post(path`/admin/users/${name}/keys`, { body, answers: json(publicKey) }),

    deleteKey: (name: string, id: number) => http.delete(path`/admin/users/${name}/keys/${id}`, { answers: nothing }),

    badges: (name: string) =>
      http.list(path`/admin/users/${name}/badges`, { items: badge, unpaged: true, since: "1.22" }),

    addBadges: (name: string, badge_slugs: readonly string[]) =>
      http.post(path`/admin/users/${name}/badges`, { body: { badge_slugs }, answers: nothing, since: "1.22" }),

    removeBadges: (name: string, badge_slugs: readonly string[]) =>
      http.delete(path`/admin/users/${name}/badges`, { body: { badge_slugs }, answers: nothing, since: "1.22" }),

    emails: () => http.list(path`/admin/emails`, { items: email }),

    searchEmails: (q: string) => http.list(path`/admin/emails/search`, { items: email, query: { q } }),
  };
}

/**
 * `source_id` and `login_name`: Gitea requires both in every edit, Forgejo both or none
 * (docs/server-differences.md, "Users: accounts"). They are sent back unchanged. If an account has no `login_name`,
 * Gitea gets the username, as it stores it itself; Forgejo, known by the field `pronouns`, gets neither.
 */
function signInFields(current: User, changes: EditUserOption): EditUserOption {
  const source_id = changes.source_id ?? current.source_id;
  if (changes.login_name !== undefined) return { source_id };
  if (current.login_name !== "") return { source_id, login_name: current.login_name };
  if (current.pronouns !== undefined && changes.source_id === undefined) return {};
  return { source_id, login_name: current.login };
}
