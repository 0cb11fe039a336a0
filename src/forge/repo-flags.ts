import { nothing, yesNo } from "../http/answers.ts";
import { string } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";

/** Forgejo has the operations of flags, which only administrators may use, only where they are turned on. */
const turnedOnBy = "[repository] ENABLE_FLAGS";

export const flagList = operation("GET", "/repos/{owner}/{repo}/flags", {
  answers: pagesOf(string, { unpaged: true }),
  turnedOnBy,
});

export const flagCheck = operation("GET", "/repos/{owner}/{repo}/flags/{flag}", { answers: yesNo, turnedOnBy });

/** 204 also if the repository has it. */
export const flagAdd = operation("PUT", "/repos/{owner}/{repo}/flags/{flag}", {
  answers: nothing,
  turnedOnBy,
});

/** 204 also if the repository does not have it. */
export const flagRemove = operation("DELETE", "/repos/{owner}/{repo}/flags/{flag}", {
  answers: nothing,
  turnedOnBy,
  undo: { by: "opposite" },
});

/** Replaces all flags. */
export const flagsSet = operation("PUT", "/repos/{owner}/{repo}/flags", {
  answers: nothing,
  turnedOnBy,
  undo: { by: "replace" },
});

export const flagsRemove = operation("DELETE", "/repos/{owner}/{repo}/flags", {
  answers: nothing,
  turnedOnBy,
  undo: "set the flags again instead",
});
