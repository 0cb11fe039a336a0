import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person, type Target } from "./support.ts";

describe("the reports of policies", () => {
  let target: Target;
  let owner: Person;
  let helper: Person;
  let org: string;
  beforeAll(async () => {
    target = await openTarget();
    owner = await target.person("audit-owner");
    helper = await target.person("audit-helper");
    org = target.unique("audit-fleet");
    await target.ask("POST", "/orgs", { username: org }, owner);
    const units_map = { "repo.code": "write", "repo.issues": "read" };
    const pilots = { name: "pilots", permission: "write", units: Object.keys(units_map), units_map };
    const { id } = (await target.ask("POST", `/orgs/${org}/teams`, pilots, owner)) as { id: number };
    await target.ask("PUT", `/teams/${id}/members/${helper.login}`, undefined, owner);
    for (const [name, more] of [
      ["open", {}],
      ["closed", { private: true }],
    ] as const)
      await target.ask("POST", `/orgs/${org}/repos`, { name, auto_init: true, default_branch: "main", ...more }, owner);
    await target.ask("PUT", `/repos/${org}/closed/teams/pilots`, undefined, owner);
    await target.ask("PUT", `/repos/${org}/closed/collaborators/${helper.login}`, { permission: "admin" }, owner);
    await target.ask("POST", `/repos/${org}/closed/branch_protections`, { rule_name: "main" }, owner);
    const hook = (url: string) => ({
      type: "gitea",
      active: true,
      events: ["push"],
      config: { url, content_type: "json" },
    });
    await target.ask("POST", `/repos/${org}/closed/hooks`, hook("http://127.0.0.1:9/hook"), owner);
    await target.ask("POST", `/repos/${org}/open/hooks`, hook("https://127.0.0.1:9/hook"), owner);
  });
  afterAll(async () => {
    for (const name of ["open", "closed"]) await target.ask("DELETE", `/repos/${org}/${name}`, undefined, owner);
    await target.ask("DELETE", `/orgs/${org}`, undefined, owner);
  });

  it("name who has access, and by which way", async () => {
    const ran = await owner.tongs(["policy", "access", "--org", org, "--json", "repository,user,permission,by,team"]);
    expect(ran.code, ran.stderr).toBe(0);
    const ways = ran.json() as { repository: string }[];
    const on = (name: string) => ways.filter(({ repository }) => repository === `${org}/${name}`);
    const owners = { permission: "owner", by: "team", team: "Owners", user: owner.login };
    expect(on("open")).toEqual([
      { repository: `${org}/open`, ...owners },
      { repository: `${org}/open`, user: null, permission: "read", by: "public", team: null },
    ]);
    expect(on("closed")).toEqual([
      { repository: `${org}/closed`, ...owners },
      { repository: `${org}/closed`, user: helper.login, permission: "write", by: "team", team: "pilots" },
      { repository: `${org}/closed`, user: helper.login, permission: "admin", by: "collaborator", team: null },
    ]);
    const own = await owner.tongs(["policy", "access", "--org", org, "--user", helper.login, "--csv"]);
    // The head, two ways into one repository, and that the other one is public.
    expect(own.stdout.trim().split("\n")).toHaveLength(4);
  });

  it("find what is risky, through a proxy that drops every fifth answer, too", async () => {
    const proxy = await droppingProxy(target.url);
    const env = { TONGS_HOST: proxy.url };
    const ran = await owner.tongs(["policy", "audit", "--org", org, "--json", "check,subject,state"], { env });
    const access = await owner.tongs(["policy", "access", "--org", org, "--json"], { env });
    expect([ran.code, access.code], ran.stderr).toEqual([1, 0]);
    expect(access.json()).toHaveLength(5);
    const rows = (ran.json() as { check: string; subject: string; state: string }[])
      .filter(({ state }) => state === "found")
      .map(({ check, subject }) => `${check} ${subject.replace(/: \d+$/, "")}`);
    expect(rows).toEqual([
      `public-repository ${org}/open`,
      `unprotected-branch ${org}/open: main`,
      `plain-webhook ${org}/closed`,
    ]);
    const cwd = emptyFolder();
    const accepts = `accept:\n  public-repository: ['${org}/*']\n  unprotected-branch: ['*']\n  plain-webhook: ['*/closed: *']\n`;
    writeFileSync(join(cwd, "accepted.yml"), accepts);
    const accepted = await owner.tongs(["policy", "audit", "accepted.yml", "--org", org], { cwd });
    expect(accepted.code, accepted.stderr).toBe(0);
  });

  it("of the whole server are for administrators, and say what is not known", async () => {
    const ran = await target.admin.tongs(["policy", "audit", "--json", "check,subject,state,detail"]);
    expect(ran.code, ran.stderr).toBe(1);
    const rows = ran.json() as { check: string; subject: string; state: string; detail: string }[];
    expect(rows).toContainEqual({
      check: "administrator",
      subject: target.admin.login,
      state: "found",
      detail: expect.stringContaining("administrator of the server"),
    });
    const state = (check: string) => rows.filter((one) => one.check === check).map((one) => one.state);
    if (target.kind === "server" && target.isGitea("1.26.0")) expect(state("two-factor")).toContain("found");
    if (target.software === "gitea") expect(state("token")).toEqual(["not known"]);
    const other = await helper.tongs(["policy", "audit", "--check", "administrator", "--json", "state"]);
    expect([other.code, other.json()]).toEqual([0, [{ state: "not known" }]]);
  });
});
