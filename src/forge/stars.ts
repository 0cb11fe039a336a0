import { Failure } from "../failure/failure.ts";
import { json, nothing, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { boolean, optional, serverRecord } from "../shape/shape.ts";
import { repository } from "./repos.ts";

const settings = serverRecord("settings", { stars_disabled: optional(boolean) }, ["stars_disabled"]);

/** Stars. The `/user/starred` operations need both scopes, `user` and `repository`. */
export function starsApi(http: Http) {
  const one = (repo: RepoName) => path`/user/starred/${repo.owner}/${repo.name}`;
  const explained = <T>(answer: Promise<T>, repo?: RepoName) =>
    answer.catch((error: unknown) => explain(http, error, repo));
  return {
    mine: () => explainErrors(http, http.list(path`/user/starred`, { items: repository, unique: "id" })),

    /** Only public repositories; the total may be higher (docs/server-differences.md, "Stars and follows"). */
    ofUser: (user: string) =>
      explainErrors(http, http.list(path`/users/${user}/starred`, { items: repository, unique: "id" })),

    /** False also if the caller cannot see the repository. */
    check: (repo: RepoName) => explained(http.get(one(repo), { answers: yesNo })),

    add: (repo: RepoName) => explained(http.put(one(repo), { answers: nothing }), repo),

    remove: (repo: RepoName) => explained(http.delete(one(repo), { answers: nothing }), repo),
  };
}

/**
 * With stars disabled, Gitea answers 403 and Forgejo has no such operations; the settings are checked to be sure
 * (docs/server-differences.md, "Stars and follows").
 */
async function explain(http: Http, error: unknown, repo?: RepoName): Promise<never> {
  if (!(error instanceof HttpError)) throw error;
  if (error.code === "unknown_operation" || error.status === 403) {
    const found = await http.get(path`/settings/repository`, { answers: json(settings) }).catch(() => undefined);
    if (found?.stars_disabled === true) {
      const message = `Stars are disabled on ${error.exchange.server}`;
      throw new Failure("stars_disabled", message, {
        hint: "Only an administrator of the server can enable them.",
        cause: error,
      });
    }
  }
  if (error.status === 404 && repo !== undefined) {
    const message = `Repository ${fullName(repo)} not found on ${error.exchange.server}, or you do not have access`;
    throw new Failure("not_found", message, { status: 404, cause: error });
  }
  throw error;
}

function explainErrors<T>(http: Http, listing: Listing<T>): Listing<T> {
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
