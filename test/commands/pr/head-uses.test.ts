import { describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("close -d on %s", (product) => {
  it("names other open pull requests of the branch before, and in the message", async () => {
    const box = await onSandbox({ release: parseRelease(product) });
    const run = (line: string) => box.run(["pr", ...line.split(" ")], { as: "mara", env: { TONGS_REPO: "mara/buoy" } });
    await box.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
    await box.ask("POST", "/repos/mara/buoy/branches", "mara", { new_branch_name: "other" });
    const file = { content: Buffer.from("lamp").toString("base64"), message: "Add a lamp", new_branch: "late" };
    await box.ask("POST", "/repos/mara/buoy/contents/lamp.txt", "mara", file);
    for (const base of ["main", "other"])
      await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: base, head: "late", base });
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
    expect(ran.stderr).toMatch(
      /; deleted its branch late \(was [0-9a-f]{10}\), which closes pull request mara\/buoy#2/,
    );
    expect((await run("list --json number")).json()).toEqual([]);
    await box.close();
  });
});

describe.each(["gitea", "forgejo"])("merge -d on %s", (product) => {
  /** A repository with a pull request of a branch, and maybe another one of the same branch. */
  async function withPull(bases: readonly string[]) {
    const box = await onSandbox({ release: parseRelease(product) });
    await box.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
    await box.ask("POST", "/repos/mara/buoy/branches", "mara", { new_branch_name: "other" });
    const file = { content: Buffer.from("lamp").toString("base64"), message: "Add a lamp", new_branch: "late" };
    await box.ask("POST", "/repos/mara/buoy/contents/lamp.txt", "mara", file);
    for (const base of bases)
      await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: base, head: "late", base });
    const run = (line: string) => box.run(["pr", ...line.split(" ")], { as: "mara", env: { TONGS_REPO: "mara/buoy" } });
    return { box, run };
  }
  const kept = (why: string) => `Merged mara/buoy#1, but its branch late was not deleted: ${why}`;

  it("says that it deleted the branch", async () => {
    const { box, run } = await withPull(["main"]);
    const ran = await run("merge 1 --merge -d --json");
    const { head } = ran.json() as { head: { sha: string } };
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`✓ Merged .*; deleted its branch late \\(was ${head.sha.slice(0, 10)}\\)\n$`)),
    ]);
    await box.close();
  });

  it("says that those that are based on the branch are retargeted, which a merge does", async () => {
    const { box, run } = await withPull(["main"]);
    const file = { content: Buffer.from("bell").toString("base64"), message: "Add a bell", branch: "late" };
    await box.ask("POST", "/repos/mara/buoy/contents/bell.txt", "mara", { ...file, new_branch: "upper" });
    await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: "upper", head: "upper", base: "late" });
    const closing = await run("close 1 -d --dry-run");
    expect(closing.stderr).toContain("Deleting branch late closes or retargets pull request mara/buoy#2");
    const ran = await run("merge 1 --merge -d");
    expect(ran.stderr).toContain("! Deleting branch late retargets pull request mara/buoy#2\n");
    expect(ran.stderr).toMatch(/; deleted its branch late \(.*\), which retargets pull request mara\/buoy#2\n/);
    await box.close();
  });

  it("fails with the reason, after the merge was said, where the server keeps a protected branch", async () => {
    const { box, run } = await withPull(["main"]);
    await box.ask("POST", "/repos/mara/buoy/branch_protections", "mara", { rule_name: "late" });
    const foretold = await run("merge 1 --merge -d --dry-run");
    expect(foretold.stderr).toContain("The branch late will not be deleted: it is protected");
    const ran = await run("merge 1 --merge -d --json");
    expect([ran.code, ran.json()]).toEqual([1, expect.objectContaining({ merged: true })]);
    expect(ran.stderr).toContain("✓ Merged mara/buoy#1");
    const [error] = /\{.*\}/s.exec(ran.stderr) ?? [""];
    expect(JSON.parse(error)).toMatchObject({
      error: { code: "ignored", message: kept("it is protected"), fields: [{ name: "delete_branch_after_merge" }] },
    });
    await box.close();
  });

  it("says before and after that the server keeps a branch with another open pull request", async () => {
    const { box, run } = await withPull(["main", "other"]);
    const ran = await run("merge 1 --merge -d");
    const why = "mara/buoy#2 has it as its head, too";
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`! The branch late will not be deleted: ${why}`);
    expect(ran.stderr).toContain(`✗ ${kept(why)}`);
    expect((await run("list --json number")).json()).toEqual([{ number: 2 }]);
    await box.close();
  });

  it.each(["merge 2 --merge -d", "close 2 -d"])("%s of the default branch says only that it is kept", async (line) => {
    const { box, run } = await withPull(["main"]);
    const file = { content: Buffer.from("bell").toString("base64"), message: "Add a bell", branch: "main" };
    await box.ask("POST", "/repos/mara/buoy/contents/bell.txt", "mara", file);
    await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: "main", head: "main", base: "other" });
    for (const ran of [await run(`${line} --dry-run`), await run(line)]) {
      expect(ran.stderr).toContain("! The branch main will not be deleted: it is the default branch of mara/buoy");
      expect(ran.stderr).not.toMatch(/Deleting branch|retargets/);
    }
    await box.close();
  });

  it("says in a dry run, of close too, that the branch of a fork without write access is kept", async () => {
    const { box, run } = await withPull([]);
    await box.ask("POST", "/repos/mara/buoy/forks", "priya", {});
    const file = { content: Buffer.from("bell").toString("base64"), message: "Add a bell", new_branch: "bell" };
    await box.ask("POST", "/repos/priya/buoy/contents/bell.txt", "priya", file);
    await box.ask("POST", "/repos/mara/buoy/pulls", "priya", { title: "Bell", head: "priya:bell", base: "main" });
    for (const line of ["merge 1 --merge -d --dry-run", "close 1 -d --dry-run"]) {
      const { stderr } = await run(line);
      expect(stderr).toContain("! The branch bell will not be deleted: you may not push to priya/buoy");
      expect(stderr).not.toContain("create it again");
    }
    await box.close();
  });
});
