import type { Http } from "../http/client.ts";
import { InvalidError } from "../http/errors.ts";
import { boolean, type Infer, integer, optional, serverRecord, string } from "../shape/shape.ts";
import { asKey, asName, under } from "./applied.ts";
import type { EditUserOption } from "./generated/operations.ts";
import { call, operation, pagesOf, type QueryOf } from "./operation.ts";
import {
  fieldsOf,
  type Inverse,
  type PastWrite,
  undoCreate,
  undoDelete,
  undoEdit,
  undoMembers,
  undoRename,
} from "./undo.ts";
import { publicKey, type User, user } from "./users.ts";

/** An e-mail address of a user. */
export const email = serverRecord(
  "an e-mail address",
  { email: string, verified: optional(boolean), primary: optional(boolean), username: string },
  { user_id: integer },
);

export type Email = Infer<typeof email>;

/** A badge. The keys are capitalized, unlike documented (docs/server-differences.md, "Users: accounts"). */
export const badge = serverRecord(
  "a badge",
  { Slug: string, Description: optional(string) },
  { ID: integer, ImageURL: string },
);

export type Badge = Infer<typeof badge>;

/** Filtered and sorted by the server; `list-users.ts` adds the filters that older servers do not have. */
export const userList = operation("GET", "/admin/users", { answers: pagesOf(user) });

/** The filters and the order of a list of accounts. */
export type AdminUserQuery = QueryOf<typeof userList>;

const secret = "no server returns it";
const unshown = "the record of a user does not have it";

/** Local accounts need a password, which must be changed by default. */
export const userCreate = operation("POST", "/admin/users", {
  answers: user,
  applied: {
    reads: {
      username: asName(({ login }) => login),
      email: asName(({ email }) => email),
    },
    names: { created_at: "created" },
    except: { password: secret, must_change_password: unshown, send_notify: unshown },
  },
});

/** What administrators lock themselves out with: another one, or a new password, lets them in again. */
export const ownAccess = { admin: false, active: false, prohibit_login: true, must_change_password: true } as const;

const editUndo = undoEdit({
  at: "/users/{username}",
  adjust({ past: { user, parameters, body }, old, now, isChanged }) {
    const isOwn = user?.toLowerCase() === parameters.get("username")?.toLowerCase();
    if (isOwn && Object.entries(ownAccess).some(([name, value]) => fieldsOf(body)[name] === value))
      return "it takes your own access away";
    // Only Forgejo has pronouns.
    const isKept = isChanged("email") && "pronouns" in old;
    return isKept
      ? { remaining: [`undo leaves ${now["email"]} as a second address of the account: see tongs user email`] }
      : {};
  },
});

/** An account without a name at the authentication source signs in by its own, which Gitea requires in its place. */
function inverseOfEdit(past: PastWrite): Inverse | string {
  const before = fieldsOf(past.before);
  if (before["login_name"] !== "" || !("login_name" in fieldsOf(past.body))) return editUndo.inverse(past);
  const inverse = editUndo.inverse({ ...past, before: { ...before, login_name: before["login"] } });
  if (typeof inverse === "string") return inverse;
  const left = `undo leaves ${before["login"]} as the name at the authentication source`;
  return { ...inverse, loses: [left] };
}

/** `admin` is `is_admin` in the record. The record does not show `hide_email`, which a server could ignore. */
export const userEdit = operation("PATCH", "/admin/users/{username}", {
  answers: user,
  strict: ["hide_email"],
  undo: { ...editUndo, byUser: true, inverse: inverseOfEdit },
  applied: {
    names: { admin: "is_admin" },
    reads: { email: asName(({ email }) => email) },
    except: {
      password: secret,
      must_change_password: unshown,
      hide_email: unshown,
      allow_git_hook: unshown,
      allow_import_local: unshown,
      allow_create_organization: unshown,
      max_repo_creation: unshown,
    },
    hint: "Change it in the web interface.",
  },
});

export const userDelete = operation("DELETE", "/admin/users/{username}");

export const userRename = operation("POST", "/admin/users/{username}/rename", {
  effect: "destroy",
  undo: undoRename("new_username", "login", "/users/{username}"),
});

export const userKeyAdd = operation("POST", "/admin/users/{username}/keys", {
  answers: publicKey,
  undo: undoCreate({ shownAt: "/user/keys/{key}", listed: "/users/{username}/keys" }),
  applied: { reads: { key: asKey(under("key")) } },
});

export const userKeyDelete = operation("DELETE", "/admin/users/{username}/keys/{id}", {
  undo: undoDelete({ at: "/user/keys/{id}", listed: "/users/{username}/keys" }),
});

export const userBadgeList = operation("GET", "/admin/users/{username}/badges", {
  answers: pagesOf(badge, { unpaged: true }),
});

export const userBadgeAdd = operation("POST", "/admin/users/{username}/badges", {
  undo: undoMembers({ badge_slugs: "" }),
});

export const userBadgeRemove = operation("DELETE", "/admin/users/{username}/badges", {
  undo: undoMembers({ badge_slugs: "" }, { by: "POST" }),
});

export const userEmailList = operation("GET", "/admin/users/{username}/emails", {
  answers: pagesOf(email, { unpaged: true }),
});

/** 204 also for an unknown one. */
export const userEmailDelete = operation("DELETE", "/admin/users/{username}/emails");

export const emailList = operation("GET", "/admin/emails", { answers: pagesOf(email) });

export const emailSearch = operation("GET", "/admin/emails/search", { answers: pagesOf(email) });

/** Changes only the given fields; `current` is the account before the change. */
export async function editUser(http: Http, current: User, changes: EditUserOption): Promise<User> {
  const body = { ...signInFields(current, changes), ...changes };
  const username = current.login;
  try {
    return await call(http, userEdit, { username }, body);
  } catch (error) {
    // The account has no sign-in name, but the server requires both fields.
    if (!(error instanceof InvalidError) || error.status !== 422 || "login_name" in body) throw error;
    const signIn = { source_id: current.source_id, login_name: current.login };
    return call(http, userEdit, { username }, { ...changes, ...signIn });
  }
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
