import { status } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
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
import { call, operation, pagesOf, type QueryOf } from "./operation.ts";
import { trackedTime } from "./times.ts";
import { listHas, type Undo, unchanged, undoToggle } from "./undo.ts";
import { person } from "./users.ts";

const related = optional(nullable(using(issue, "number", "title", "repository")));

/** An event of an issue or a pull request; `type` says which of the other fields are set. */
export const timelineEvent = serverRecord(
  "an event",
  {
    id: integer,
    type: string,
    user: optional(nullable(person)),
    /** The text of a comment; of a label event `1` if it was added; of other events a detail. */
    body: optional(string),
    created_at: optional(time),
    old_milestone: optional(nullable(milestone)),
    milestone: optional(nullable(milestone)),
    tracked_time: optional(nullable(using(trackedTime, "time"))),
    old_title: optional(string),
    new_title: optional(string),
    old_ref: optional(string),
    new_ref: optional(string),
    ref_issue: related,
    ref_commit_sha: optional(string),
    label: optional(nullable(label)),
    assignee: optional(nullable(person)),
    removed_assignee: optional(boolean),
    dependent_issue: related,
  },
  {
    html_url: string,
    pull_request_url: string,
    issue_url: string,
    updated_at: time,
    old_project_id: integer,
    project_id: integer,
    ref_comment: nullable(anything),
    ref_action: string,
    review_id: integer,
    assignee_team: nullable(anything),
    resolve_doer: nullable(person),
  },
);

export type TimelineEvent = Infer<typeof timelineEvent>;

/**
 * Oldest first. The total that the servers send is that of the page, and Forgejo can send null in place of an event
 * (docs/server-differences.md, "Issues").
 */
export const issueEventList = operation("GET", "/repos/{owner}/{repo}/issues/{index}/timeline", {
  answers: pagesOf(nullable(timelineEvent)),
});

/** An author is subscribed without being listed: the status tells who was subscribed already, or not. */
const subscription = undoToggle({
  state: listHas({ login: "{user}" }, "/repos/{owner}/{repo}/issues/{index}/subscriptions"),
});

/** The status says whether it was so already: the author is subscribed, and not in the list. */
const undo: Undo = {
  ...subscription,
  inverse: (past) => (past.status === 200 ? unchanged : subscription.inverse({ ...past, before: undefined })),
};

/** 201, or 200 for who is subscribed already; so is the next, for who is not. Only site administrators can subscribe others. */
export const issueSubscribe = operation("PUT", "/repos/{owner}/{repo}/issues/{index}/subscriptions/{user}", {
  answers: status,
  undo,
});

export const issueUnsubscribe = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/subscriptions/{user}", {
  answers: status,
  undo,
});

/** The events of an issue or a pull request. */
export function listEvents(http: Http, repo: RepoName, index: number, query: QueryOf<typeof issueEventList>) {
  const listing = call(http, issueEventList, { repo, index, ...query });
  return filterListing(explainMissingIssue(http, { repo, index }, listing), (event) => event !== null);
}
