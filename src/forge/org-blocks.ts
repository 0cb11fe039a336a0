import { yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { type Infer, integer, listedRecord, optional, string, time } from "../shape/shape.ts";
import { noteUnkept } from "./account.ts";
import { collect, ifUnknown, orIfUnknown } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { listHas, loses, undoToggle } from "./undo.ts";
import { user, userGet } from "./users.ts";

const { login: _login, full_name: _fullName, ...rest } = user.fields;

/** A blocked user: on Gitea an account, on Forgejo only its id and the time of the block. */
export const blockedUser = listedRecord(
  "a blocked user",
  {
    login: optional(string),
    full_name: user.fields.full_name,
    block_id: optional(integer),
    created_at: optional(time),
  },
  { ...rest, username: optional(string), avatar_url: optional(string), language: optional(string) },
);

export type BlockedUser = Infer<typeof blockedUser>;

/** The next four are of Gitea, the three after them of Forgejo. */
export const orgBlockList = operation("GET", "/orgs/{org}/blocks", { answers: pagesOf(blockedUser) });

export const orgBlockCheck = operation("GET", "/orgs/{org}/blocks/{username}", { answers: yesNo });

/** `note` is stored by Gitea only. */
export const orgBlockAdd = operation("PUT", "/orgs/{org}/blocks/{username}", {
  undo: undoToggle({ loses: loses.block }),
});

/** 400 on Gitea if the user is not blocked. */
export const orgBlockRemove = operation("DELETE", "/orgs/{org}/blocks/{username}", { undo: undoToggle() });

export const orgBlockedIdList = operation("GET", "/orgs/{org}/list_blocked", { answers: pagesOf(blockedUser) });

const isBlocked = listHas({ block_id: "@id" }, "/orgs/{org}/list_blocked");

export const orgUserBlock = operation("PUT", "/orgs/{org}/block/{username}", {
  undo: undoToggle({ by: "PUT /orgs/{org}/unblock/{username}", loses: loses.userBlock, state: isBlocked }),
});

export const orgUserUnblock = operation("PUT", "/orgs/{org}/unblock/{username}", {
  undo: undoToggle({ by: "PUT /orgs/{org}/block/{username}", adds: false, state: isBlocked }),
});

/**
 * Users whom an organization blocks. Gitea and Forgejo have different operations; what one lacks is asked for under the
 * name that the other has (docs/server-differences.md, "Organizations and teams").
 */
export function listOrgBlocks(http: Http, org: string): Listing<BlockedUser> {
  return orIfUnknown(call(http, orgBlockList, { org }), () => call(http, orgBlockedIdList, { org }), isMissing);
}

/** Whether an organization blocks a user. Forgejo has only the list, with the ids of users. */
export function isOrgBlocked(http: Http, org: string, username: string): Promise<boolean> {
  return call(http, orgBlockCheck, { org, username }).catch(
    ifUnknown(async () => {
      const { id } = await call(http, userGet, { username });
      const all = await collect(call(http, orgBlockedIdList, { org }));
      return all.some(({ block_id }) => block_id === id);
    }, isMissing),
  );
}

export function blockInOrg(http: Http, org: string, username: string, note?: string): Promise<undefined> {
  return call(http, orgBlockAdd, { org, username, note }).catch(
    ifUnknown(async () => {
      await call(http, orgUserBlock, { org, username });
      noteUnkept(note);
      return undefined;
    }, isMissing),
  );
}

export function unblockInOrg(http: Http, org: string, username: string): Promise<undefined> {
  return call(http, orgBlockRemove, { org, username }).catch(
    ifUnknown(() => call(http, orgUserUnblock, { org, username }), isMissing),
  );
}

/** Whether an operation or what it asks about is missing. */
function isMissing(error: unknown): boolean {
  return error instanceof UnknownOperationError || error instanceof NotFoundError;
}
