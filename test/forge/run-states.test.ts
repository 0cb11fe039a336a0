import { expect, it } from "vitest";
import { isFinished, runState } from "../../src/forge/run-or-task.ts";

it.each([
  [{ status: "completed", conclusion: "stale" }, "stale", true],
  [{ status: "completed", conclusion: "" }, "completed", true],
  [{ status: "in_progress", conclusion: "" }, "in_progress", false],
  [{ status: "blocked", runs_on: null }, "waiting", false],
])("%j is %s, finished: %s", (record, state, finished) => {
  const stateful = record as { readonly status: string };
  expect([runState(stateful), isFinished(stateful)]).toEqual([state, finished]);
});
