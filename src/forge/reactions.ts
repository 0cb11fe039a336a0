import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { person } from "./users.ts";

/** A reaction of a user: `+1`, `heart`, or another one that the server allows. */
export const reaction = serverRecord(
  "a reaction",
  { user: optional(nullable(person)), content: string, created_at: optional(time) },
  ["user", "content", "created_at"],
);

export type Reaction = Infer<typeof reaction>;

/** What has reactions: an issue or pull request by number, or a comment by id. */
export interface Reacted {
  readonly of: "issue" | "comment";
  readonly repo: RepoName;
  readonly id: number;
}

const interfaceSettings = serverRecord("interface settings", { allowed_reactions: optional(nullable(list(string))) }, [
  "allowed_reactions",
]);

/** Reactions to issues, pull requests and comments. Scope `issue`. */
export function reactionsApi(http: Http) {
  const all = ({ of, repo, id }: Reacted) =>
    of === "issue"
      ? path`/repos/${repo.owner}/${repo.name}/issues/${id}/reactions`
      : path`/repos/${repo.owner}/${repo.name}/issues/comments/${id}/reactions`;
  return {
    /** Those of a comment have no pages, and other pages of them repeat the first. */
    list: (target: Reacted) => http.list(all(target), { items: reaction, unpaged: target.of === "comment" }),

    /** Adding one that was added before changes nothing; one that the server does not allow is 403. */
    add: (target: Reacted, content: string) => http.post(all(target), { body: { content }, answers: json(reaction) }),

    /** Removes the caller's own reaction; succeeds if there is none. */
    remove: (target: Reacted, content: string) => http.delete(all(target), { body: { content }, answers: nothing }),

    /** The reactions that the server allows. */
    allowed: async () =>
      (await http.get(path`/settings/ui`, { answers: json(interfaceSettings) })).allowed_reactions ?? [],
  };
}
