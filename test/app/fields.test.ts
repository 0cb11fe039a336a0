import { expect, it } from "vitest";
import { bodyOf, changedList, changedNames } from "../../src/app/fields.ts";
import { integer, text, wholeList, yesNo } from "../../src/command/flags.ts";

const fields = {
  description: text("description"),
  hasIssues: yesNo("enable issues"),
  teams: wholeList("teams"),
  maxRepoCreation: integer("repositories"),
};
const none = { description: undefined, hasIssues: undefined, teams: undefined, maxRepoCreation: undefined };

it("makes a body of the given flags, under the names of the API", () => {
  const body = bodyOf(fields, { ...none, description: "", hasIssues: false, maxRepoCreation: 0 });
  expect(body).toEqual({ description: "", has_issues: false, max_repo_creation: 0 });
  const typed: boolean | undefined = body.has_issues;
  expect(typed).toBe(false);
});

it("leaves other flags of the command out", () => {
  const values = { ...none, teams: ["owners"], repo: "mara/harbor" };
  expect(bodyOf(fields, values)).toEqual({ teams: ["owners"] });
  expect(bodyOf(fields, { ...none, teams: [] })).toEqual({ teams: [] });
});

it("names the changed fields, and refuses to change nothing", () => {
  expect(changedNames({ description: "Quay", has_issues: true })).toEqual(["description", "has_issues"]);
  expect(() => changedNames(bodyOf(fields, none))).toThrow("Nothing to change: no changes were given");
});

it("adds to a list and removes from it", () => {
  expect(changedList(["a", "b"], { add: ["b", "c"], remove: ["a"] })).toEqual(["b", "c"]);
  expect(changedList(["a"], {})).toBeUndefined();
});
