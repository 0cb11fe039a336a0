import { json, nothing, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { type Infer, integer, listedRecord, optional, string, time } from "../shape/shape.ts";
import { collect } from "./listings.ts";
import { user } from "./users.ts";

/** A blocked user: on Gitea an account, on Forgejo only its id and the time of the block. */
export const blockedUser = listedRecord(
  "a blocked user",
  {
    ...user.fields,
    login: optional(string),
    username: optional(string),
    avatar_url: optional(string),
    language: optional(string),
    block_id: optional(integer),
    created_at: optional(time),
  },
  ["login", "full_name", "block_id", "created_at"],
);

export type BlockedUser = Infer<typeof blockedUser>;

/**
 * Users whom an organization blocks. Gitea and Forgejo have different operations; what one lacks is asked for under the
 * name that the other has (docs/server-differences.md, "Organizations and teams").
 */
export function orgBlocksApi(http: Http) {
  return {
    list(org: string): Listing<BlockedUser> {
      const gitea = http.list(path`/orgs/${org}/blocks`, { items: blockedUser });
      return either(gitea, () => http.list(path`/orgs/${org}/list_blocked`, { items: blockedUser }));
    },

    /** Forgejo has only the list, with the ids of users. */
    check: (org: string, name: string) =>
      http.get(path`/orgs/${org}/blocks/${name}`, { answers: yesNo }).catch(
        ifMissing(async () => {
          const { id } = await http.get(path`/users/${name}`, { answers: json(user) });
          const all = await collect(http.list(path`/orgs/${org}/list_blocked`, { items: blockedUser }));
          return all.some(({ block_id }) => block_id === id);
        }),
      ),

    /** `note` is stored by Gitea only. */
    add: (org: string, name: string, note?: string) =>
      http
        .put(path`/orgs/${org}/blocks/${name}`, { query: { note }, answers: nothing })
        .catch(ifMissing(() => http.put(path`/orgs/${org}/block/${name}`, { answers: nothing }))),

    /** 400 on Gitea if the user is not blocked. */
    remove: (org: string, name: string) =>
      http
        .delete(path`/orgs/${org}/blocks/${name}`, { answers: nothing })
        .catch(ifMissing(() => http.put(path`/orgs/${org}/unblock/${name}`, { answers: nothing }))),
  };
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
