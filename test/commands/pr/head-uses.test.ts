import { describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("close -d on %s", (product) => {
  it("names other open pull requests of the branch before, and in the message", async () => {
    const box = await onSandbox({ release: parseRelease(product) });
    const run = (line: string) =>
      box.run(["pr", ...line.split(" ")], { as: "mara", env: { TONGS_REPO: "mara/buoy" } });
    await box.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
    await box.ask("POST", "/repos/mara/buoy/branches", "mara", { new_branch_name: "other" });
    const file = { content: Buffer.from("lamp").toString("base64"), message: "Add a lamp", new_branch: "late" };
    await box.ask("POST", "/repos/mara/buoy/contents/lamp.txt", "mara", file);
    for (const base of ["main", "other"])
      await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: base, head: "late", base });
    expect((await run("close 1 -d --dry-run")).stderr).toContain("Deleting branch late closes pull request mara/buoy#2");
    const ran = await run("close 1 -d");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("! Deleting branch late closes pull request mara/buoy#2");
    expect(ran.stderr).toContain("; deleted its branch late, which closes pull request mara/buoy#2");
    expect((await run("list --json number")).json()).toEqual([]);
    await box.close();
  });
});
