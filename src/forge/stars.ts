import { Failure } from "../failure/failure.ts";
import { yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { boolean, optional, serverRecord } from "../shape/shape.ts";
import { orInstead } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { type Repository, repository } from "./repos.ts";
import { undoToggle } from "./undo.ts";
import { userGet } from "./users.ts";

const settings = serverRecord("settings", { stars_disabled: optional(boolean) });

export const ownStarList = operation("GET", "/user/starred", { answers: pagesOf(repository) });

/** Only public repositories; the total may be higher (docs/server-differences.md, "Stars and follows"). */
export const userStarList = operation("GET", "/users/{username}/starred", {
  belongsTo: userGet,
  answers: pagesOf(repository),
});

export const starCheck = operation("GET", "/user/starred/{owner}/{repo}", { answers: yesNo });

export const starAdd = operation("PUT", "/user/starred/{owner}/{repo}");

export const starRemove = operation("DELETE", "/user/starred/{owner}/{repo}", { undo: undoToggle() });

/** Whether stars are disabled. */
export const starSettingsGet = operation("GET", "/settings/repository", { answers: settings });

/** The starred repositories of a user, or of the caller. */
export function listStars(http: Http, username?: string): Listing<Repository> {
  const listing = username === undefined ? call(http, ownStarList, {}) : call(http, userStarList, { username });
  return orInstead(listing, (error) => explain(http, error));
}

/** Whether the caller starred a repository. False also if the caller cannot see it. */
export function isStarred(http: Http, repo: RepoName): Promise<boolean> {
  return call(http, starCheck, { repo }).catch((error: unknown) => explain(http, error));
}

export function addStar(http: Http, repo: RepoName): Promise<undefined> {
  return call(http, starAdd, { repo }).catch((error: unknown) => explain(http, error, repo));
}

export function removeStar(http: Http, repo: RepoName): Promise<undefined> {
  return call(http, starRemove, { repo }).catch((error: unknown) => explain(http, error, repo));
}

/**
 * With stars disabled, Gitea answers 403 and Forgejo has no such operations; the settings are checked to be sure
 * (docs/server-differences.md, "Stars and follows").
 */
async function explain(http: Http, error: unknown, repo?: RepoName): Promise<never> {
  if (!(error instanceof HttpError)) throw error;
  if (error.code === "unknown_operation" || error.status === 403) {
    const found = await call(http, starSettingsGet, {}).catch(() => undefined);
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
