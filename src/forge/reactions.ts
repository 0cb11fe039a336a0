import type { Http } from "../http/client.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { listHas, sameBody, undoToggle } from "./undo.ts";
import { person } from "./users.ts";

/** A reaction of a user: `+1`, `heart`, or another one that the server allows. */
export const reaction = serverRecord("a reaction", {
  user: optional(nullable(person)),
  content: string,
  created_at: optional(time),
});

export type Reaction = Infer<typeof reaction>;

/** What has reactions: an issue or pull request by number, or a comment by id. */
export interface Reacted {
  readonly of: "issue" | "comment";
  readonly repo: RepoName;
  readonly id: number;
}

const interfaceSettings = serverRecord("interface settings", { allowed_reactions: optional(nullable(list(string))) });

export const issueReactionList = operation("GET", "/repos/{owner}/{repo}/issues/{index}/reactions", {
  answers: pagesOf(reaction),
});

/** Those of a comment have no pages, and other pages of them repeat the first. */
export const commentReactionList = operation("GET", "/repos/{owner}/{repo}/issues/comments/{id}/reactions", {
  answers: pagesOf(reaction, { unpaged: true }),
});

const isReacted = listHas({ content: "content", "user.login": "@user" });

/** Adding one that was added before changes nothing; one that the server does not allow is 403. */
export const issueReactionAdd = operation("POST", "/repos/{owner}/{repo}/issues/{index}/reactions", {
  answers: reaction,
  undo: undoToggle({ state: isReacted, body: sameBody }),
});

/** Adding one that was added before changes nothing; one that the server does not allow is 403. */
export const commentReactionAdd = operation("POST", "/repos/{owner}/{repo}/issues/comments/{id}/reactions", {
  answers: reaction,
  undo: undoToggle({ state: isReacted, body: sameBody }),
});

/** Removes the caller's own reaction; succeeds if there is none. */
export const issueReactionRemove = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/reactions", {
  undo: undoToggle({ by: "POST", state: isReacted, body: sameBody }),
});

/** Removes the caller's own reaction; succeeds if there is none. */
export const commentReactionRemove = operation("DELETE", "/repos/{owner}/{repo}/issues/comments/{id}/reactions", {
  undo: undoToggle({ by: "POST", state: isReacted, body: sameBody }),
});

export const interfaceSettingsGet = operation("GET", "/settings/ui", { answers: interfaceSettings });

/** The reactions to an issue or a comment. */
export function listReactions(http: Http, { of, repo, id }: Reacted) {
  return of === "issue"
    ? call(http, issueReactionList, { repo, index: id })
    : call(http, commentReactionList, { repo, id });
}

/** Adds a reaction to an issue or a comment. */
export function addReaction(http: Http, { of, repo, id }: Reacted, content: string) {
  return of === "issue"
    ? call(http, issueReactionAdd, { repo, index: id }, { content })
    : call(http, commentReactionAdd, { repo, id }, { content });
}

/** Removes the caller's own reaction to an issue or a comment. */
export function removeReaction(http: Http, { of, repo, id }: Reacted, content: string) {
  return of === "issue"
    ? call(http, issueReactionRemove, { repo, index: id }, { content })
    : call(http, commentReactionRemove, { repo, id }, { content });
}

/** The reactions that the server allows. */
export async function allowedReactions(http: Http) {
  return (await call(http, interfaceSettingsGet, {})).allowed_reactions ?? [];
}
