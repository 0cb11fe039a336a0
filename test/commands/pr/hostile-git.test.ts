import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { openHarbor } from "./harbor.ts";

/** Names that git, as options, would take for programs to run. */
const remote = "--upload-pack=./evil";
const branch = "--receive-pack=./evil";

const harbor = await openHarbor();
let here: string;

/** A clone whose only remote and whose current branch have names like options of git. */
beforeEach(async () => {
  here = join(emptyFolder(), "harbor");
  await harbor.git(emptyFolder(), ["clone", "-q", `${harbor.sandbox.url}/mara/harbor.git`, here], "mara");
  const config = join(here, ".git", "config");
  writeFileSync(config, readFileSync(config, "utf8").replace('[remote "origin"]', `[remote "${remote}"]`));
  writeFileSync(join(here, "evil"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  await harbor.git(here, ["update-ref", `refs/heads/${branch}`, "HEAD"]);
  await harbor.git(here, ["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
});

describe("in a repository whose remote and branch are named like options of git", () => {
  it.each([
    [["checkout", "1"], 0],
    [["checkout", "1", "--detach"], 0],
    [["checkout", "2", "--branch", "mine"], 0],
    [["checkout", "3", "--worktree", "other"], 0],
    [["checkout", "1", "--force"], 0],
    [["view"], 5],
    [["create", "--title", "x", "--push", "--base", "main"], 0],
    [["create", "--fill", "--base", "main"], 9],
  ])("pr %j runs nothing, and git gets no name where it takes options", async (argv, code) => {
    const before = harbor.calls().length;
    const ran = await harbor.tongs("mara", here, "pr", ...argv);
    expect(readdirSync(here)).not.toContain("ran");
    expect(ran, ran.stderr).toMatchObject({ code });
    // git config takes no option after the key.
    const calls = harbor
      .calls()
      .slice(before)
      .replace(/^config branch\..*$/gm, "");
    const options = calls.split("\n").map((line) => line.replace(/ --end-of-options .*/, ""));
    expect(options.filter((line) => / --(upload|receive)-pack/.test(line))).toEqual([]);
  });

  it("pr checkout sets the remote as upstream", async () => {
    expect(await harbor.tongs("mara", here, "pr", "checkout", "1")).toMatchObject({ code: 0 });
    expect(await harbor.git(here, ["config", "--get", "branch.feature/buoys.remote"])).toBe(remote);
  });
});
