import { describe, expect, it } from "vitest";
import { headBranch, headMissing, headName, isAgit, isHeadDeleted } from "../../../src/commands/pr/pull.ts";
import type { PullRequest } from "../../../src/forge/pulls.ts";
import { recordedRecord } from "../../support/recorded.ts";

const pullOf = (label: string) => recordedRecord("agit", label) as unknown as PullRequest;

describe("a pull request made by a push to refs/for, as servers record it", () => {
  it.each([
    ["Gitea 1.26", "jonas (AGit)"],
    ["Forgejo 16", "jonas/lamp (AGit)"],
    ["Forgejo 10", "jonas (AGit)"],
  ])("%s: has no branch, and none that was deleted", (server, name) => {
    for (const how of ["a pull request made by a push to refs/for/main", "the same by base and by user and topic"]) {
      const pull = pullOf(`${server}: ${how}`);
      expect(isAgit(pull)).toBe(true);
      expect([isHeadDeleted(pull), headMissing(pull), headBranch(pull)]).toEqual([false, undefined, undefined]);
      expect(headName(pull)).toBe(name);
    }
    const deleted = pullOf(`${server}: a pull request whose head branch was deleted`);
    expect([isAgit(deleted), isHeadDeleted(deleted), headName(deleted)]).toEqual([false, true, "dock"]);
  });
});
