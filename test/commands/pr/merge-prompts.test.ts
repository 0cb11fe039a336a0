import { describe, expect, it } from "vitest";
import { recordedRecord } from "../../support/recorded.ts";
import { type Answer, type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;

const sha = "a".repeat(40);
const here = { full_name: "mara/harbor", name: "harbor", owner: { login: "mara" }, default_branch: "main" };
const open = (changes = {}) =>
  recordedRecord("gitea", "… it is still open", {
    number: 12,
    title: "Add the buoys",
    merged: false,
    state: "open",
    base: { ref: "main", sha: "b".repeat(40), repo_id: 1, repo: here },
    head: { ref: "buoys", sha, repo_id: 1, repo: here },
    ...changes,
  });
const settings = (changes = {}) => ({
  body: {
    ...here,
    allow_merge_commits: true,
    allow_rebase: true,
    allow_squash_merge: true,
    allow_rebase_explicit: false,
    allow_fast_forward_only_merge: false,
    default_merge_style: "squash",
    ...changes,
  },
});
const start = async (routes: Record<string, Answer> = {}) => {
  forge = await scripted({
    "POST /pulls/12/merge": { status: 200 },
    "GET /pulls/12": { body: open() },
    "GET ": settings(),
    ...routes,
  });
};
const style = "What merge method would you like to use?";
const branch = "Delete the branch buoys after the merge?";
const merged = (how: string) => `Merge mara/harbor#12 (Add the buoys) into main with style ${how}`;

describe("pr merge on a terminal", () => {
  it("prompts for style and branch, confirms what will happen, and merges the commit that was shown", async () => {
    const deleted = open({
      merged: true,
      head: { ref: "refs/pull/12/head", label: "buoys", sha, repo_id: 1, repo: here },
    });
    await start({ "GET /pulls/12": [{ body: open() }, { body: deleted }] });
    const ran = await forge.run(["pr", "merge", "12"], { terminal: true, answers: ["Rebase and merge", true, true] });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/;\s+deleted\s+its\s+branch\s+buoys\s+\(was\s+[0-9a-f]{10}\)\n/);
    expect(ran.asked).toEqual([style, branch, `${merged("rebase")}, and delete the branch buoys?`]);
    expect(forge.writes()).toEqual([
      ["POST /pulls/12/merge", { Do: "rebase", delete_branch_after_merge: true, head_commit_id: sha }],
    ]);
  });

  it("offers only the allowed styles, the default first", async () => {
    await start({ "GET ": settings({ allow_rebase: false }) });
    const ran = await forge.run(["pr", "merge", "12"], { terminal: true, answers: ["Rebase and merge"] });
    expect(ran.stderr).toContain("has no choice 'Rebase and merge'");
    expect(forge.writes()).toEqual([]);
  });

  it("does not prompt for the style if only one is allowed", async () => {
    await start({ "GET ": settings({ allow_rebase: false, allow_squash_merge: false, default_merge_style: "merge" }) });
    const ran = await forge.run(["pr", "merge", "12"], { terminal: true, answers: [false, true] });
    expect(ran.asked).toEqual([branch, `${merged("merge")}?`]);
    expect(forge.writes()[0]?.[1]).toMatchObject({ Do: "merge", delete_branch_after_merge: false });
  });

  it("only confirms if style and branch are given", async () => {
    await start();
    const line = ["pr", "merge", "12", "--squash", "--no-delete-branch"];
    const ran = await forge.run(line, { terminal: true, answers: [true] });
    expect(ran.asked).toEqual([`${merged("squash")}?`]);
    expect(forge.lines()).toEqual(["GET /pulls/12", "POST /pulls/12/merge"]);
  });

  it.each([[[]], [["Squash and merge"]], [["Squash and merge", true]], [["Squash and merge", true, false]]])(
    "merges nothing if the prompts are left after %j",
    async (answers) => {
      await start();
      const ran = await forge.run(["pr", "merge", "12"], { terminal: true, answers });
      expect(ran.code).toBe(3);
      expect(ran.stderr).toContain("Cancelled; nothing was done");
      expect(forge.writes()).toEqual([]);
    },
  );

  it("does not offer to delete the branch of a fork", async () => {
    const fork = { ...here, full_name: "priya/harbor", owner: { login: "priya" } };
    await start({ "GET /pulls/12": { body: open({ head: { ref: "ferry", sha, repo_id: 2, repo: fork } }) } });
    const ran = await forge.run(["pr", "merge", "12", "--squash"], { terminal: true, answers: [true] });
    expect(ran.asked).toEqual([`${merged("squash")}?`]);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: "squash", head_commit_id: sha });
  });

  it("says that protection rules are bypassed", async () => {
    await start();
    const line = ["pr", "merge", "12", "--squash", "--no-delete-branch", "--force"];
    const ran = await forge.run(line, { terminal: true, answers: [false] });
    expect(ran.asked).toEqual([`${merged("squash")}, bypassing the protection rules?`]);
  });

  it("offers no style that would drop the title", async () => {
    await start();
    const ran = await forge.run(["pr", "merge", "12", "--title", "T"], {
      terminal: true,
      answers: ["Rebase and merge"],
    });
    expect(ran.stderr).toContain("has no choice 'Rebase and merge'");
  });

  it("prompts for nothing if it is merged already", async () => {
    await start({ "GET /pulls/12": { body: open({ merged: true, state: "closed" }) } });
    const ran = await forge.run(["pr", "merge", "12"], { terminal: true, answers: [] });
    expect(ran).toMatchObject({ code: 9, asked: [] });
    expect(ran.stderr).toContain("is already merged");
  });

  it("shows control characters of a title as pictures", async () => {
    await start({ "GET /pulls/12": { body: open({ title: "A\u001b[2Jb" }) } });
    const ran = await forge.run(["pr", "merge", "12", "--squash", "-d"], { terminal: true, answers: [false] });
    expect(ran.asked.join("")).not.toContain("\u001b");
  });

  it("uses the defaults of the repository with --yes", async () => {
    await start();
    const ran = await forge.run(["pr", "merge", "12", "--yes"], { terminal: true, answers: [] });
    expect(ran).toMatchObject({ code: 0, asked: [] });
    expect(forge.writes()).toEqual([["POST /pulls/12/merge", { Do: "merge" }]]);
  });

  it.each([["-y"], ["--auto"], ["--cancel-auto"], ["--dry-run"], ["--no-input"]])(
    "prompts for nothing with %s",
    async (flag) => {
      await start({ "DELETE /pulls/12/merge": { status: 204 }, "POST /pulls/12/merge": { status: 201 } });
      const ran = await forge.run(["pr", "merge", "12", flag], { terminal: true, answers: [] });
      expect(ran.asked).toEqual([]);
      expect(ran.code).not.toBe(3);
    },
  );
});
