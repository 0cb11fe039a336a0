import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { anything, boolean, type Infer, integer, list, optional, serverRecord, string, time } from "../shape/shape.ts";
import { email } from "./admin-users.ts";
import { type User, user } from "./users.ts";

/** The settings of the signed-in user. The last two exist on Forgejo only. */
export const userSettings = serverRecord(
  "user settings",
  {
    full_name: optional(string),
    website: optional(string),
    description: optional(string),
    location: optional(string),
    language: optional(string),
    theme: optional(string),
    diff_view_style: optional(string),
    hide_email: optional(boolean),
    hide_activity: optional(boolean),
    pronouns: optional(string),
    enable_repo_unit_hints: optional(boolean),
  },
  [
    "full_name",
    "website",
    "description",
    "location",
    "language",
    "theme",
    "diff_view_style",
    "hide_email",
    "hide_activity",
    "pronouns",
    "enable_repo_unit_hints",
  ],
);

export type UserSettings = Infer<typeof userSettings>;

/** The ActivityPub description of a user. */
export const actor = serverRecord(
  "an actor",
  {
    "@context": optional(anything),
    id: string,
    type: string,
    name: optional(string),
    url: optional(string),
    icon: optional(anything),
    inbox: optional(string),
    outbox: optional(string),
    preferredUsername: optional(string),
    publicKey: optional(anything),
  },
  ["id", "type", "url", "inbox", "outbox", "preferredUsername"],
);

/** A blocked user as Forgejo lists them. */
const blockedId = serverRecord("a blocked user", { block_id: integer, created_at: time }, ["block_id"]);
const found = serverRecord("a search result", { data: list(user) }, ["data"]);

/** The account of the signed-in user: settings, e-mail addresses, avatar and blocked users. */
export function accountApi(http: Http) {
  /** Users blocked on Forgejo, which lists their IDs only; each user is found by ID. */
  async function* blockedOnForgejo(limit: number): AsyncGenerator<User, void, undefined> {
    for await (const { block_id } of http.list(path`/user/list_blocked`, { items: blockedId }).take(limit)) {
      const { data } = await http.get(path`/users/search`, { query: { uid: block_id }, answers: json(found) });
      yield data[0] ?? { id: block_id, login: "" };
    }
  }

  return {
    settings: () => http.get(path`/user/settings`, { answers: json(userSettings) }),

    editSettings: (body: UserSettings) => http.patch(path`/user/settings`, { body, answers: json(userSettings) }),

    emails: () => http.list(path`/user/emails`, { items: email, unpaged: true }),

    /** Returns all addresses of the user. */
    addEmails: (emails: readonly string[]) =>
      http.post(path`/user/emails`, { body: { emails }, answers: json(list(email)) }),

    deleteEmails: (emails: readonly string[]) =>
      http.delete(path`/user/emails`, { body: { emails }, answers: nothing }),

    /** `image` is in base64. */
    setAvatar: (image: string) => http.post(path`/user/avatar`, { body: { image }, answers: nothing }),

    deleteAvatar: () => http.delete(path`/user/avatar`, { answers: nothing }),

    /** The blocked users. The paths on Forgejo differ (docs/server-differences.md, "Blocked users"). */
    blocked: (): Listing<User> => {
      const listed = http.list(path`/user/blocks`, { items: user, unique: "id", since: "1.22" });
      return {
        async *take(limit) {
          try {
            yield* listed.take(limit);
          } catch (error) {
            if (!(error instanceof UnknownOperationError)) throw error;
            yield* otherwise(blockedOnForgejo(limit), error);
          }
        },
        get total() {
          return listed.total;
        },
      };
    },

    block: (name: string, note?: string) =>
      orOnForgejo(
        () => http.put(path`/user/blocks/${name}`, { query: { note }, answers: nothing, since: "1.22" }),
        () => http.put(path`/user/block/${name}`, { answers: nothing }),
      ),

    unblock: (name: string) =>
      orOnForgejo(
        () => http.delete(path`/user/blocks/${name}`, { answers: nothing, since: "1.22" }),
        () => http.put(path`/user/unblock/${name}`, { answers: nothing }),
      ),

    /** The ActivityPub description of the user with this ID. */
    actor: (id: number) => http.get(path`/activitypub/user-id/${id}`, { answers: json(actor) }),
  };
}

/** Sends the second request if the server does not have the operation of the first. */
async function orOnForgejo(first: () => Promise<undefined>, second: () => Promise<undefined>): Promise<void> {
  try {
    await first();
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    await second().catch((other: unknown) => {
      throw other instanceof UnknownOperationError ? error : other;
    });
  }
}

/** The items; if the server does not have this operation either, throws the first error. */
async function* otherwise<T>(items: AsyncGenerator<T>, first: UnknownOperationError): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw error instanceof UnknownOperationError ? first : error;
  }
}
