import type { visibilities } from "./user.ts";

/** A visibility mode. */
export type Visibility = (typeof visibilities)[number];

/** What `POST /admin/users` takes (api-facts 1.8). `created_at` is RFC 3339. */
export interface CreateUserOption {
  readonly username: string;
  readonly email: string;
  readonly source_id?: number | undefined;
  readonly login_name?: string | undefined;
  readonly full_name?: string | undefined;
  /** Needed for local accounts. */
  readonly password?: string | undefined;
  /** True unless said otherwise. */
  readonly must_change_password?: boolean | undefined;
  readonly send_notify?: boolean | undefined;
  readonly restricted?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
  readonly created_at?: string | undefined;
}

/** What `PATCH /admin/users/{username}` takes; an absent field stays as it is. */
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
  /** The record calls it `is_admin`. */
  readonly admin?: boolean | undefined;
  readonly allow_git_hook?: boolean | undefined;
  readonly allow_import_local?: boolean | undefined;
  readonly max_repo_creation?: number | undefined;
  readonly prohibit_login?: boolean | undefined;
  readonly allow_create_organization?: boolean | undefined;
  readonly restricted?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
}

/** What `GET /admin/users` filters and sorts by; Forgejo and older servers know the first two only. */
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
