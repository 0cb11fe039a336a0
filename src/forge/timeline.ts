import { nothing } from "../http/answers.ts";
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
import { issue } from "./issues.ts";
import { label } from "./labels.ts";
import { filterListing } from "./listings.ts";
import { milestone } from "./milestones.ts";
import { explainMissingIssue } from "./missing-issue.ts";
import { trackedTime } from "./times.ts";
import { person } from "./users.ts";

const related = optional(nullable(using(issue, "number", "title", "repository")));

/** An event of an issue or a pull request; `type` says which of the other fields are set. */
export const timelineEvent = serverRecord(
  "an event",
  {
    id: integer,
    type: string,
    html_url: string,
    pull_request_url: string,
    issue_url: string,
    user: optional(nullable(person)),
    /** The text of a comment; of a label event `1` if it was added; of other events a detail. */
    body: optional(string),
    created_at: optional(time),
    updated_at: time,
    old_project_id: integer,
    project_id: integer,
    old_milestone: optional(nullable(milestone)),
    milestone: optional(nullable(milestone)),
    tracked_time: optional(nullable(using(trackedTime, "time"))),
    old_title: optional(string),
    new_title: optional(string),
    old_ref: optional(string),
    new_ref: optional(string),
    ref_issue: related,
    ref_comment: nullable(anything),
    ref_action: string,
    ref_commit_sha: optional(string),
    review_id: integer,
    label: optional(nullable(label)),
    assignee: optional(nullable(person)),
    assignee_team: nullable(anything),
    removed_assignee: optional(boolean),
    resolve_doer: nullable(person),
    dependent_issue: related,
  },
  [
    "id",
    "type",
    "user",
    "body",
    "created_at",
    "old_milestone",
    "milestone",
    "tracked_time",
    "old_title",
    "new_title",
    "old_ref",
    "new_ref",
    "ref_issue",
    "ref_commit_sha",
    "label",
    "assignee",
    "removed_assignee",
    "dependent_issue",
  ],
);

export type TimelineEvent = Infer<typeof timelineEvent>;

/** Events and subscriptions of issues and pull requests. Scope `issue`. */
export function timelineApi(http: Http) {
  const subscription = (repo: RepoName, index: number, login: string) =>
    path`/repos/${repo.owner}/${repo.name}/issues/${index}/subscriptions/${login}`;
  return {
    /**
     * Oldest first. The total that the servers send is that of the page, and Forgejo can send null in place of an event
     * (docs/server-differences.md, "Issues").
     */
    list: (repo: RepoName, index: number, query: { readonly since?: string | undefined }) => {
      const listing = http.list(path`/repos/${repo.owner}/${repo.name}/issues/${index}/timeline`, {
        ...{ items: nullable(timelineEvent), query: { ...query }, unique: "id", pageTotal: true },
      });
      return filterListing(explainMissingIssue(http, { repo, index }, listing), (event) => event !== null);
    },

    /** Succeeds if the user is subscribed already. Only site administrators can subscribe others. */
    subscribe: (repo: RepoName, index: number, login: string) =>
      http.put(subscription(repo, index, login), { answers: nothing }),

    unsubscribe: (repo: RepoName, index: number, login: string) =>
      http.delete(subscription(repo, index, login), { answers: nothing }),
  };
}
