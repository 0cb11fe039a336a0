import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

let sandbox: OnSandbox;
beforeAll(async () => {
  sandbox = await onSandbox();
  await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
  await sandbox.ask("PUT", "/repos/mara/buoy/collaborators/jonas", "mara", { permission: "write" });
});
afterAll(() => sandbox.close());

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
  it("is created, listed, edited and deleted, by pattern or ID", async () => {
    const made = await run(["protection", "create", "v*", "--whitelist-usernames", "mara"]);
    expect(await run(["protection", "create", "v*", "--whitelist-usernames", "mara"])).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(/Tag protection 'v\*' of \S+ already exists/),
    });
    const id = made.stdout.trim();
    expect([made.code, id]).toEqual([0, expect.stringMatching(/^\d+$/)]);
    expect((await run(["protection", "list"])).stdout).toMatch(new RegExp(`^${id}\\tv\\*\\tmara\\t\\t`));
    const added = ["protection", "edit", "v*", "--add-whitelist-usernames", "jonas", "--json", "whitelist_usernames"];
    expect((await run(added)).json()).toEqual({ whitelist_usernames: ["mara", "jonas"] });
    const renamed = [
      "protection",
      "edit",
      id,
      "--name-pattern",
      "w*",
      "--remove-whitelist-usernames",
      "mara",
      "--json",
    ];
    expect((await run(renamed)).json()).toMatchObject({ name_pattern: "w*", whitelist_usernames: ["jonas"] });
    expect((await run(["protection", "view", "w*"])).stdout).toContain("users\tjonas\n");
    expect((await run(["protection", "delete", "w*", "77", "--yes"])).code).toBe(11);
    expect((await run(["protection", "list", "--json"])).json()).toEqual([]);
    expect((await run(["protection", "view", "w*"])).code).toBe(5);
  });

  it("loses all users with ''", async () => {
    await run(["protection", "create", "z*", "--whitelist-usernames", "mara"]);
    const emptied = await run(["protection", "edit", "z*", "--whitelist-usernames", "", "--json"]);
    expect([emptied.code, emptied.json()]).toMatchObject([0, { whitelist_usernames: [] }]);
    await run(["protection", "delete", "z*", "--yes"]);
  });

  it("refuses users who cannot write, whom the server would leave out after it replaced the list", async () => {
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
        expect.stringContaining("Not users who can write to mara/buoy: priya"),
        [],
      ]);
    }
    const left = await run(["protection", "view", "k*", "--jq", ".whitelist_usernames"]);
    expect(left.json()).toEqual(["jonas"]);
    await run(["protection", "delete", "k*", "--yes"]);
  });

  it("fails if a team is not known, which the server ignores", async () => {
    const line = ["protection", "create", "x*", "--whitelist-usernames", "mara", "--whitelist-teams", "nobody"];
    const ran = await run(line);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("did not apply whitelist_teams")]);
    for (const flag of ["--whitelist-teams", "--add-whitelist-teams"]) {
      const edited = await run(["protection", "edit", "x*", flag, "nobody"]);
      expect([edited.code, edited.stderr]).toEqual([1, expect.stringContaining("did not apply whitelist_teams")]);
    }
  });
});
