import { describe, expect, it } from "vitest";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
await sandbox.ask("PUT", "/repos/mara/buoy/collaborators/jonas", "mara", { permission: "write" });

const run = (line: readonly string[], stdin?: string) =>
  sandbox.run(["tag", ...line], {
    as: "mara",
    env: { TONGS_REPO: "mara/buoy" },
    ...(stdin === undefined ? {} : { stdin }),
  });

describe("tag", () => {
  it("is created, lightweight or annotated, viewed and listed", async () => {
    expect((await run(["create", "v1.0"])).stdout).toBe("v1.0\n");
    expect((await run(["create", "seas/v1", "v1.0", "-F", "-"], "Version 1\n")).code).toBe(0);
    expect((await run(["view", "v1.0"])).stdout).toContain("kind\tlightweight\n");
    const annotated = (await run(["view", "seas/v1"])).stdout;
    expect(annotated).toContain("kind\tannotated\n");
    expect(annotated).toContain("--\nVersion 1\n");
    expect((await run(["list", "--search", "SEAS", "--json", "name"])).json()).toEqual([{ name: "seas/v1" }]);
    const again = await run(["create", "v1.0"]);
    expect([again.code, again.stderr]).toEqual([9, expect.stringContaining("tag already exists")]);
    expect((await run(["create", "v2.0", "nowhere"])).code).toBe(5);
  });

  it("is deleted with others, and continues after a missing one", async () => {
    const commit = (await run(["view", "seas/v1", "--jq", ".commit.sha"])).stdout.trim();
    const again = `servers do not keep what is deleted: create it again at ${commit}`;
    expect((await run(["delete", "seas/v1", "--dry-run"])).stderr).toContain(`It could not be undone: ${again}.`);
    const ran = await run(["delete", "seas/v1", "none", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([
      11,
      expect.stringContaining(`✓ Deleted tag seas/v1 (was ${commit.slice(0, 10)}) from mara/buoy`),
    ]);
    expect((await run(["delete", "-", "--yes", "--json"], "v1.0\n")).json()).toEqual([
      { tag: "v1.0", repository: "mara/buoy", result: "deleted", commit },
    ]);
    expect((await run(["list", "--json"])).json()).toEqual([]);
  });

  it.each([
    [["create", "a..b"], "'a..b' is not a valid tag name"],
    [["create", "v1", "-m", "x", "-F", "-"], "Specify only one of --message or --message-file"],
    [["delete", "v1"], "--yes is required"],
    [["protection", "create", "v*"], "--whitelist-usernames or --whitelist-teams is required"],
    [["protection", "create", "v*", "--whitelist-teams", ""], "--whitelist-usernames or --whitelist-teams is required"],
    [["protection", "create", "/(/", "--whitelist-usernames", "mara"], "'/(/' is not a valid regular expression"],
    [["protection", "edit", "v*"], "Nothing to change"],
    [
      ["protection", "edit", "v*", "--whitelist-usernames", "a", "--add-whitelist-usernames", "b"],
      "Specify only one of",
    ],
  ])("rejects %j before writing anything", async (line, words) => {
    sandbox.writes();
    const ran = await run(line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});

it("delete --dry-run fails as the run would if there is no such tag", async () => {
  const ran = await run(["delete", "nope", "--dry-run"]);
  expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Tag nope not found")]);
});

describe("tag protection", () => {
  it("loses all users with ''", async () => {
    await run(["protection", "create", "z*", "--whitelist-usernames", "mara"]);
    const emptied = await run(["protection", "edit", "z*", "--whitelist-usernames", "", "--json"]);
    expect([emptied.code, emptied.json()]).toMatchObject([0, { whitelist_usernames: [] }]);
    await run(["protection", "delete", "z*", "--yes"]);
  });

  it("refuses users without access, whom the server would leave out after it replaced the list", async () => {
    await run(["protection", "create", "k*", "--whitelist-usernames", "jonas"]);
    sandbox.writes();
    for (const line of [
      "create l* --whitelist-usernames priya,mara",
      "edit k* --whitelist-usernames priya",
      "edit k* --add-whitelist-usernames mara,Priya --dry-run",
    ]) {
      const ran = await run(["protection", ...line.split(" ")]);
      expect([ran.code, ran.stderr, sandbox.writes()]).toEqual([
        13,
        expect.stringContaining("Not users with access to mara/buoy: priya"),
        [],
      ]);
    }
    const left = await run(["protection", "view", "k*", "--jq", ".whitelist_usernames"]);
    expect(left.json()).toEqual(["jonas"]);
    await run(["protection", "delete", "k*", "--yes"]);
  });

  it("refuses a team that does not have the repository, which the server ignores", async () => {
    for (const verb of ["create", "edit"]) {
      if (verb === "edit") await run(["protection", "create", "x*", "--whitelist-usernames", "mara"]);
      const ran = await run(["protection", verb, "x*", "--whitelist-teams", "nobody"]);
      expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining("Not teams that have mara/buoy: nobody")]);
    }
  });
});
