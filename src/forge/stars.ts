import { Failure } from "../failure/failure.ts";
import { json, nothing, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import type { Repository } from "./repos.ts";

/** Stars (api-facts 3.3). The `/user/starred` operations need the scopes `user` and `repository`, both. */
export const stars = (http: Http) => {
  const one = (repo: RepoName) => path`/user/starred/${repo.owner}/${repo.name}`;
  const told = <T>(answer: Promise<T>, repo?: RepoName) => answer.catch((error: unknown) => explain(http, error, repo));
  return {
    mine: () => switchedOn(http, http.list<Repository>(path`/user/starred`, { unique: "id" })),

    /** Only public repositories; the total may count more. */
    ofUser: (user: string) => switchedOn(http, http.list<Repository>(path`/users/${user}/starred`, { unique: "id" })),

    /** False also for a repository that cannot be seen. */
    check: (repo: RepoName) => told(http.get(one(repo), { answers: yesNo })),

    add: (repo: RepoName) => told(http.put(one(repo), { answers: nothing }), repo),

    remove: (repo: RepoName) => told(http.delete(one(repo), { answers: nothing }), repo),
  };
};

/**
 * Servers with stars switched off answer 403 (Gitea) or lack the routes (Forgejo); the settings tell for sure
 * (api-facts 0.1 row 19, 3.3).
 */
async function explain(http: Http, error: unknown, repo?: RepoName): Promise<never> {
  if (!(error instanceof HttpError)) throw error;
  if (error.code === "unknown_operation" || error.status === 403) {
    const settings = await http
      .get(path`/settings/repository`, { answers: json<{ readonly stars_disabled?: boolean }>() })
      .catch(() => undefined);
    if (settings?.stars_disabled === true) {
      const message = `Stars are switched off on ${error.exchange.server}`;
      throw new Failure("stars_disabled", "denied", message, { hint: "Its administrator decides that.", cause: error });
    }
  }
  if (error.status === 404 && repo !== undefined) {
    const message = `There is no repository ${fullName(repo)} on ${error.exchange.server}, or you may not see it`;
    throw new Failure("not_found", "notFound", message, { status: 404, cause: error });
  }
  throw error;
}

function switchedOn<T>(http: Http, listing: Listing<T>): Listing<T> {
  return {
    async *take(limit) {
      try {
        yield* listing.take(limit);
      } catch (error) {
        await explain(http, error);
      }
    },
    get total() {
      return listing.total;
    },
  };
}
