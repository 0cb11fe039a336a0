import { describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { onSandbox } from "../on-sandbox.ts";

/** Runs `pr` in a repository with a branch and its pull requests; `as` another than mara in a fork. */
async function withPull(product: string, bases: readonly string[], as = "mara") {
  const box = await onSandbox({ release: parseRelease(product) });
  await box.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
  await box.ask("POST", "/repos/mara/buoy/branches", "mara", { new_branch_name: "other" });
  if (as !== "mara") await box.ask("POST", "/repos/mara/buoy/forks", as, {});
  const file = { content: Buffer.from("lamp").toString("base64"), message: "Add a lamp", new_branch: "late" };
  await box.ask("POST", `/repos/${as}/buoy/contents/lamp.txt`, as, file);
  for (const base of bases)
    await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: base, head: "late", base });
  return (line: string) => box.run(["pr", ...line.split(" ")], { as, env: { TONGS_REPO: `${as}/buoy` } });
}

describe.each(["gitea", "forgejo"])("close -d on %s", (product) => {
  it("names other open pull requests of the branch before", async () => {
    const run = await withPull(product, ["main", "other"]);
    expect((await run("close 1 -d --dry-run")).stderr).toContain(
      "Deleting branch late closes pull request mara/buoy#2",
    );
    const { head } = (await run("view 1 --json")).json() as { head: { sha: string } };
    expect((await run("close 1 -d --dry-run")).stderr).toContain(
      `The deletion of branch late could not be undone: servers do not keep what is deleted: create it again at ${head.sha}.`,
    );
    const ran = await run("close 1 -d");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("! Deleting branch late closes pull request mara/buoy#2");
    expect(ran.stderr).toMatch(/; deleted its branch late \(was [0-9a-f]{10}\)/);
    expect((await run("list --json number")).json()).toEqual([]);
  });
});

describe("the branch of a fork that is the head of a pull request in its parent, too", () => {
  it("is named before it is deleted, and where the server keeps it", async () => {
    const run = await withPull("gitea", [], "jonas");
    for (const base of ["main", "other"]) await run(`create --head late --base ${base} --title ${base}`);
    await run("create --head jonas:late --base main --title lamp -R mara/buoy");
    const merged = await run("merge 1 --merge -d");
    expect([merged.code, merged.stderr]).toEqual([
      11,
      expect.stringContaining("not deleted: it is the head of jonas/buoy#2, mara/buoy#1"),
    ]);
    const closed = await run("close 2 -d");
    expect([closed.code, closed.stderr]).toEqual([
      0,
      expect.stringContaining("! Deleting branch late closes pull request mara/buoy#1\n"),
    ]);
  });
});

describe.each(["gitea", "forgejo"])("merge -d on %s", (product) => {
  it("says that it deleted the branch", async () => {
    const run = await withPull(product, ["main"]);
    const ran = await run("merge 1 --merge -d --json");
    const { head } = ran.json() as { head: { sha: string } };
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`✓ Merged .*; deleted its branch late \\(was ${head.sha.slice(0, 10)}\\)\n$`)),
    ]);
  });

  it("fails after the merge was said, where the server keeps a branch with another open pull request", async () => {
    const run = await withPull(product, ["main", "other"]);
    const ran = await run("merge 1 --merge -d --json");
    expect([ran.code, ran.json()]).toEqual([11, expect.objectContaining({ merged: true })]);
    expect(ran.stderr).toContain("✓ Merged mara/buoy#1");
    const [error] = /\{.*\}/s.exec(ran.stderr) ?? [""];
    expect(JSON.parse(error)).toMatchObject({
      error: {
        code: "partly_done",
        message: "Merged mara/buoy#1, but its branch late was not deleted: it is the head of mara/buoy#2",
        hint: expect.stringContaining("tongs branch delete late -R mara/buoy"),
        fields: [{ name: "delete_branch_after_merge" }],
      },
    });
    expect((await run("list --json number")).json()).toEqual([{ number: 2 }]);
  });
});
