import { noteIgnored } from "../failure/ignored.ts";
import type { Http } from "../http/client.ts";
import type { Listing } from "../http/pages.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  optional,
  serverRecord,
  string,
  time,
  words,
} from "../shape/shape.ts";
import { email } from "./admin-users.ts";
import { collect, ifUnknown, mapListing, orIfUnknown } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { type Settings, shapesOf } from "./setting.ts";
import { cannot, listHas, loses, undoMembers, undoToggle } from "./undo.ts";
import { type User, user } from "./users.ts";

/** The settings of the signed-in user. The last two exist on Forgejo only. */
export const ownSettings = {
  full_name: { shape: string, flag: "full name", placeholder: "NAME" },
  website: { shape: string, flag: "URL of your website; empty removes it", placeholder: "URL" },
  description: { shape: string, flag: "description of yourself" },
  location: { shape: string, flag: "your location" },
  language: { shape: string, flag: "language of the web pages, such as de-DE", placeholder: "LANGUAGE" },
  theme: { shape: string, flag: "theme of the web pages", placeholder: "THEME" },
  diff_view_style: { shape: words("unified", "split"), flag: "how the web pages show diffs" },
  hide_email: { shape: boolean, flag: "hide your email address" },
  hide_activity: { shape: boolean, flag: "hide your activity from other users" },
  pronouns: { shape: string, flag: "pronouns" },
  enable_repo_unit_hints: { shape: boolean, flag: "show hints to enable more features of a repository" },
} as const satisfies Settings;

export const userSettings = serverRecord("user settings", shapesOf(ownSettings));

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
  undo: undoMembers({ emails: "" }),
});

export const ownEmailDelete = operation("DELETE", "/user/emails", { undo: "a new address must be activated again" });

/** `image` is in base64. */
export const ownAvatarSet = operation("POST", "/user/avatar", { undo: cannot.picture });

export const ownAvatarDelete = operation("DELETE", "/user/avatar", { undo: cannot.picture });

/** The next three are of Gitea, the three after them of Forgejo (docs/server-differences.md, "Blocked users"). */
export const blockList = operation("GET", "/user/blocks", { answers: pagesOf(user) });

export const blockAdd = operation("PUT", "/user/blocks/{username}", { undo: undoToggle({ loses: loses.block }) });

export const blockRemove = operation("DELETE", "/user/blocks/{username}", { undo: undoToggle() });

export const blockedIdList = operation("GET", "/user/list_blocked", { answers: pagesOf(blockedId) });

const isInBlocked = listHas({ block_id: "@id" }, "/user/list_blocked");

export const userBlock = operation("PUT", "/user/block/{username}", {
  undo: undoToggle({ by: "PUT /user/unblock/{username}", loses: loses.userBlock, state: isInBlocked }),
});

export const userUnblock = operation("PUT", "/user/unblock/{username}", {
  undo: undoToggle({ by: "PUT /user/block/{username}", adds: false, state: isInBlocked }),
});

/** The users with an ID. */
export const userByIdSearch = operation("GET", "/users/search", { answers: found });

/** The ActivityPub description of the user with an ID. */
export const actorGet = operation("GET", "/activitypub/user-id/{user-id}", { answers: actor });

/** The blocked users. Forgejo lists their IDs only; each user is found by ID. */
export function listBlocked(http: Http): Listing<User> {
  const userWithId = async ({ block_id }: { readonly block_id: number }): Promise<User> => {
    const { data } = await call(http, userByIdSearch, { uid: block_id });
    return data[0] ?? { id: block_id, login: "" };
  };
  return orIfUnknown(call(http, blockList, {}), () => mapListing(call(http, blockedIdList, {}), userWithId));
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
export function blockUser(http: Http, username: string, note?: string): Promise<undefined> {
  return call(http, blockAdd, { username, note }).catch(
    ifUnknown(async () => {
      await call(http, userBlock, { username });
      noteUnkept(note);
      return undefined;
    }),
  );
}

export function unblockUser(http: Http, username: string): Promise<undefined> {
  return call(http, blockRemove, { username }).catch(ifUnknown(() => call(http, userUnblock, { username })));
}
