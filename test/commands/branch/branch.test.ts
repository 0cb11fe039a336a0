import { describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
const run = (line: readonly string[], stdin?: string) =>
  sandbox.run(["branch", ...line], {
    as: "mara",
    env: { TONGS_REPO: "mara/buoy" },
    ...(stdin === undefined ? {} : { stdin }),
  });
const tip = async (name: string) => (await run(["view", name, "--jq", ".commit.id"])).stdout.trim();
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
await run(["create", "start"]);
const file = { content: Buffer.from("lamp").toString("base64"), message: "Add a lamp", branch: "main" };
await sandbox.ask("POST", "/repos/mara/buoy/contents/lamp.txt", "mara", file);

describe("branch", () => {
  it("is created from the default branch, a branch, a tag or a commit", async () => {
    const [main, start] = [await tip("main"), await tip("start")];
    await sandbox.ask("POST", "/repos/mara/buoy/tags", "mara", { tag_name: "v1", target: "start" });
    for (const [name, ref, at] of [
      ["b1", undefined, main],
      ["seas/b2", "start", start],
      ["b3", "v1", start],
      ["b4", start, start],
    ] as const) {
      const made = await run(["create", name, ...(ref === undefined ? [] : [ref])]);
      expect([made.code, made.stdout]).toEqual([0, `${name}\n`]);
      expect(await tip(name)).toBe(at);
    }
  });

  it("says that a ref or a branch does not exist, although servers say 500", async () => {
    const made = await run(["create", "lost", "nowhere"]);
    expect([made.code, made.stderr]).toEqual([
      5,
      expect.stringContaining("No branch, tag or commit 'nowhere' in mara/buoy"),
    ]);
    const moved = await run(["update", "b1", "nowhere"]);
    expect([moved.code, moved.stderr]).toEqual([5, expect.stringContaining("No branch, tag or commit 'nowhere'")]);
    const viewed = await run(["view", "nowhere"]);
    expect([viewed.code, viewed.stderr]).toEqual([5, expect.stringContaining("Branch nowhere not found in mara/buoy")]);
  });

  it("is deleted with others; default, protected and missing ones are named", async () => {
    await run(["protection", "create", "b4"]);
    const ran = await run(["delete", "b1", "main", "b4", "none", "-", "--yes"], "b3\n");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("main is the default branch of mara/buoy");
    expect(ran.stderr).toContain("Branch b4 is protected");
    expect(ran.stderr).toContain("Branch none not found");
    expect((await run(["list", "--json", "name", "--search", "b"])).json()).toEqual(
      expect.not.arrayContaining([{ name: "b1" }, { name: "b3" }]),
    );
    expect((await run(["delete", "main", "--yes"])).code).toBe(9);
  });

  it.each([204, 500])("is said to be missing on a server that says %i", async (status) => {
    const server = await serve(({ method, url }) => {
      if (method === "DELETE") return { status, ...(status === 500 ? { body: { message: "" } } : {}) };
      if (url.includes("/branches/")) return { status: 404, body: { message: "The target couldn't be found." } };
      return { body: { full_name: "mara/buoy", name: "buoy", owner: { login: "mara" }, default_branch: "main" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const ran = await tongs(["branch", "delete", "none", "--yes"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Branch none not found in mara/buoy")]);
  });

  it("was renamed, even if its record cannot be read then", async () => {
    let isRenamed = false;
    const server = await serve(({ method }) => {
      if (isRenamed) return { status: 500, body: { message: "out of memory" } };
      isRenamed = method === "PATCH";
      return isRenamed ? { status: 204 } : { body: {} };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const ran = await tongs(["branch", "rename", "main", "trunk", "--json"], { env });
    expect([ran.code, ran.stdout]).toEqual([7, ""]);
    const { error } = JSON.parse(ran.stderr) as { error: { message: string } };
    expect(error).toMatchObject({ code: "server_failed", status: 500, method: "GET" });
    expect(error.message).toMatch(
      /^Renamed branch main to trunk.*, but the result could not be read: .*out of memory$/,
    );
  });

  it.each([
    [["create", "a..b"], "'a..b' is not a valid branch name"],
    [["create", "--", "-x"], "'-x' is not a valid branch name"],
    [["rename", "main", "a b"], "'a b' is not a valid branch name"],
    [["delete", "main"], "--yes is required"],
  ])("rejects %j before writing anything", async (line, words) => {
    sandbox.writes();
    const ran = await run(line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});

describe.each(["gitea", "forgejo"])("a branch with open pull requests on %s", (product) => {
  it("is deleted after they were named, with those that it closes in JSON", async () => {
    const box = await onSandbox({ release: parseRelease(product) });
    const env = { TONGS_REPO: "mara/buoy" };
    const branch = (line: string) => box.run(["branch", ...line.split(" ")], { as: "mara", env });
    await box.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
    await branch("create other");
    const file = { content: Buffer.from("lamp").toString("base64"), message: "Add a lamp", new_branch: "late" };
    await box.ask("POST", "/repos/mara/buoy/contents/lamp.txt", "mara", file);
    for (const base of ["main", "other"])
      await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: base, head: "late", base });
    const effect = "closes pull requests mara/buoy#2, mara/buoy#1";
    const commit = (await branch("view late --jq .commit.id")).stdout.trim();
    const foretold = await branch("delete late --dry-run");
    expect(foretold.stderr).toContain(`This ${effect}`);
    expect(foretold.stderr).toContain(
      `It could not be undone: servers do not keep what is deleted: create it again at ${commit}.`,
    );
    const asked = await branch("delete late");
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(`from mara/buoy, which ${effect}`)]);
    const own = { as: "mara", env: { ...env, XDG_STATE_HOME: emptyFolder() } };
    const ran = await box.run(["branch", "delete", "late", "--yes", "--json"], own);
    expect(ran.stderr).toContain(`Deleted branch late (was ${commit.slice(0, 10)}) from mara/buoy, which ${effect}`);
    const closes = ["mara/buoy#2", "mara/buoy#1"];
    expect(ran.json()).toEqual([
      { branch: "late", repository: "mara/buoy", result: "deleted", commit, closes, based: [] },
    ]);
    const undo = await box.run(["journal", "undo", "1"], own);
    expect([undo.code, undo.stderr]).toEqual([9, expect.stringContaining(`create it again at ${commit}`)]);
    const pulls = await box.run(["pr", "list", "--json", "number"], { as: "mara", env });
    expect(pulls.json()).toEqual([]);
    const unused = await branch("delete other --yes");
    expect(unused.stderr).not.toContain("closes");
  });
});
