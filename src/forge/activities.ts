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
import { operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { person } from "./users.ts";

/** An event in a feed. What `content` is depends on `op_type` (docs/server-differences.md, "Activity feeds"). */
export const activity = serverRecord(
  "an activity",
  {
    id: integer,
    op_type: string,
    act_user: optional(nullable(person)),
    repo: optional(nullable(using(repository, "full_name"))),
    ref_name: optional(string),
    content: optional(string),
    created: optional(time),
  },
  {
    user_id: integer,
    act_user_id: integer,
    repo_id: integer,
    comment_id: integer,
    comment: nullable(anything),
    is_private: boolean,
  },
);

export type Activity = Infer<typeof activity>;

/** `date` is a day, `YYYY-MM-DD`; servers ignore one that is not valid. */
export const repoActivityList = operation("GET", "/repos/{owner}/{repo}/activities/feeds", {
  answers: pagesOf(activity),
});

export const userActivityList = operation("GET", "/users/{username}/activities/feeds", { answers: pagesOf(activity) });

/** Empty for strangers if the organization is private. */
export const orgActivityList = operation("GET", "/orgs/{org}/activities/feeds", { answers: pagesOf(activity) });

export const teamActivityList = operation("GET", "/teams/{id}/activities/feeds", { answers: pagesOf(activity) });
