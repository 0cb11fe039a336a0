import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type Ran } from "../support/tongs.ts";
import { openTarget, type Person, type Target } from "./support.ts";

let target: Target;
let mara: Person;
const cwd = emptyFolder();
/** A picture of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
  await target.ask("POST", "/user/repos", { name: "mole", auto_init: true, default_branch: "main" }, mara);
});
afterAll(() => target.close());

const run = (...line: string[]): Promise<Ran> => mara.tongs(line, { cwd, env: { TONGS_REPO: `${mara.login}/mole` } });

describe("a repository", () => {
  it("has an avatar, which is set and deleted", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no avatars");
    writeFileSync(join(cwd, "pixel.png"), Buffer.from(pixel, "base64"));
    expect(await run("repo", "avatar", "set", "pixel.png")).toMatchObject({ code: 0 });
    expect(await run("repo", "avatar", "delete", "--yes")).toMatchObject({ code: 0 });
  });

  it("has tag protections, which are shown by ID", async ({ skip }) => {
    if (!target.has("GET", "/repos/{owner}/{repo}/tag_protections/{id}")) skip("the server has no tag protections");
    const id = (await run("tag", "protection", "create", "v*", "--whitelist-usernames", mara.login)).stdout.trim();
    const shown = (await run("tag", "protection", "view", id, "--json", "name_pattern")).json();
    expect(shown).toEqual({ name_pattern: "v*" });
  });

  it("has issues that block others", async ({ skip }) => {
    if (target.kind === "sandbox") skip("issues of the sandbox depend on no others");
    for (const title of ["Dredge", "Build"]) await run("issue", "create", "--title", title, "--body", "");
    expect(await run("issue", "block", "add", "1", "2")).toMatchObject({ code: 0 });
    expect((await run("issue", "block", "list", "1", "--json", "number")).json()).toEqual([{ number: 2 }]);
    expect((await run("issue", "close", "2")).code).not.toBe(0);
    expect(await run("issue", "block", "remove", "1", "2")).toMatchObject({ code: 0 });
    expect((await run("issue", "close", "2")).code).toBe(0);
  });
});
