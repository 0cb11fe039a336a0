import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Person, type Target } from "./support.ts";

let target: Target;
let mara: Person;
let jonas: Person;
let org: string;

beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  for (const name of ["buoy", "beacon"])
    await target.ask("POST", "/user/repos", { name, auto_init: true, default_branch: "main" }, mara);
  org = target.unique("tidewater");
  await target.ask("POST", "/orgs", { username: org }, mara);
});
afterAll(async () => {
  await target.ask("DELETE", `/orgs/${org}`, undefined, mara);
});

describe("stars", () => {
  it("are added, checked, listed and removed", async () => {
    const [buoy, beacon] = [`${mara.login}/buoy`, `${mara.login}/beacon`];
    expect((await jonas.tongs(["star", "check", buoy])).code).toBe(1);
    expect((await jonas.tongs(["star", buoy, "-"], { stdin: `${beacon}\n` })).code).toBe(0);
    expect((await jonas.tongs(["star", buoy])).code).toBe(0);
    expect((await jonas.tongs(["star", "check", buoy])).code).toBe(0);
    const listed = (await jonas.tongs(["star", "list", "--json", "full_name"])).json() as unknown[];
    expect(listed).toHaveLength(2);
    const others = await mara.tongs(["star", "list", "--user", jonas.login, "--jq", "length"]);
    expect(others.stdout.trim()).toBe("2");
    expect((await jonas.tongs(["unstar", buoy, beacon])).code).toBe(0);
    expect((await jonas.tongs(["star", "list", "--json"])).json()).toEqual([]);
    expect((await jonas.tongs(["star", `${mara.login}/nowhere`])).code).toBe(5);
    expect((await jonas.tongs(["star", "check", `${mara.login}/nowhere`])).code).toBe(5);
  });

  it("of a repository that becomes private are removed", async () => {
    const buoy = `${mara.login}/buoy`;
    await jonas.tongs(["star", buoy]);
    await target.ask("PATCH", `/repos/${buoy}`, { private: true }, mara);
    expect((await jonas.tongs(["star", "list", "--json"])).json()).toEqual([]);
    expect((await jonas.tongs(["star", "check", buoy])).code).toBe(5);
    await target.ask("PATCH", `/repos/${buoy}`, { private: false }, mara);
    expect((await jonas.tongs(["star", "check", buoy])).code).toBe(1);
  });
});

describe("follows", () => {
  it("are added, checked from both sides, and removed", async () => {
    expect((await jonas.tongs(["follow", "check", mara.login])).code).toBe(1);
    expect((await jonas.tongs(["follow", mara.login])).code).toBe(0);
    expect((await jonas.tongs(["follow", "check", mara.login])).code).toBe(0);
    expect((await mara.tongs(["follow", "check", mara.login, "--by", jonas.login])).code).toBe(0);
    expect((await mara.tongs(["follow", "followers", "--json", "login"])).json()).toEqual([{ login: jonas.login }]);
    const of = ["--user", mara.login, "--json", "login"];
    expect((await jonas.tongs(["follow", "followers", ...of])).json()).toEqual([{ login: jonas.login }]);
    expect((await jonas.tongs(["follow", "list", "--json", "login"])).json()).toEqual([{ login: mara.login }]);
    const followed = await mara.tongs(["follow", "list", "--user", jonas.login, "--json", "login"]);
    expect(followed.json()).toEqual([{ login: mara.login }]);
    expect((await jonas.tongs(["unfollow", mara.login])).code).toBe(0);
    expect((await jonas.tongs(["follow", "check", mara.login])).code).toBe(1);
    const some = await jonas.tongs(["follow", target.unique("nobody"), mara.login]);
    expect(some.code).toBe(11);
    expect((await jonas.tongs(["follow", "check", target.unique("nobody")])).code).toBe(5);
  });
});

describe("webhooks", () => {
  const url = "http://127.0.0.1:9/hook";
  interface Hook {
    readonly id: number;
    readonly events: readonly string[];
  }
  const sorted = (hook: unknown) => [...(hook as Hook).events].sort();

  it.each([
    ["a repository", () => ["-R", `${mara.login}/buoy`], () => mara],
    ["an organization", () => ["--org", org], () => mara],
    ["the account", () => ["--user"], () => mara],
    ["the server", () => ["--admin"], () => target.admin],
  ])("of %s are created, edited without losing anything, and deleted", async (_whose, flags, who) => {
    const system = flags()[0] === "--admin" ? ["--system"] : [];
    const create = ["--url", url, "--event", "push,issues_only,pull_request_review", "--branch-filter", "main"];
    const made = await who().tongs(["hook", "create", ...flags(), ...system, ...create, "--json"]);
    expect(made.code).toBe(0);
    const { id } = made.json() as Hook;
    const edited = await who().tongs(["hook", "edit", String(id), ...flags(), "--no-active", "--json"]);
    expect(edited.json()).toMatchObject({ id, active: false, branch_filter: "main", config: { url } });
    // Forgejo and Gitea before 1.24 name the kinds of reviews.
    const reviews = target.isGitea("1.24.0") ? [""] : ["_approved", "_rejected"];
    const kinds = reviews.map((kind) => `pull_request_review${kind}`);
    expect(sorted(edited.json())).toEqual(["issues", ...kinds, "push"]);
    const comments = ["hook", "edit", String(id), ...flags(), "--event", "pull_request_comment", "--json"];
    const before = sorted((await who().tongs(comments)).json());
    const after = (await who().tongs(["hook", "edit", String(id), ...flags(), "--active", "--json"])).json();
    expect(sorted(after)).toEqual(before);
    const status = await who().tongs(["hook", "edit", String(id), ...flags(), "--event", "push,status", "--json"]);
    const said = target.isGitea("1.23.0") ? "" : "does not support status";
    expect([status.code, status.stderr]).toEqual([said === "" ? 0 : 1, expect.stringContaining(said)]);
    const listed = (await who().tongs(["hook", "list", ...flags(), "--all", "--json", "id"])).json();
    expect(listed).toContainEqual({ id });
    expect((await who().tongs(["hook", "delete", String(id), ...flags(), "--yes"])).code).toBe(0);
    expect((await who().tongs(["hook", "delete", String(id), ...flags(), "--yes"])).code).toBe(5);
  });

  it("of a repository can be tested, and are hidden from other users", async () => {
    const repo = ["-R", `${mara.login}/buoy`];
    const id = (await mara.tongs(["hook", "create", ...repo, "--url", url, "--no-active"])).stdout.trim();
    expect((await mara.tongs(["hook", "test", id, ...repo])).code).toBe(0);
    expect((await jonas.tongs(["hook", "list", ...repo])).code).toBe(4);
    expect((await mara.tongs(["hook", "delete", id, ...repo, "--yes"])).code).toBe(0);
  });
});
