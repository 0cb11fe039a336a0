import { describe, expect, it } from "vitest";
import { headBranch, headMissing, headName, isAgit, isHeadDeleted } from "../../../src/commands/pr/pull.ts";
import type { PullRequest } from "../../../src/forge/pulls.ts";
import { recordedRecord } from "../../support/recorded.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { gitFolder } from "./git-folder.ts";
import { listed } from "./pulls.ts";

const place = { server: {}, repo: { owner: "mara", name: "harbor" } };
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
      expect([isHeadDeleted(pull), headMissing(pull, place), headBranch(pull)]).toEqual([false, undefined, undefined]);
      expect(headName(pull)).toBe(name);
    }
    const deleted = pullOf(`${server}: a pull request whose head branch was deleted`);
    expect([isAgit(deleted), isHeadDeleted(deleted), headName(deleted)]).toEqual([false, true, "dock"]);
  });
});

it("pr push says whose a pull request is that another account made from the same clone", async () => {
  const made = pullOf("Gitea 1.26: a pull request made by a push to refs/for/main");
  const theirs = { ...made, state: "open", user: { login: "jonas" } };
  const server = await serve(({ url }) => {
    if (url.endsWith("/user")) return { body: { login: "mara" } };
    if (url.endsWith(`/pulls/${made.number}`)) return { body: theirs };
    return /\/pulls\?/.test(url) ? listed([theirs]) : { status: 404, body: { message: "not found" } };
  });
  const { path, git } = gitFolder();
  git("switch", "-q", "-c", "ag3");
  for (const [key, value] of [
    ["tongs-topic", "ag3"],
    ["tongs-base", "main"],
    ["merge", `refs/pull/${made.number}/head`],
  ])
    git("config", `branch.ag3.${key}`, value ?? "");
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  const push = (...more: string[]) => tongs(["pr", "push", ...more], { cwd: path, env });
  const whose = `Pull request mara/harbor#${made.number} is jonas's: only its author can push to it`;
  expect(await push()).toMatchObject({ code: 4, stderr: expect.stringContaining(whose) });
  const none = "No open pull request of topic none into main";
  expect(await push("--topic", "none")).toMatchObject({ code: 9, stderr: expect.stringContaining(none) });
});
