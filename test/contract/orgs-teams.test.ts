import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let jonas: Person;
let priya: Person;

beforeAll(async () => {
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  priya = await target.person("priya");
});

/** Removes an organization with everything in it. */
async function removeOrg(org: string): Promise<void> {
  const repos = (await target.ask("GET", `/orgs/${org}/repos`, undefined, mara)) as { readonly full_name: string }[];
  for (const { full_name } of repos) await target.ask("DELETE", `/repos/${full_name}`, undefined, mara);
  await target.ask("DELETE", `/orgs/${org}`, undefined, mara);
}

describe("organizations and teams", () => {
  it("are created, edited, given teams, members and repositories, and deleted", async () => {
    const org = target.unique("tidewater");
    const made = await mara.tongs(["org", "create", org, "--full-name", "Tidewater", "--visibility", "limited"]);
    expect([made.code, made.stdout]).toEqual([0, `${target.url}/${org}\n`]);
    const edited = await mara.tongs(["org", "edit", org, "--description", "Charts", "--location", "Pier", "--json"]);
    expect(edited.json()).toMatchObject({ full_name: "Tidewater", description: "Charts", location: "Pier" });
    expect((await mara.tongs(["org", "view", org])).stdout).toContain("Charts");
    const mine = await mara.tongs(["org", "list", "--jq", ".[].name"]);
    expect(mine.stdout).toContain(org);
    expect((await jonas.tongs(["org", "edit", org, "--description", "Mine"])).code).toBe(4);

    const team = `${org}/pilots`;
    const id = (await mara.tongs(["team", "create", team, "--units", "code,issues=write"])).stdout.trim();
    const viewed = await mara.tongs(["team", "view", team, "--json"]);
    expect(viewed.json()).toMatchObject({
      id: Number(id),
      units_map: { "repo.code": "read", "repo.issues": "write" },
    });
    const grown = await mara.tongs([
      "team",
      "edit",
      team,
      "--add-units",
      "wiki=write",
      "--remove-units",
      "code",
      "--json",
    ]);
    expect(grown.json()).toMatchObject({ name: "pilots", units_map: { "repo.issues": "write", "repo.wiki": "write" } });
    const lifted = await mara.tongs([
      "team",
      "edit",
      team,
      "--permission",
      "write",
      "--description",
      "Night",
      "--json",
    ]);
    expect(lifted.json()).toMatchObject({ description: "Night" });
    const all = await mara.tongs(["team", "create", `${org}/crew`, "--permission", "write", "--json"]);
    expect(all.json()).toMatchObject({ units_map: { "repo.code": "write", "repo.ext_wiki": "read" } });

    const nobody = target.unique("nobody");
    const added = await mara.tongs(["team", "member", "add", team, jonas.login, nobody]);
    expect([added.code, added.stderr]).toEqual([11, expect.stringContaining(`User ${nobody} not found`)]);
    const members = await mara.tongs(["team", "member", "list", team, "--jq", ".[].login"]);
    expect(members.stdout).toBe(`${jonas.login}\n`);
    expect((await mara.tongs(["team", "member", "check", team, jonas.login])).code).toBe(0);
    expect((await mara.tongs(["team", "member", "check", team, priya.login])).code).toBe(1);
    expect((await jonas.tongs(["team", "list", "--jq", ".[].name"])).stdout).toBe("pilots\n");

    await mara.tongs(["repo", "create", `${org}/charts`, "--init"]);
    await mara.tongs(["repo", "create", `${org}/tides`, "--init"]);
    const repos = await mara.tongs(["team", "repo", "add", team, "charts", `${org}/nowhere`]);
    expect([repos.code, repos.stderr]).toEqual([11, expect.stringContaining(`Repository ${org}/nowhere not found`)]);
    expect((await mara.tongs(["team", "repo", "list", team, "--jq", ".[].name"])).stdout).toBe("charts\n");
    expect((await mara.tongs(["team", "repo", "check", team, "charts"])).code).toBe(0);
    expect((await mara.tongs(["team", "repo", "check", team, "tides"])).code).toBe(1);
    expect((await mara.tongs(["org", "repo", "list", org, "--jq", "length"])).stdout).toBe("2\n");

    const charts = ["-R", `${org}/charts`];
    const teams = await mara.tongs(["repo", "team", "list", `${org}/charts`, "--jq", '[.[].name] | sort | join(",")']);
    expect(teams.stdout).toBe("Owners,pilots\n");
    expect((await mara.tongs(["repo", "team", "check", "pilots", ...charts])).code).toBe(0);
    expect((await mara.tongs(["repo", "team", "remove", "pilots", ...charts])).code).toBe(0);
    expect((await mara.tongs(["repo", "team", "check", "pilots", ...charts])).code).toBe(1);
    const given = await mara.tongs(["repo", "team", "add", "pilots", "nobody", ...charts]);
    expect([given.code, given.stderr]).toEqual([11, expect.stringContaining(`Team nobody not found in ${org}/charts`)]);
    expect((await mara.tongs(["repo", "team", "remove", "Owners", ...charts])).code).toBe(9);
    expect((await mara.tongs(["team", "repo", "remove", team, "charts"])).code).toBe(0);

    const owned = await mara.tongs(["org", "delete", org, "--yes"]);
    expect([owned.code, owned.stderr]).toEqual([9, expect.stringContaining("still owns repositories")]);
    const deleted = await mara.tongs(["team", "delete", `${org}/Owners`, team, "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([11, expect.stringContaining(`${org}/Owners cannot be deleted`)]);
    expect((await mara.tongs(["team", "view", team])).code).toBe(5);
    await removeOrg(org);
    expect((await mara.tongs(["org", "view", org])).code).toBe(5);
  });

  it("keep their last owner, and publish, conceal and remove members", async () => {
    const org = target.unique("lowwater");
    await mara.tongs(["org", "create", org]);
    for (const line of [
      ["team", "member", "remove", `${org}/Owners`, mara.login],
      ["org", "member", "remove", org, mara.login, "--yes"],
    ]) {
      const ran = await mara.tongs(line);
      expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining(`${mara.login} is the last owner of ${org}`)]);
    }
    await mara.tongs(["team", "member", "add", `${org}/Owners`, jonas.login]);
    expect((await mara.tongs(["org", "member", "list", org, "--jq", "length"])).stdout).toBe("2\n");
    expect((await mara.tongs(["org", "member", "check", org, jonas.login])).code).toBe(0);
    expect((await mara.tongs(["org", "member", "check", org, priya.login])).code).toBe(1);
    expect((await priya.tongs(["org", "member", "check", org, jonas.login])).code).toBe(1);
    expect((await priya.tongs(["org", "member", "check", target.unique("nowhere"), jonas.login])).code).toBe(5);

    expect((await jonas.tongs(["org", "member", "publish", org])).code).toBe(0);
    expect((await mara.tongs(["org", "member", "list", org, "--public", "--jq", ".[].login"])).stdout).toBe(
      `${jonas.login}\n`,
    );
    expect((await priya.tongs(["org", "member", "check", org, jonas.login])).code).toBe(0);
    expect((await priya.tongs(["org", "member", "check", org, jonas.login, "--public"])).code).toBe(0);
    expect((await jonas.tongs(["org", "member", "conceal", org])).code).toBe(0);
    expect((await mara.tongs(["org", "member", "list", org, "--public", "--json"])).json()).toEqual([]);
    expect((await mara.tongs(["org", "member", "permission", org, "--jq", ".is_owner"])).stdout).toBe("true\n");

    const gone = await mara.tongs(["org", "member", "remove", org, jonas.login, target.unique("nobody"), "--yes"]);
    expect([gone.code, gone.stderr]).toEqual([11, expect.stringContaining(`Removed ${jonas.login}`)]);
    expect((await mara.tongs(["org", "member", "check", org, jonas.login])).code).toBe(1);
    expect((await mara.tongs(["org", "delete", org, "--yes"])).code).toBe(0);
  });

  it("are renamed where the server can do that, and the old name still leads to them", async ({ skip }) => {
    if (!target.has("POST", "/orgs/{org}/rename")) skip("the server cannot rename organizations");
    const [org, to] = [target.unique("dockers"), target.unique("stevedores")];
    await mara.tongs(["org", "create", org]);
    const upper = await mara.tongs(["org", "rename", org, org.toUpperCase()]);
    expect([upper.code, upper.stderr]).toEqual([0, expect.not.stringContaining("redirects")]);
    const renamed = await mara.tongs(["org", "rename", org, to]);
    expect([renamed.code, renamed.stdout]).toEqual([0, `${target.url}/${to}\n`]);
    expect((await mara.tongs(["org", "view", org, "--jq", ".name"])).stdout).toBe(`${to}\n`);
    const old = await mara.tongs(["org", "delete", org, "--yes"]);
    expect([old.code, old.stderr]).toEqual([2, expect.stringContaining(`${org} was renamed to ${to}`)]);
    await removeOrg(to);
  });

  it("block and unblock users, have avatars and feeds", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no blocks of organizations, avatars and feeds");
    const org = target.unique("pier");
    await mara.tongs(["org", "create", org]);
    expect((await mara.tongs(["org", "block", "check", org, priya.login])).code).toBe(1);
    const blocked = await mara.tongs(["org", "block", "add", org, priya.login, "--note", "noise"]);
    if (target.software === "gitea") expect(blocked.code).toBe(0);
    else
      expect(blocked).toMatchObject({ code: 1, stderr: expect.stringContaining("Forgejo has no notes about blocks") });
    expect((await mara.tongs(["org", "block", "check", org, priya.login])).code).toBe(0);
    expect((await mara.tongs(["org", "block", "list", org, "--jq", "length"])).stdout).toBe("1\n");
    expect((await mara.tongs(["org", "block", "remove", org, priya.login])).code).toBe(0);
    expect((await mara.tongs(["org", "block", "list", org, "--json"])).json()).toEqual([]);
    expect((await mara.tongs(["org", "block", "list", target.unique("nowhere")])).code).toBe(5);

    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "anchor.png"), png);
    expect((await mara.tongs(["org", "avatar", "set", org, "anchor.png"], { cwd })).code).toBe(0);
    expect((await mara.tongs(["org", "avatar", "delete", org, "--yes"])).code).toBe(0);
    await mara.tongs(["repo", "create", `${org}/dock`, "--init"]);
    const feed = await mara.tongs(["org", "activity", org, "--jq", ".[].op_type"]);
    expect(feed.stdout).toContain("create_repo");
    expect((await mara.tongs(["team", "activity", `${org}/Owners`, "--json"])).code).toBe(0);
    await removeOrg(org);
  });

  it("delete all their repositories where the server can do that", async ({ skip }) => {
    if (!target.has("DELETE", "/orgs/{org}/repos"))
      skip("the server does not have the operation, as Gitea before 1.27");
    const org = target.unique("wharf");
    await mara.tongs(["org", "create", org]);
    for (const name of ["one", "two"]) await mara.tongs(["repo", "create", `${org}/${name}`]);
    const wrong = await mara.tongs(["org", "repo", "delete", `${org}/one`, "--yes"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(`tongs repo delete ${org}/one`)]);
    const ran = await mara.tongs(["org", "repo", "delete", org, "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("2 repositories")]);
    await expect
      .poll(async () => (await mara.tongs(["org", "repo", "list", org, "--jq", "length"])).stdout)
      .toBe("0\n");
    await removeOrg(org);
  });
});
