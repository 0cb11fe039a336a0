import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { onSandbox } from "./on-sandbox.ts";

const sandbox = await onSandbox();

/** The address that `browse` prints, below the repository. */
async function addressOf(...line: readonly string[]): Promise<string> {
  const env = { TONGS_REPO: "mara/harbor" };
  const ran = await sandbox.run(["browse", ...line, "--no-browser"], { as: "mara", env });
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout.trim().replace(`${sandbox.url}/mara/harbor`, "…");
}

describe("browse", () => {
  it("prints the addresses of the repository, files, numbers and commits", async () => {
    expect(await addressOf()).toBe("…");
    expect(await addressOf("12")).toBe("…/issues/12");
    expect(await addressOf("#12")).toBe("…/issues/12");
    expect(await addressOf("src/main.ts:12")).toBe("…/src/branch/main/src/main.ts#L12");
    expect(await addressOf("./src/main.ts:12-20")).toBe("…/src/branch/main/src/main.ts#L12-L20");
    expect(await addressOf("README.md", "--branch", "tides/june")).toBe("…/src/branch/tides/june/README.md");
    expect(await addressOf("1e67be63b9")).toBe("…/commit/1e67be63b9");
    expect(await addressOf("--commit", "1e67be63b9")).toBe("…/commit/1e67be63b9");
    expect(await addressOf("README.md", "--commit", "1e67be63b9")).toBe("…/src/commit/1e67be63b9/README.md");
    expect(await addressOf("--wiki")).toBe("…/wiki");
  });

  it("takes a number with its repository, whatever else is selected", async () => {
    for (const env of [{}, { TONGS_REPO: "mara/harbor" }]) {
      const ran = await sandbox.run(["browse", "tidewater/pier#3", "-n"], { env });
      expect([ran.code, ran.stdout]).toEqual([0, `${sandbox.url}/tidewater/pier/issues/3\n`]);
    }
  });

  it("escapes every part of a path", async () => {
    expect(await addressOf("a b/?x=1#y/%2e", "--branch", "q&a")).toBe("…/src/branch/q%26a/a%20b/%3Fx%3D1%23y/%252e");
  });

  it("refuses a path outside, a bad hash, and a page with a path", async () => {
    const env = { TONGS_REPO: "mara/harbor" };
    for (const line of [
      ["../x"],
      ["--commit", "main"],
      ["README.md", "--wiki"],
      ["--wiki", "--settings"],
      [":12"],
      [":3-5"],
      ["README.md:0"],
      ["README.md:5-3"],
    ]) {
      expect((await sandbox.run(["browse", ...line, "-n"], { env })).code, line.join(" ")).toBe(2);
    }
  });

  it("takes a path as git does: from the current folder of a clone, but not with --repo", async () => {
    const clone = emptyFolder();
    const folder = join(clone, "src", "a b");
    mkdirSync(folder, { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: clone });
    execFileSync("git", ["remote", "add", "origin", `${sandbox.url}/mara/harbor.git`], { cwd: clone });
    const from = async (cwd: string, ...line: readonly string[]) => {
      const ran = await sandbox.run(["browse", ...line, "-n"], { as: "mara", cwd });
      return ran.code === 0 ? ran.stdout.trim().replace(`${sandbox.url}/mara/harbor`, "…") : ran.code;
    };
    expect(await from(folder, "x.ts:12-20")).toBe("…/src/branch/main/src/a%20b/x.ts#L12-L20");
    expect(await from(folder, "../y.ts:3")).toBe("…/src/branch/main/src/y.ts#L3");
    expect(await from(folder, ".", "--branch", "tides")).toBe("…/src/branch/tides/src/a%20b");
    expect(await from(folder, "/README.md")).toBe("…/src/branch/main/README.md");
    expect(await from(folder, "../../../outside")).toBe(2);
    expect(await from(folder, "README.md", "-R", "mara/harbor")).toBe("…/src/branch/main/README.md");
    expect(await from(folder, "1e67be63b9")).toBe("…/commit/1e67be63b9");
    expect(await from(folder, "12")).toBe("…/issues/12");
    expect(await from(folder)).toBe("…");
    expect(await from(clone, "src/x.ts:12")).toBe("…/src/branch/main/src/x.ts#L12");
  });

  it("opens the address in the browser, as one argument", async () => {
    const cwd = emptyFolder();
    const browser = join(cwd, "browser.sh");
    writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > "${join(cwd, "opened")}"\n`);
    chmodSync(browser, 0o755);
    const ran = await sandbox.run(["browse", "a b;c", "-b", "main"], {
      as: "mara",
      env: { TONGS_REPO: "mara/harbor", BROWSER: browser },
    });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    const opened = readFileSync(join(cwd, "opened"), "utf8");
    expect(opened).toBe(`1\n${sandbox.url}/mara/harbor/src/branch/main/a%20b%3Bc\n`);
  });
});
