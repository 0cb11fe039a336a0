import { noteIgnored } from "../failure/ignored.ts";
import { nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { anything, boolean, type Infer, integer, list, optional, serverRecord, string, time } from "../shape/shape.ts";
import { email } from "./admin-users.ts";
import { collect } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { cannot, loses } from "./undo.ts";
import { type User, user } from "./users.ts";

/** The settings of the signed-in user. The last two exist on Forgejo only. */
export const userSettings = serverRecord("user settings", {
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
});

export type UserSettings = Infer<typeof userSettings>;

/** The ActivityPub description of a user. */
export const actor = serverRecord(
  "an actor",
  {
    id: string,
    type: string,
    url: optional(string),
    inbox: optional(string),
    outbox: optional(string),
    preferredUsername: optional(string),
  },
  { "@context": optional(anything), name: optional(string), icon: optional(anything), publicKey: optional(anything) },
);

/** A blocked user as Forgejo lists them. */
const blockedId = serverRecord("a blocked user", { block_id: integer }, { created_at: time });
const found = serverRecord("a search result", { data: list(user) });

export const userSettingsGet = operation("GET", "/user/settings", { answers: userSettings });

export const userSettingsEdit = operation("PATCH", "/user/settings", {
  answers: userSettings,
  applied: {
    answered: "all",
    // Forgejo repeats the name of a theme that it does not have, and sets its default theme.
    after: { fields: ["theme"], read: (http) => call(http, userSettingsGet, {}) },
    hint(ignored, record) {
      const lacks = ignored.filter(({ name }) => !(name in record)).map(({ name }) => name);
      const others = ignored.filter(({ name }) => name in record);
      return [
        ...(lacks.length === 0 ? [] : [`The server does not have these settings: ${lacks.join(", ")}.`]),
        ...others.map(
          ({ name, requested, actual }) =>
            `The server does not accept '${requested}' as ${name}: it is '${actual}' now.`,
        ),
      ].join("\n");
    },
  },
});

export const ownEmailList = operation("GET", "/user/emails", { answers: pagesOf(email, { unpaged: true }) });

/** Returns all addresses of the user. */
export const ownEmailAdd = operation("POST", "/user/emails", {
  answers: list(email),
  undo: { by: "opposite", shows: { items: { emails: "" } } },
});

export const ownEmailDelete = operation("DELETE", "/user/emails", {
  answers: nothing,
  undo: "a new address must be activated again",
});

/** `image` is in base64. */
export const ownAvatarSet = operation("POST", "/user/avatar", { answers: nothing, undo: cannot.picture });

export const ownAvatarDelete = operation("DELETE", "/user/avatar", { answers: nothing, undo: cannot.picture });

/** The next three are of Gitea, the three after them of Forgejo (docs/server-differences.md, "Blocked users"). */
export const blockList = operation("GET", "/user/blocks", { answers: pagesOf(user, { unique: "id" }) });

export const blockAdd = operation("PUT", "/user/blocks/{username}", {
  answers: nothing,
  undo: { by: "opposite", loses: loses.block },
});

export const blockRemove = operation("DELETE", "/user/blocks/{username}", {
  answers: nothing,
  undo: { by: "opposite" },
});

export const blockedIdList = operation("GET", "/user/list_blocked", { answers: pagesOf(blockedId) });

export const userBlock = operation("PUT", "/user/block/{username}", {
  answers: nothing,
  undo: {
    by: "opposite",
    method: "PUT",
    path: "/user/unblock/{username}",
    adds: true,
    loses: loses.userBlock,
    shows: { at: "/user/list_blocked", item: { block_id: "@id" } },
  },
});

export const userUnblock = operation("PUT", "/user/unblock/{username}", {
  answers: nothing,
  undo: {
    by: "opposite",
    method: "PUT",
    path: "/user/block/{username}",
    adds: false,
    shows: { at: "/user/list_blocked", item: { block_id: "@id" } },
  },
});

/** The users with an ID. */
export const userByIdSearch = operation("GET", "/users/search", { answers: found });

/** The ActivityPub description of the user with an ID. */
export const actorGet = operation("GET", "/activitypub/user-id/{user-id}", { answers: actor });

/** The blocked users. */
export function listBlocked(http: Http): Listing<User> {
  const listed = call(http, blockList, {});
  return {
    async *take(limit) {
      try {
        yield* listed.take(limit);
      } catch (error) {
        if (!(error instanceof UnknownOperationError)) throw error;
        yield* otherwise(blockedOnForgejo(http, limit), error);
      }
    },
    get total() {
      return listed.total;
    },
  };
}

/** Users blocked on Forgejo, which lists their IDs only; each user is found by ID. */
async function* blockedOnForgejo(http: Http, limit: number): AsyncGenerator<User, void, undefined> {
  for await (const { block_id } of call(http, blockedIdList, {}).take(limit)) {
    const { data } = await call(http, userByIdSearch, { uid: block_id });
    yield data[0] ?? { id: block_id, login: "" };
  }
}

/** The note of a block on Forgejo, which does not keep it. */
export function noteUnkept(note: string | undefined): void {
  if (note) noteIgnored([{ name: "note", requested: note, actual: null }], "Forgejo has no notes about blocks.");
}

/** Whether a user is among those that are blocked, ignoring case. */
export async function isBlocked(http: Http, username: string): Promise<boolean> {
  const all = await collect(listBlocked(http));
  return all.some(({ login }) => login.toLowerCase() === username.toLowerCase());
}

/** Blocks a user; Forgejo has no notes. */
export function blockUser(http: Http, username: string, note?: string): Promise<void> {
  return orOnForgejo(
    () => call(http, blockAdd, { username, note }),
    async () => {
      await call(http, userBlock, { username });
      noteUnkept(note);
    },
  );
}

export function unblockUser(http: Http, username: string): Promise<void> {
  return orOnForgejo(
    () => call(http, blockRemove, { username }),
    () => call(http, userUnblock, { username }),
  );
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
