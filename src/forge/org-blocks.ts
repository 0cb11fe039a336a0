import { nothing, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { type Infer, integer, listedRecord, optional, string, time } from "../shape/shape.ts";
import { noteUnkept } from "./account.ts";
import { collect } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { loses } from "./undo.ts";
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
  answers: nothing,
  undo: { by: "opposite", loses: loses.block },
});

/** 400 on Gitea if the user is not blocked. */
export const orgBlockRemove = operation("DELETE", "/orgs/{org}/blocks/{username}", {
  answers: nothing,
  undo: { by: "opposite" },
});

export const orgBlockedIdList = operation("GET", "/orgs/{org}/list_blocked", { answers: pagesOf(blockedUser) });

export const orgUserBlock = operation("PUT", "/orgs/{org}/block/{username}", {
  answers: nothing,
  undo: {
    by: "opposite",
    method: "PUT",
    path: "/orgs/{org}/unblock/{username}",
    adds: true,
    loses: loses.userBlock,
    shows: { at: "/orgs/{org}/list_blocked", item: { block_id: "@id" } },
  },
});

export const orgUserUnblock = operation("PUT", "/orgs/{org}/unblock/{username}", {
  answers: nothing,
  undo: {
    by: "opposite",
    method: "PUT",
    path: "/orgs/{org}/block/{username}",
    adds: false,
    shows: { at: "/orgs/{org}/list_blocked", item: { block_id: "@id" } },
  },
});

/**
 * Users whom an organization blocks. Gitea and Forgejo have different operations; what one lacks is asked for under the
 * name that the other has (docs/server-differences.md, "Organizations and teams").
 */
export function listOrgBlocks(http: Http, org: string): Listing<BlockedUser> {
  return either(call(http, orgBlockList, { org }), () => call(http, orgBlockedIdList, { org }));
}

/** Whether an organization blocks a user. Forgejo has only the list, with the ids of users. */
export function isOrgBlocked(http: Http, org: string, username: string): Promise<boolean> {
  return call(http, orgBlockCheck, { org, username }).catch(
    ifMissing(async () => {
      const { id } = await call(http, userGet, { username });
      const all = await collect(call(http, orgBlockedIdList, { org }));
      return all.some(({ block_id }) => block_id === id);
    }),
  );
}

export function blockInOrg(http: Http, org: string, username: string, note?: string): Promise<undefined> {
  return call(http, orgBlockAdd, { org, username, note }).catch(
    ifMissing(async () => {
      await call(http, orgUserBlock, { org, username });
      noteUnkept(note);
      return undefined;
    }),
  );
}

export function unblockInOrg(http: Http, org: string, username: string): Promise<undefined> {
  return call(http, orgBlockRemove, { org, username }).catch(
    ifMissing(() => call(http, orgUserUnblock, { org, username })),
  );
}

/** Sends the other request if the first operation or what it asks about is missing; the first error counts. */
function ifMissing<T>(other: () => Promise<T>) {
  return (error: unknown): Promise<T> => {
    if (!isMissing(error)) throw error;
    return other().catch((second: unknown) => {
      throw second instanceof UnknownOperationError ? error : second;
    });
  };
}

function either<T>(first: Listing<T>, second: () => Listing<T>): Listing<T> {
  let used = first;
  return {
    async *take(limit) {
      try {
        yield* first.take(limit);
      } catch (error) {
        if (!isMissing(error)) throw error;
        used = second();
        try {
          yield* used.take(limit);
        } catch (again) {
          throw again instanceof UnknownOperationError ? error : again;
        }
      }
    },
    get total() {
      return used.total;
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof UnknownOperationError || error instanceof NotFoundError;
}
