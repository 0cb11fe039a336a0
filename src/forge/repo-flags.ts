import { yesNo } from "../http/answers.ts";
import { string } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { undoSet, undoToggle } from "./undo.ts";

/** The flags of the repository, which only administrators may use. */
export const flagList = operation("GET", "/repos/{owner}/{repo}/flags", {
  answers: pagesOf(string, { unpaged: true }),
});

export const flagCheck = operation("GET", "/repos/{owner}/{repo}/flags/{flag}", { answers: yesNo });

/** 204 also if the repository has it. */
export const flagAdd = operation("PUT", "/repos/{owner}/{repo}/flags/{flag}");

/** 204 also if the repository does not have it. */
export const flagRemove = operation("DELETE", "/repos/{owner}/{repo}/flags/{flag}", { undo: undoToggle() });

/** Replaces all flags. */
export const flagsSet = operation("PUT", "/repos/{owner}/{repo}/flags", { undo: undoSet("flags") });

export const flagsRemove = operation("DELETE", "/repos/{owner}/{repo}/flags", { undo: "set the flags again instead" });
