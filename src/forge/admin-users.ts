import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { InvalidError } from "../http/errors/invalid-error.ts";
import { path } from "../http/path.ts";
import type { AdminUserQuery, CreateUserOption, EditUserOption } from "./records/admin-user.ts";
import type { Badge } from "./records/badge.ts";
import type { Email } from "./records/email.ts";
import type { PublicKey } from "./records/public-key.ts";
import type { User } from "./records/user.ts";

/** The administrator's user management (api-facts 3.2). Scope `admin`, and an administrator's account. */
export const adminUsers = (http: Http) => {
  const one = (name: string) => path`/admin/users/${name}`;
  const patch = (name: string, body: EditUserOption) => http.patch(one(name), { body, answers: json<User>() });

  return {
    /** As the server filters and sorts; see `list-users.ts` for the filters that older ones lack. */
    list: (query: AdminUserQuery) => http.list<User>(path`/admin/users`, { query: { ...query }, unique: "id" }),

    create: (body: CreateUserOption) => http.post(path`/admin/users`, { body, answers: json<User>() }),

    /** As `create`, with the headers of the answer: its `Date` is the server's clock. */
    createAnswered: (body: CreateUserOption) => http.send("POST", path`/admin/users`, { body, answers: json<User>() }),

    /** The headers of a list of one account: the server's clock (`date`) and how many there are (`x-total-count`). */
    headers: async () =>
      (await http.send("GET", path`/admin/users`, { query: { page: 1, limit: 1 }, answers: json<readonly User[]>() }))
        .headers,

    /** Changes only what is asked; `current` is the account as it was just read. */
    edit: async (current: User, changes: EditUserOption) => {
      const body = { ...signInFields(current, changes), ...changes };
      try {
        return await patch(current.login, body);
      } catch (error) {
        // An account without the two, on a server that wants them nevertheless.
        if (!(error instanceof InvalidError) || error.status !== 422 || "login_name" in body) throw error;
        return patch(current.login, { ...changes, source_id: current.source_id, login_name: current.login });
      }
    },

    delete: (name: string, purge: boolean) =>
      http.delete(one(name), { query: { purge: purge || undefined }, answers: nothing }),

    rename: (name: string, new_username: string) =>
      http.post(path`/admin/users/${name}/rename`, { body: { new_username }, answers: nothing }),

    addKey: (name: string, body: { readonly title: string; readonly key: string; readonly read_only?: boolean }) =>
      http.post(path`/admin/users/${name}/keys`, { body, answers: json<PublicKey>() }),

    deleteKey: (name: string, id: number) => http.delete(path`/admin/users/${name}/keys/${id}`, { answers: nothing }),

    badges: (name: string) => http.list<Badge>(path`/admin/users/${name}/badges`, { unpaged: true, since: "1.22" }),

    addBadges: (name: string, badge_slugs: readonly string[]) =>
      http.post(path`/admin/users/${name}/badges`, { body: { badge_slugs }, answers: nothing, since: "1.22" }),

    removeBadges: (name: string, badge_slugs: readonly string[]) =>
      http.delete(path`/admin/users/${name}/badges`, { body: { badge_slugs }, answers: nothing, since: "1.22" }),

    emails: () => http.list<Email>(path`/admin/emails`),

    searchEmails: (q: string) => http.list<Email>(path`/admin/emails/search`, { query: { q } }),
  };
};

/**
 * The fields that Gitea demands with every edit and Forgejo wants together or not at all (api-facts 0.1 row 8). An
 * account that has them sends them back unchanged. One without is Gitea's to name (it stores the user name), and is
 * left alone where the record shows Forgejo's `pronouns`.
 */
function signInFields(current: User, changes: EditUserOption): EditUserOption {
  const source_id = changes.source_id ?? current.source_id;
  if (changes.login_name !== undefined) return { source_id };
  if (current.login_name !== "") return { source_id, login_name: current.login_name };
  if (current.pronouns !== undefined && changes.source_id === undefined) return {};
  return { source_id, login_name: current.login };
}
