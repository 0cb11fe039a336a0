import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
} from "../shape/shape.ts";
import { repository } from "./repos.ts";
import { person } from "./users.ts";

/** An event in a feed. What `content` is depends on `op_type` (docs/server-differences.md, "Activity feeds"). */
export const activity = serverRecord(
  "an activity",
  {
    id: integer,
    user_id: integer,
    op_type: string,
    act_user_id: integer,
    act_user: optional(nullable(person)),
    repo_id: integer,
    repo: optional(nullable(using(repository, "full_name"))),
    comment_id: integer,
    comment: nullable(anything),
    ref_name: optional(string),
    is_private: boolean,
    content: optional(string),
    created: optional(time),
  },
  ["id", "op_type", "act_user", "repo", "ref_name", "content", "created"],
);

export type Activity = Infer<typeof activity>;

/** The activity feeds of repositories, users, organizations and teams, newest first. */
export function activitiesApi(http: Http) {
  return {
    /** `date` is a day, `YYYY-MM-DD`; servers ignore one that is not valid. */
    ofRepo: (repo: RepoName, query: { readonly date?: string | undefined }) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/activities/feeds`, { items: activity, query, unique: "id" }),

    ofUser: (
      user: string,
      query: { readonly date?: string | undefined; readonly "only-performed-by"?: true | undefined },
    ) => http.list(path`/users/${user}/activities/feeds`, { items: activity, query, unique: "id" }),

    /** Empty for strangers if the organization is private. */
    ofOrg: (org: string, query: { readonly date?: string | undefined }) =>
      http.list(path`/orgs/${org}/activities/feeds`, { items: activity, query, unique: "id" }),

    ofTeam: (id: number, query: { readonly date?: string | undefined }) =>
      http.list(path`/teams/${id}/activities/feeds`, { items: activity, query, unique: "id" }),
  };
}
