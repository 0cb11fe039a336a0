import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { type Reply, serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

interface Team {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly permission: string;
  readonly units_map: Readonly<Record<string, string>>;
  readonly can_create_org_repo: boolean;
  readonly includes_all_repositories: boolean;
}

it.each(["access", "export -", "audit"])(
  "policy %s does not find an organization that cannot be seen",
  async (verb) => {
    const server = await serve(({ url }) => {
      if (url === "/api/v1/version") return { body: { version: "1.27.0" } };
      return url.includes("/repos") ? { body: [] } : { status: 404, body: { message: "not found" } };
    });
    const ran = await tongs(["policy", ...verb.split(" "), "--org", "hidden"], {
      env: { TONGS_HOST: server.url, TONGS_TOKEN: "t" },
    });
    await server.close();
    expect(ran, ran.stderr).toMatchObject({ code: 5, stdout: "" });
  },
);

describe.each(["gitea", "forgejo"])("the policy of an organization, on %s", (as) => {
  let box: OnSandbox;
  const cwd = emptyFolder();
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
  });

  const ask = (method: string, path: string, body?: unknown) => askAsAdmin(box, method, path, body);

  /** Writes a policy and runs a verb with it. */
  function policy(verb: "plan" | "apply" | "check", text: string, ...more: readonly string[]) {
    writeFileSync(join(cwd, "policy.yml"), text);
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
    return box.run(["policy", verb, "policy.yml", ...more], { cwd, env });
  }

  const teamsOf = (org: string) => ask("GET", `/orgs/${org}/teams`) as Promise<Team[]>;
  const members = async ({ id }: Team) =>
    ((await ask("GET", `/teams/${id}/members`)) as { login: string }[]).map(({ login }) => login).sort();
  const named = async (org: string, name: string): Promise<Team> => {
    const found = (await teamsOf(org)).find((team) => team.name === name);
    if (found === undefined) throw new Error(`no team ${name}`);
    return found;
  };

  async function organization(org: string): Promise<void> {
    await ask("POST", "/orgs", { username: org });
    await ask("POST", `/orgs/${org}/repos`, { name: "charts", auto_init: true });
  }

  it("names each section of the file that selects nothing, and a check with one fails", async () => {
    await organization("idle");
    await ask("POST", "/orgs", { username: "bare" });
    const own = "organizations: {idle: {labels: {}}}\n";
    const defaults = "defaults: {labels: {p2: 00ff00}}\n";
    const file = `${own}${defaults}repositories: {idle/*: {labels: {p1: 0000ff}}}\n`;
    const hint = "To select repositories, pass --org or --repo.";
    for (const verb of ["plan", "check", "apply"] as const) {
      const ran = await policy(verb, file, ...(verb === "apply" ? ["--yes"] : []));
      expect(ran.code, ran.stderr).toBe(verb === "check" ? 2 : 0);
      expect(ran.stderr).toContain("policy.yml:2:1: no repositories selected for defaults\n");
      expect(ran.stderr).toContain("policy.yml:3:16: no repositories selected for idle/*\n");
      expect(ran.stderr).toContain(hint);
    }
    const flagged = await policy("check", file, "--org", "idle");
    expect([flagged.code, flagged.stderr]).toEqual([1, expect.not.stringContaining("selected for")]);
    for (const [text, ...flags] of [
      [`${own}${defaults}`.replaceAll("idle", "bare"), "--org", "bare"],
      [`${defaults}repositories: {idle/gone: {labels: {}}, other/*: {labels: {}}}`, "--org", "idle"],
    ] as const) {
      const { code, stderr } = await policy("check", text, ...flags);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/policy\.yml:[12]:\d+: no repositories selected for /)]);
      expect(stderr).not.toContain("other/");
    }
    const clean = await policy("check", own);
    expect([clean.code, clean.stderr]).toEqual([0, expect.not.stringContaining("selected for")]);
    for (const [text, ...flags] of [
      [file, "--org", "bare"],
      ["repositories: {idle/*: {labels: {p1: 0000ff}}}\n", "--repo", "bare/ghost"],
      ["repositories: {idle/*: {labels: {p1: 0000ff}}}\n"],
      [own, "--repo", "idle/charts"],
    ] as const)
      expect(await policy("check", text, ...flags)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("No repositories selected"),
      });
    expect((await policy("plan", "repositories: {idle/*: {labels: {p1: 0000ff}}}\n")).stderr).toContain(
      "policy.yml:1:16: no repositories selected for idle/*\n",
    );
  });

  it("takes variables of a repository with Actions turned off as none, and turns them on first", async () => {
    await organization("idle-ci");
    await ask("POST", "/orgs/idle-ci/repos", { name: "noact", auto_init: true });
    await ask("PATCH", "/repos/idle-ci/noact", { has_actions: false });
    await ask("POST", "/repos/idle-ci/charts/actions/variables/TIDE", { value: "low" });
    const isOff = as === "forgejo";
    const exported = await box.run(["policy", "export", "-", "--org", "idle-ci"]);
    expect(exported.code, exported.stderr).toBe(0);
    expect(exported.stdout).toMatch(/TIDE:\s+value: low/);
    writeFileSync(join(cwd, "tide.txt"), "low");
    const left = exported.stderr.split("\n").filter((line) => line.includes("variables"));
    expect(left).toEqual(isOff ? ["! Left out variables of idle-ci/noact: Actions are turned off"] : []);
    const own = "defaults: {variables: {TIDE: low}}\n";
    const planned = await policy("plan", own, "--org", "idle-ci", "--json", "repository,action,name");
    expect(planned.json()).toEqual([{ repository: "idle-ci/noact", action: "create", name: "TIDE" }]);
    expect(planned.code, planned.stderr).toBe(isOff ? 2 : 0);
    const why = "Actions are turned off without 'has_actions: true' (variable 'TIDE' in idle-ci/noact)";
    if (isOff) {
      expect(planned.stderr).toContain(`policy.yml:1:24: ${why}`);
      box.writes();
      const refused = await policy("apply", own, "--org", "idle-ci", "--yes");
      expect([refused.code, refused.stderr, box.writes()]).toEqual([2, expect.stringContaining(why), []]);
      for (const line of [
        "variable list",
        "variable set TIDE --body low",
        "secret list",
        "secret set TIDE --body-file tide.txt",
      ]) {
        const { code, stderr } = await box.run([...line.split(" "), "-R", "idle-ci/noact", "--host", box.url], { cwd });
        expect([line, code, stderr]).toEqual([
          line,
          5,
          expect.stringContaining("Actions are turned off in idle-ci/noact\n"),
        ]);
        expect(stderr).toContain(`tongs repo edit idle-ci/noact --has-actions --host ${box.url}`);
      }
    }
    const on = "defaults: {variables: {TIDE: low}, settings: {has_actions: true}}\n";
    const applied = await policy("apply", on, "--org", "idle-ci", "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    expect(await ask("GET", "/repos/idle-ci/noact/actions/variables/TIDE")).toMatchObject({ data: "low" });
  });

  it("creates teams with units and members, before repositories name them, and changes nothing the second time", async () => {
    await organization("squadron");
    const file = `organizations:
  squadron:
    teams:
      Pilots: {permission: write, description: who steer, members: [mara, jonas], can_create_org_repo: true}
      crew: {units_map: {code: read, repo.issues: write}, members: [jonas], includes_all_repositories: true}
      bosses: {permission: admin}
repositories: {squadron/charts: {teams: [pilots, crew]}}
`;
    const plan = await policy("plan", file, "--json", "repository,action,name,field,new");
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.json()).toContainEqual({
      repository: "squadron",
      action: "create",
      name: "crew",
      field: "units_map",
      new: { "repo.code": "read", "repo.issues": "write" },
    });
    const applied = await policy("apply", file, "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    const [pilots, crew, bosses] = await Promise.all(
      ["Pilots", "crew", "bosses"].map((name) => named("squadron", name)),
    );
    expect(pilots).toMatchObject({ description: "who steer", can_create_org_repo: true });
    expect(pilots?.units_map).toMatchObject({ "repo.code": "write", "repo.ext_wiki": "read" });
    expect(crew?.units_map).toEqual({ "repo.code": "read", "repo.issues": "write" });
    expect(crew?.includes_all_repositories).toBe(true);
    expect(bosses?.permission).toBe("admin");
    expect(pilots && (await members(pilots))).toEqual(["jonas", "mara"]);
    const again = await policy("apply", file.replace("Pilots:", "PILOTS:"), "--yes");
    expect(again).toMatchObject({ code: 0, stderr: "No changes in 1 organization and 1 repository.\n" });
  });

  it("makes the members those of the file, and the access that of the file, and the journal undoes it", async () => {
    await organization("convoy");
    const file = (team: string) => `organizations: {convoy: {teams: {crew: ${team}}}}\n`;
    await policy("apply", file("{units_map: {code: write, wiki: read}, members: [mara, jonas]}"), "--yes");
    const changed = `prune: true\n${file("{units_map: {code: read}, members: [jonas, priya]}")}`;
    const applied = await policy("apply", changed, "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    const crew = await named("convoy", "crew");
    expect([crew.units_map, await members(crew)]).toEqual([{ "repo.code": "read" }, ["jonas", "priya"]]);
    expect((await policy("check", changed)).code).toBe(0);
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
    const [last] = (await box.run(["journal", "list", "--limit", "1", "--json"], { cwd, env })).json() as Team[];
    const number = (last as unknown as { number: number }).number;
    const undone = await box.run(["journal", "undo", `${number}`, "--yes"], { cwd, env });
    expect(undone.code, undone.stderr).toBe(0);
    const before = await named("convoy", "crew");
    expect([before.units_map, await members(before)]).toEqual([
      { "repo.code": "write", "repo.wiki": "read" },
      ["jonas", "mara"],
    ]);
  });

  it("makes a team an administrator of all units, and takes that away again", async () => {
    await organization("raised");
    const file = (team: string) => `organizations: {raised: {teams: {crew: ${team}}}}\n`;
    await policy("apply", file("{permission: read}"), "--yes");
    for (const team of ["{permission: admin}", "{units_map: {code: write}}"]) {
      const applied = await policy("apply", file(team), "--yes");
      expect(applied.code, applied.stderr).toBe(0);
      expect((await policy("check", file(team), "--json")).json()).toEqual([]);
    }
    expect(await named("raised", "crew")).toMatchObject({ units_map: { "repo.code": "write" } });
  });

  it("keeps the units of a team whose permission alone is named, and says those of a new one", async () => {
    await organization("narrow");
    const units = { "repo.code": "write", "repo.ext_wiki": "read" };
    const old = { name: "old", permission: "write", units: Object.keys(units), units_map: units };
    await ask("POST", "/orgs/narrow/teams", old);
    const file = (team: string) => `organizations: {narrow: {teams: {${team}}}}\n`;
    const plan = await policy("plan", file("old: {permission: read}"), "--json", "field,new");
    expect(plan.json()).toEqual([{ field: "units_map", new: { "repo.code": "read", "repo.ext_wiki": "read" } }]);
    for (const permission of ["read", "write"]) {
      const applied = await policy("apply", file(`old: {permission: ${permission}}`), "--yes");
      expect(applied.code, applied.stderr).toBe(0);
      const access = Object.entries((await named("narrow", "old")).units_map).filter(([, word]) => word !== "none");
      expect(Object.fromEntries(access)).toEqual({ "repo.code": permission, "repo.ext_wiki": "read" });
    }
    const fresh = await policy("plan", file("new: {members: [mara]}"), "--json", "field,new");
    expect(fresh.json()).toEqual([
      { field: "members", new: ["mara"] },
      { field: "permission", new: "read" },
      { field: "units_map", new: expect.objectContaining({ "repo.code": "read", "repo.packages": "read" }) },
    ]);
  });

  it("exports, plans and reports several organizations that --org names, each once", async () => {
    for (const org of ["first", "second", "third"]) await organization(org);
    const orgs = ["--org", "first", "--org", "second,FIRST"];
    const exported = await box.run(["policy", "export", "-", ...orgs], { cwd });
    expect(exported.code, exported.stderr).toBe(0);
    for (const section of ["first", "second", "first/charts", "second/charts"])
      expect(exported.stdout).toContain(`\n  ${section}:`);
    expect(exported.stdout).not.toContain("third");
    const plan = await policy("plan", `${exported.stdout}  third: {labels: {bug: ff0000}}\n`, ...orgs, "--json");
    expect(plan.json()).toEqual([]);
    expect(plan.stderr).toContain("No changes in 2 organizations and 2 repositories.");
    const report = await box.run(["policy", "access", ...orgs], { cwd });
    expect(report.stderr).toContain("into 2 repositories.");
    for (const verb of ["access", "audit"])
      expect(await box.run(["policy", verb, ...orgs, "-R", "first/charts"], { cwd })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("Cannot use --org with --repo"),
      });
  });

  it("sets the members of the owners, whose access is fixed, and keeps one", async () => {
    await organization("owned");
    const file = (team: string) => `organizations:\n  owned:\n    teams:\n      owners: ${team}\n`;
    const applied = await policy("apply", file("{members: [harbormaster, mara]}"), "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    expect(await members(await named("owned", "Owners"))).toEqual(["harbormaster", "mara"]);
    box.writes();
    const fixed = await policy("apply", file("{permission: write}"), "--yes");
    expect([fixed.code, box.writes()]).toEqual([2, []]);
    expect(fixed.stderr).toContain(
      "policy.yml:4:16: permission cannot be changed: it is 'owner' (team 'owners' in owned)",
    );
    for (const line of [["plan"], ["apply", "--yes"]] as const) {
      const [verb, ...more] = line;
      const emptied = await policy(verb, `prune: true\n${file("{members: []}")}`, ...more);
      expect([emptied.code, box.writes()]).toEqual([2, []]);
      expect(emptied.stderr).toContain(
        "policy.yml:5:16: members cannot be empty: an organization must keep an owner (team 'owners' in owned)",
      );
    }
  });

  it("warns who takes themselves out of the owners, and does that last", async () => {
    await organization("left");
    const owners = await named("left", "Owners");
    for (const name of ["mara", "jonas"]) await ask("PUT", `/teams/${owners.id}/members/${name}`);
    writeFileSync(
      join(cwd, "left.yml"),
      "prune: true\norganizations:\n  left:\n    teams:\n      Owners: {members: [jonas]}\n      crew: {members: [jonas]}\n" +
        "repositories:\n  left/charts:\n    labels:\n      bug: {color: ff0000}\n",
    );
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state"), TONGS_HOST: box.url, TONGS_TOKEN: box.token("mara") };
    const warning = "This takes your own access away: team 'Owners' in left, after which";
    expect((await box.run(["policy", "plan", "left.yml"], { cwd, env })).stderr).toContain(warning);
    box.writes();
    const applied = await box.run(["policy", "apply", "left.yml", "--yes"], { cwd, env });
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) });
    const writes = box.writes();
    expect(writes).toContain("POST /repos/left/charts/labels");
    expect(writes.slice(-2).map((write) => write.split("/").at(-1))).toEqual(["harbormaster", "mara"]);
    expect(await members(owners)).toEqual(["jonas"]);
    expect(await members(await named("left", "crew"))).toEqual(["jonas"]);
  });

  it("foresees unknown and renamed users, units and teams in one run, with their places, and sends nothing", async () => {
    await organization("faulty");
    const units = await policy(
      "plan",
      "organizations:\n  faulty:\n    teams:\n      a: {units_map: {isues: read}}\n      b/c: {}\n      d: {permission: owner}\n",
    );
    expect(units.code).toBe(2);
    expect(units.stderr).toContain("policy.yml:4:7: organizations.faulty.teams.a: unknown unit 'isues'");
    expect(units.stderr).toContain("policy.yml:5:7: organizations.faulty.teams.b/c must have up to 255");
    expect(units.stderr).toContain("policy.yml:6:11: organizations.faulty.teams.d.permission must be one of read");
    const file = `organizations:
  faulty:
    teams:
      crew: {members: [mara, nobody-here]}
  nowhere:
    teams: {crew: {}}
repositories:
  faulty/charts: {teams: [crew, crw]}
  faulty/missing: {topics: [sea]}
  faulty/gone: {labels: {bug: ff0000}}
`;
    box.writes();
    for (const ran of [await policy("plan", file), await policy("apply", file, "--yes")]) {
      expect(ran.code, ran.stderr).toBe(2);
      for (const part of [
        "4:30: user 'nobody-here' does not exist (team 'crew' in faulty)",
        "5:3: ",
        "9:3: ",
        "10:3: ",
      ])
        expect(ran.stderr).toContain(`policy.yml:${part}`);
      expect(ran.stderr).toContain("8:33: team 'crw' does not exist in faulty");
      expect(ran.stderr).not.toContain("team 'crew' does not exist");
    }
    expect(box.writes()).toEqual([]);
    expect(await policy("check", file)).toMatchObject({ code: 2, stderr: expect.stringContaining("policy.yml:9:3: ") });
  });

  it("switches between trackers and wikis, and exports them", async () => {
    await organization("tracked");
    const file = (settings: string) => `repositories:\n  tracked/charts:\n    settings: ${settings}\n`;
    const external =
      "{external_tracker: {external_tracker_url: https://bugs.example.org, external_tracker_style: alphanumeric}, external_wiki: {external_wiki_url: https://wiki.example.org}}";
    const applied = await policy("apply", file(external), "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    expect(await ask("GET", "/repos/tracked/charts")).toMatchObject({
      external_tracker: { external_tracker_url: "https://bugs.example.org", external_tracker_style: "alphanumeric" },
      external_wiki: { external_wiki_url: "https://wiki.example.org" },
    });
    const exported = await box.run(["policy", "export", "-", "--repo", "tracked/charts"], { cwd });
    for (const url of ["external_tracker_url: https://bugs", "external_wiki_url: https://wiki"])
      expect(exported.stdout).toContain(url);
    expect((await policy("check", exported.stdout, "--json")).json()).toEqual([]);
    const own = file("{internal_tracker: {enable_time_tracker: false}, external_wiki: {}}");
    expect((await policy("apply", own, "--yes")).code).toBe(0);
    const now = (await ask("GET", "/repos/tracked/charts")) as Readonly<Record<string, unknown>>;
    expect(now).toMatchObject({ has_issues: true, has_wiki: true, internal_tracker: { enable_time_tracker: false } });
    expect([now["external_tracker"], now["external_wiki"]]).toEqual([undefined, undefined]);
    expect((await policy("check", own, "--json")).json()).toEqual([]);
    const both = await policy(
      "plan",
      file(
        "{internal_tracker: {enable_time_tracker: true}, external_tracker: {external_tracker_url: https://x.example.org}}",
      ),
    );
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("policy.yml:3:5: ") });
    expect(both.stderr).toContain("internal_tracker and external_tracker exclude each other");
    const wrong = await policy("plan", file("{external_tracker: {url: https://x.example.org}, external_wiki: x}"));
    expect(wrong.stderr).toContain(
      "policy.yml:3:35: repositories.tracked/charts.settings.external_tracker.url is unknown",
    );
    expect(wrong.stderr).toContain("external_wiki must be a map");
  });

  it("exports what an organization has so that a check finds no drift", async () => {
    await organization("exported");
    const file = `organizations:
  exported:
    labels: {org-bug: ff0000}
    variables: {PORT: 8080}
    teams: {Pilots: {permission: write, members: [mara]}, bosses: {permission: admin}, crew: {units_map: {wiki: read}}}
`;
    expect((await policy("apply", file, "--yes")).code).toBe(0);
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
    const exported = await box.run(["policy", "export", "out.yml", "--org", "exported"], { cwd, env });
    expect(exported.code, exported.stderr).toBe(0);
    const text = readFileSync(join(cwd, "out.yml"), "utf8");
    for (const part of ["organizations:", "org-bug:", "PORT:", "Pilots:", "repo.wiki: read", "- mara"])
      expect(text).toContain(part);
    const check = await policy("check", text, "--json");
    expect([check.code, check.json()], check.stderr).toEqual([0, []]);
    // What readers of YAML 1.1 take for false, and what turns the direction of writing.
    await ask("POST", "/admin/users", { username: "no", email: "no@example.org", password: "a-password-1X" });
    await ask("PUT", `/teams/${(await named("exported", "bosses")).id}/members/no`);
    await ask("POST", "/orgs/exported/labels", { name: "turned", color: "#00ff00", description: "sea\u202emoor" });
    const again = await box.run(["policy", "export", "-", "--org", "exported"], { cwd, env });
    expect(again.stdout).toContain('- "no"');
    expect(again.stdout).toContain('description: "sea\\u202emoor"');
    expect(again.stdout).not.toContain("\u202e");
    expect((await policy("check", again.stdout, "--json")).json()).toEqual([]);
    await ask("DELETE", `/teams/${(await named("exported", "Pilots")).id}/members/mara`);
    const drift = await policy("check", text, "--json", "name,field,old,new");
    expect([drift.code, drift.json()]).toEqual([1, [{ name: "Pilots", field: "members", old: [], new: ["mara"] }]]);
  });
});

describe("quota groups in a policy", () => {
  const cwd = emptyFolder();

  async function run(verb: string, text: string, answer: (line: string) => Reply | undefined) {
    const server = await serve(({ method, url }) => {
      const path = url.replace("/api/v1", "");
      if (path === "/version") return { body: { version: "16.0.0+gitea-1.22.0" } };
      return answer(`${method} ${path}`) ?? { status: 404, body: { message: "not found" } };
    });
    writeFileSync(join(cwd, "policy.yml"), text);
    const env = { HOME: cwd, XDG_STATE_HOME: cwd, TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["policy", verb, "policy.yml", "--yes"], { cwd, env });
    await server.close();
    return { ran, writes: server.lines().filter((line) => !line.startsWith("GET ")) };
  }

  const file = `prune: true
organizations: {fleet: {quota_groups: [large, small]}}
users: {mara: {quota_groups: [large]}}
`;
  const answers = (line: string): Reply | undefined => {
    const groups = (...names: readonly string[]) => ({ body: { used: used, groups: names.map((name) => ({ name })) } });
    if (line === "GET /admin/users/fleet/quota") return groups("small", "old");
    if (line === "GET /admin/users/mara/quota") return groups("large");
    if (line === "GET /admin/quota/groups/large") return { body: { name: "large", rules: [] } };
    return line.startsWith("GET ") ? undefined : { status: 204 };
  };
  const used = {
    size: {
      repos: { public: 0, private: 0 },
      git: { LFS: 0 },
      assets: { attachments: { issues: 0, releases: 0 }, artifacts: 0, packages: { all: 0 } },
    },
  };

  it("puts organizations and users in the groups of the file, and with prune takes them out of others", async () => {
    const { ran, writes } = await run("apply", file, answers);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("1 to create, 0 to update, 1 to delete in 1 organization and 1 user.");
    expect(writes).toEqual(
      ["PUT /admin/quota/groups/large/users/fleet", "DELETE /admin/quota/groups/old/users/fleet"].map((line) =>
        line.replace(" ", " /api/v1"),
      ),
    );
  });

  it("foresees that a group does not exist", async () => {
    const { ran, writes } = await run("apply", file.replace("large, small", "large, huge"), answers);
    expect([ran.code, writes]).toEqual([2, []]);
    expect(ran.stderr).toContain("policy.yml:2:47: quota group 'huge' does not exist (quota group 'huge' in fleet)");
  });

  it("foresees that a user has another name by now", async () => {
    const { ran, writes } = await run(
      "apply",
      "organizations:\n  fleet: {teams: {crew: {members: [old]}}}\n",
      (line) => {
        if (line.startsWith("GET /orgs/fleet/teams")) return { body: [] };
        if (line === "GET /users/old") return { status: 307, headers: { location: "/api/v1/users/new" }, body: "" };
        return line === "GET /users/new" ? { body: { id: 1, login: "new" } } : undefined;
      },
    );
    expect([ran.code, writes]).toEqual([2, []]);
    expect(ran.stderr).toContain("policy.yml:2:36: user 'old' is now 'new' (team 'crew' in fleet)");
  });

  it("is not checked for who may not read quotas, by its place in the file, and the rest is applied", async () => {
    const denied = { status: 403, body: { message: "user should be the site admin" } };
    const asOwner = (line: string): Reply | undefined => {
      if (line.includes("/quota")) return denied;
      if (line.startsWith("GET /orgs/fleet/labels")) return { body: [] };
      return line.startsWith("GET ") ? answers(line) : { status: 201, body: { id: 1, name: "sea", color: "ff0000" } };
    };
    const both = "organizations:\n  fleet:\n    labels: {sea: ff0000}\n    quota_groups: [large]\n";
    const plan = await run("plan", both, asOwner);
    expect(plan.ran.code, plan.ran.stderr).toBe(0);
    expect(plan.ran.stdout).toContain("sea");
    expect(plan.ran.stdout).toMatch(/unchecked\s+quota_groups\s+large/);
    const why = "policy.yml:4:5: quota groups of fleet cannot be read: Permission denied on";
    expect(plan.ran.stderr).toContain(why);
    expect((await run("check", both, asOwner)).ran).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
    const none = "prune: true\norganizations: {fleet: {quota_groups: []}}\n";
    expect((await run("check", none, asOwner)).ran).toMatchObject({
      code: 11,
      stderr: expect.stringContaining("1 could not be checked"),
    });
    const applied = await run("apply", both, asOwner);
    expect([applied.ran.code, applied.writes]).toEqual([11, ["POST /api/v1/orgs/fleet/labels"]]);
    expect(applied.ran.stderr).toContain("1 could not be checked");
    expect(applied.ran.stderr).toContain(why);
    const wrong = await run("apply", `${both}    teams: {crew: {members: [nobody]}}\n`, (line) =>
      line.startsWith("GET /orgs/fleet/teams") ? { body: [] } : asOwner(line),
    );
    expect([wrong.ran.code, wrong.writes]).toEqual([2, []]);
    for (const part of [why, "policy.yml:5:30: user 'nobody' does not exist"]) expect(wrong.ran.stderr).toContain(part);
  });

  it("is refused on a server without quotas", async () => {
    const box = await onSandbox();
    writeFileSync(join(cwd, "policy.yml"), file);
    const ran = await box.run(["policy", "plan", "policy.yml"], { cwd });
    await box.close();
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Available since Forgejo 9.0") });
  });
});
