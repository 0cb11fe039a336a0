import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { next } from "../../src/sandbox/release.ts";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person, sandboxRelease, type Target } from "./support.ts";

let target: Target;
let mara: Person;
let org: string;

beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
  org = target.unique("tidewater");
  await target.ask("POST", "/orgs", { username: org }, mara);
});
afterAll(async () => {
  await target.ask("DELETE", `/orgs/${org}`, undefined, mara);
});

const levels = [
  ["a repository", () => ["-R", `${mara.login}/buoy`]],
  ["an organization", () => ["--org", org]],
  ["the account", () => ["--user"]],
] as const;

const hasVariables = () => target.has("GET", "/repos/{owner}/{repo}/actions/variables");

describe("variables", () => {
  it.each(levels)("of %s are set from a file, listed with their values, renamed and deleted", async (_whose, level) => {
    const run = (line: readonly string[], world = {}) => mara.tongs(["variable", ...line, ...level()], world);
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "harbor.env"), 'TIDE=june\nLONG="one\ntwo"\n');
    if (!hasVariables()) {
      for (const line of [["list"], ["get", "TIDE"], ["set", "tide", "--body", "may"], ["delete", "TIDE", "--yes"]]) {
        expect(await run(line)).toMatchObject({
          code: 5,
          stderr: expect.stringContaining("since Gitea 1.22 and Forgejo 8.0"),
        });
      }
      return;
    }
    expect((await run(["set", "tide", "--body", "may"])).code).toBe(0);
    const set = await run(["set", "-f", "harbor.env", "--json", "name,action"], { cwd });
    expect([set.code, set.json()]).toEqual([
      0,
      [
        { name: "LONG", action: "create" },
        { name: "TIDE", action: "update" },
      ],
    ]);
    const again = await run(["set", "-f", "harbor.env", "--json", "action"], { cwd });
    expect(again.json()).toEqual([{ action: "unchanged" }, { action: "unchanged" }]);
    const listed = await run(["list", "--jq", "map({(.name): .data}) | add"]);
    expect(listed.json()).toEqual({ LONG: "one\ntwo", TIDE: "june" });
    expect((await run(["set", "tide", "--name", "tides"])).code).toBe(0);
    expect((await run(["set", "tides", "--name", "LONG"])).code).toBe(9);
    expect((await run(["get", "tides"])).stdout).toBe("june\n");
    expect((await run(["get", "NONE"])).code).toBe(5);
    expect((await run(["delete", "TIDES", "NONE", "LONG", "--yes"])).code).toBe(11);
    expect((await run(["list", "--json"])).json()).toEqual([]);
  });

  it("have the names that the server accepts", async () => {
    const city = await mara.tongs(["variable", "set", "CITY", "--user", "--body", "x"]);
    // A server that is newer than every known one is asked; the sandbox takes any name.
    const isNewForgejo = target.software === "forgejo" && sandboxRelease().version === next;
    const refused = isNewForgejo ? 0 : 2;
    expect(city.code).toBe(target.isGitea("1.25.0") ? 0 : refused);
    for (const [name, code] of [["CI", refused] as const, ["GITEA_X", 2] as const, ["a-b", 2] as const]) {
      expect((await mara.tongs(["variable", "set", name, "--user", "--body", "x"])).code).toBe(code);
    }
  });
});

describe("secrets", () => {
  it.each(levels)("of %s are set from stdin and deleted", async (whose, level) => {
    const run = (line: readonly string[], world = {}) => mara.tongs(["secret", ...line, ...level()], world);
    const made = await run(["set", "lamp", "--json", "name,action"], { stdin: "not-a-secret\n" });
    // Forgejo 8.0 and older list no secrets of a repository, and then say whether one was created.
    expect(made.json()).toEqual([{ name: "LAMP", action: "create" }]);
    expect((await run(["set", "LAMP"], { stdin: "not-a-secret-2" })).stderr).toContain("Updated secret LAMP");
    const listed = await run(["list", "--json", "name"]);
    const isRepository = whose === "a repository";
    const isListed = !isRepository || target.has("GET", "/repos/{owner}/{repo}/actions/secrets");
    const words = isRepository ? "Available since Gitea 1.22 and Forgejo 8.0." : "";
    if (whose === "the account" || !isListed)
      expect([listed.code, listed.stderr]).toEqual([5, expect.stringContaining(words)]);
    else expect(listed.json()).toEqual([{ name: "LAMP" }]);
    expect((await run(["set", "CITY"], { stdin: "not-a-secret" })).code).toBe(0);
    const ci = await run(["set", "CI"], { stdin: "not-a-secret" });
    expect(ci.code).toBe(target.isGitea("1.25.0") ? 2 : 0);
    expect((await run(["delete", "LAMP", "CITY", "--yes"])).code).toBe(0);
    expect((await run(["delete", "LAMP", "--yes"])).code).toBe(5);
  });
});
