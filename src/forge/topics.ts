import { nothing } from "../http/answers.ts";
import { string } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";

export const topicList = operation("GET", "/repos/{owner}/{repo}/topics", {
  answers: pagesOf(string, { envelope: "topics" }),
});

/** Replaces all topics. */
export const topicsSet = operation("PUT", "/repos/{owner}/{repo}/topics", {
  answers: nothing,
  undo: { by: "replace" },
});

/** 204 also if the repository has it. */
export const topicAdd = operation("PUT", "/repos/{owner}/{repo}/topics/{topic}", {
  answers: nothing,
  missing: "Topic {topic}",
  undo: { by: "opposite", shows: { at: "/repos/{owner}/{repo}/topics", item: { "": "{topic}" } } },
});

/** 404 if the repository does not have it. */
export const topicRemove = operation("DELETE", "/repos/{owner}/{repo}/topics/{topic}", {
  answers: nothing,
  missing: "Topic {topic}",
  undo: { by: "opposite", shows: { at: "/repos/{owner}/{repo}/topics", item: { "": "{topic}" } } },
});
