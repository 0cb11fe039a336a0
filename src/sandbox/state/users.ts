import type { Store } from "./store.ts";

export type Visibility = "public" | "limited" | "private";

/** A person or an organization: they share names and numbers. Times are RFC 3339. */
export interface UserRecord {
  readonly id: number;
  readonly kind: "person" | "organization";
  readonly name: string;
  readonly full_name: string;
  readonly email: string;
  /** In clear: a sandbox holds no real one, and says them when it starts. */
  readonly password: string;
  readonly login_name: string;
  readonly source_id: number;
  readonly language: string;
  readonly is_admin: boolean;
  readonly created: string;
  readonly updated: string;
  readonly restricted: boolean;
  readonly active: boolean;
  readonly prohibit_login: boolean;
  readonly must_change_password: boolean;
  readonly location: string;
  readonly website: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly hide_email: boolean;
  readonly hide_activity: boolean;
  readonly theme: string;
  readonly diff_view_style: string;
  readonly max_repo_creation: number;
  readonly allow_git_hook: boolean;
  readonly allow_import_local: boolean;
  readonly allow_create_organization: boolean;
  /** Organizations: whether a repository administrator may change the access of teams. */
  readonly repo_admin_change_team_access: boolean;
  /** Shown once at the start, for people that the sandbox itself made. */
  readonly demo?: boolean;
}

/** Where a name that was given up leads to. */
export interface Redirect {
  readonly to: number;
}

/** A user by name, in any case of letters. */
export function userNamed(store: Store, name: string): UserRecord | undefined {
  const wanted = name.toLowerCase();
  return store.table("users").find((user) => user.name.toLowerCase() === wanted);
}

/** Whether nobody else is an administrator; an inactive one counts. */
export function isLastAdmin(store: Store, user: UserRecord): boolean {
  return user.is_admin && store.table("users").find((one) => one.is_admin && one.id !== user.id) === undefined;
}

/** Gives a user another name; the old one leads to him until somebody takes it. */
export function renameUser(store: Store, user: UserRecord, name: string): UserRecord {
  const [before, after] = [user.name.toLowerCase(), name.toLowerCase()];
  if (before !== after) {
    store.table("userRedirects").delete(after);
    store.table("userRedirects").put(before, { to: user.id });
  }
  return store.table("users").put(user.id, { ...user, name });
}

/** What a new user record has when nothing else is said. */
export function newUser(store: Store, now: string, given: Partial<UserRecord> & { readonly name: string }): UserRecord {
  const id = store.nextId("users");
  store.table("userRedirects").delete(given.name.toLowerCase());
  return store.table("users").put(id, {
    id,
    kind: "person",
    full_name: "",
    email: "",
    password: "",
    login_name: "",
    source_id: 0,
    language: "",
    is_admin: false,
    created: now,
    updated: now,
    restricted: false,
    active: true,
    prohibit_login: false,
    must_change_password: false,
    location: "",
    website: "",
    description: "",
    visibility: "public",
    hide_email: false,
    hide_activity: false,
    theme: "gitea-auto",
    diff_view_style: "",
    max_repo_creation: -1,
    allow_git_hook: false,
    allow_import_local: false,
    allow_create_organization: true,
    repo_admin_change_team_access: false,
    ...given,
  });
}
