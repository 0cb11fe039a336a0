import { exists } from "../http/answers.ts";
import { anything, boolean, serverRecord, string, time } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { undoToggle } from "./undo.ts";
import { user, userGet } from "./users.ts";

/** The caller's subscription to a repository. */
export const watch = serverRecord(
  "a subscription",
  { subscribed: boolean },
  { ignored: boolean, reason: anything, created_at: time, url: string, repository_url: string },
);

export const watcherList = operation("GET", "/repos/{owner}/{repo}/subscribers", { answers: pagesOf(user) });

export const stargazerList = operation("GET", "/repos/{owner}/{repo}/stargazers", { answers: pagesOf(user) });

export const ownWatchList = operation("GET", "/user/subscriptions", { answers: pagesOf(repository) });

/** Private repositories are left out, except for the user and administrators. */
export const userWatchList = operation("GET", "/users/{username}/subscriptions", {
  belongsTo: userGet,
  answers: pagesOf(repository),
});

/** False also if the caller cannot see the repository. */
export const watchCheck = operation("GET", "/repos/{owner}/{repo}/subscription", { answers: exists(watch) });

export const watchAdd = operation("PUT", "/repos/{owner}/{repo}/subscription", { answers: watch });

/** 204 also if the caller does not watch it. */
export const watchRemove = operation("DELETE", "/repos/{owner}/{repo}/subscription", { undo: undoToggle() });
