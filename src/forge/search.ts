import { type Infer, integer, optional, serverRecord, string, time } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { user } from "./users.ts";

/** A topic, and how many repositories have it. */
export const foundTopic = serverRecord(
  "a topic",
  { topic_name: string, repo_count: optional(integer), updated: optional(time) },
  { id: integer, created: time },
);

export type FoundTopic = Infer<typeof foundTopic>;

/** The words of `q` are names of topics with `topic`; searches find what the caller may see. */
export const repoSearch = operation("GET", "/repos/search", { answers: pagesOf(repository, { envelope: "data" }) });

export const userSearch = operation("GET", "/users/search", { answers: pagesOf(user, { envelope: "data" }) });

export const topicSearch = operation("GET", "/topics/search", { answers: pagesOf(foundTopic, { envelope: "topics" }) });
