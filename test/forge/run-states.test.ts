import { expect, it } from "vitest";
import { internalProgressOf, progressOf } from "../../src/forge/run-states.ts";

it.each([
  [{ status: "completed", conclusion: "stale" }, "stale", true],
  [{ status: "completed", conclusion: "" }, "completed", true],
  [{ status: "in_progress", conclusion: "" }, "in_progress", false],
])("%j is %s, finished: %s", ({ status, conclusion }, state, isFinished) => {
  expect(progressOf(status, conclusion)).toEqual({ state, isFinished });
});

it("a task, and a run or job of Forgejo, that is blocked waits", () => {
  expect(internalProgressOf("blocked")).toEqual({ state: "waiting", isFinished: false });
});
