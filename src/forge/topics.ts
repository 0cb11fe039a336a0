import { string } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { listHas, undoSet, undoToggle } from "./undo.ts";

export const topicList = operation("GET", "/repos/{owner}/{repo}/topics", {
  answers: pagesOf(string, { envelope: "topics" }),
});

/** Replaces all topics. */
export const topicsSet = operation("PUT", "/repos/{owner}/{repo}/topics", { undo: undoSet("topics") });

const hasTopic = listHas({ "": "{topic}" }, "/repos/{owner}/{repo}/topics");

/** 204 also if the repository has it. */
export const topicAdd = operation("PUT", "/repos/{owner}/{repo}/topics/{topic}", {
  undo: undoToggle({ state: hasTopic }),
});

/** 404 if the repository does not have it. */
export const topicRemove = operation("DELETE", "/repos/{owner}/{repo}/topics/{topic}", {
  undo: undoToggle({ state: hasTopic }),
});
