import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea@1.26", "forgejo"])("members of teams in a policy, on %s", (as) => {
  let box: OnSandbox;
  const cwd = emptyFolder();
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
  });

  const ask = (method: string, path: string, body?: unknown) => askAsAdmin(box, method, path, body);

  function policy(verb: string, text: string, more: readonly string[] = [], world = {}, person = "harbormaster") {
    writeFileSync(join(cwd, "policy.yml"), text);
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state"), TONGS_TOKEN: box.token(person) };
    return box.run(["policy", verb, "policy.yml", ...more], { cwd, env, ...world });
  }

  /** An organization with a team, and the path of its members. */
  async function team(org: string, names: readonly string[], permission = "write"): Promise<string> {
    await ask("POST", "/orgs", { username: org });
    await ask("POST", `/orgs/${org}/repos`, { name: "charts", auto_init: true });
    const made = await ask("POST", `/orgs/${org}/teams`, { name: "crew", permission, units: ["repo.code"] });
    const path = `/teams/${(made as { id: number }).id}/members`;
    for (const name of names) await ask("PUT", `${path}/${name}`);
    return path;
  }
  const members = async (path: string) => ((await ask("GET", path)) as { login: string }[]).map(({ login }) => login);
  const file = (org: string, names: string) => `organizations:\n  ${org}:\n    teams: {crew: {members: ${names}}}\n`;

  it("keeps members that the file does not have, unless it prunes", async () => {
    const path = await team("kept", ["mara", "jonas"]);
    const wanted = file("kept", "[priya, MARA]");
    const plan = await policy("plan", wanted, ["--json", "action,field,old,new"]);
    expect(plan.json()).toEqual([
      { action: "update", field: "members", old: ["mara", "jonas"], new: ["mara", "jonas", "priya"] },
    ]);
    expect(plan.stderr).not.toContain("removes");
    expect(await policy("apply", wanted, ["--yes"])).toMatchObject({ code: 0 });
    expect(await members(path)).toEqual(["mara", "jonas", "priya"]);
    expect(await policy("check", wanted)).toMatchObject({ code: 0 });
  });

  it("counts the members that it removes, in the plan and the question, with what the server ends", async () => {
    const path = await team("cut", ["mara", "jonas", "priya"]);
    const wanted = `prune: true\n${file("cut", "[MARA]")}`;
    const removes = "removes 2 members of teams: undo does not restore the assignments and watches that it ended";
    const plan = await policy("plan", wanted);
    expect(plan.stderr).toContain(`0 to create, 1 to update, 0 to delete in 1 organization. This ${removes}.`);
    const asked = await policy("apply", wanted, [], { terminal: true, answers: [false] });
    expect(asked).toMatchObject({ code: 3, asked: [expect.stringContaining(`(${removes})`)] });
    expect(await policy("apply", wanted, ["--yes"])).toMatchObject({ code: 0 });
    expect(await members(path)).toEqual(["mara"]);
    expect(await policy("check", wanted)).toMatchObject({ code: 0 });
  });

  it("shows of long lists what is added and removed", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `sailor${index}`);
    for (const name of [...names, "newhand"])
      await ask("POST", "/admin/users", {
        username: name,
        email: `${name}@${as.length}.example.org`,
        password: "a-password-1X",
      });
    await team("many", names);
    const wanted = `prune: true\n${file("many", "[newhand, sailor0]")}`;
    expect((await policy("plan", wanted)).stdout).toMatch(
      /members\t12 names\t\+1 \(newhand\) -11 \(sailor1, sailor2, sailor3, …\)\n/,
    );
    const applied = await policy("apply", wanted, ["--yes"]);
    expect(applied.stderr).toContain("members: +1 (newhand) -11 (sailor1, sailor2, sailor3, …))");
  });

  it("keeps teams that are named without a value, also with prune, and asks nothing of them", async () => {
    await team("named", ["mara"]);
    const wanted = "organizations: {named: {prune: true, teams: {CREW: , lookouts: , Owners: }}}\n";
    const plan = await policy("plan", wanted, ["--json"]);
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.json()).toEqual([]);
    await ask("POST", "/orgs/named/teams", { name: "old", permission: "read", units: ["repo.code"] });
    expect((await policy("plan", wanted, ["--json", "action,name"])).json()).toEqual([
      { action: "delete", name: "old" },
    ]);
  });

  it("counts the members of teams that it deletes, in the plan and the question", async () => {
    await team("gone", ["mara", "jonas"]);
    const wanted = "organizations: {gone: {prune: true, teams: {Owners: }}}\n";
    const removes = "removes 2 members of teams: undo does not restore the assignments and watches that it ended";
    const plan = await policy("plan", wanted, ["--json", "action,name,field,old,new"]);
    expect(plan.stderr).toContain(`1 to delete in 1 organization. This ${removes}.`);
    expect(plan.json()).toEqual([
      { action: "delete", name: "crew", field: "members", old: ["mara", "jonas"], new: null },
    ]);
    const asked = await policy("apply", wanted, [], { terminal: true, answers: [false] });
    expect(asked).toMatchObject({ code: 3, asked: [expect.stringContaining(`; ${removes})`)] });
    expect(asked.stderr).toContain("Delete team 'crew' in gone (with 2 members)");
  });

  it("prints below, where a terminal is narrow, what changes to what", async () => {
    await team("narrow", ["mara", "jonas"]);
    const wanted = `prune: true\n${file("narrow", "[priya]")}`;
    const { stdout } = await policy("plan", wanted, [], { terminal: true, columns: 50 });
    expect(stdout).toContain("\n  OLD: mara, jonas\n  NEW: priya\n");
  });

  it("names a member that is listed twice", async () => {
    await team("twice", []);
    expect(await policy("check", file("twice", "[mara, jonas, Mara]"))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("organizations.twice.teams.crew.members.Mara is listed twice"),
    });
    const sections = "organizations:\n  twice: {labels: {bug: ff0000}}\n  TWICE: {labels: {bug: 00ff00}}\n";
    expect(await policy("check", sections)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("policy.yml:3:3: organizations.TWICE is listed twice"),
    });
  });

  it("exports members by name", async () => {
    await team("sorted", ["priya", "mara", "jonas"]);
    const { stdout } = await box.run(["policy", "export", "-", "--org", "sorted"], { cwd });
    expect(stdout).toContain("- jonas\n          - mara\n          - priya\n");
  });

  it("says that a server has no visibility of teams, after it created one", async () => {
    await team("shown", []);
    const ran = await policy("apply", "organizations: {shown: {teams: {new: {visibility: private}}}}\n", ["--yes"]);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining("The server did not apply visibility to team 'new' in shown"),
    ]);
  });

  it("does not say that a team with all repositories was removed from one, which servers answer", async () => {
    await team("whole", []);
    const all = { name: "ops", permission: "write", units: ["repo.code"], includes_all_repositories: true };
    await ask("POST", "/orgs/whole/teams", all);
    const text = "prune: true\nrepositories: {whole/charts: {teams: []}}\n";
    const ran = await policy("apply", text, ["--yes"]);
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("whole/ops has access to all repositories")]);
    expect(ran.stderr).not.toContain("Removed team 'ops'");
  });

  it("takes the right of who runs it away last, and says so in the plan and the question", async () => {
    await team("own", []);
    await ask("PUT", "/repos/own/charts/collaborators/jonas", { permission: "admin" });
    const kinds = "    collaborators: {jonas: read}\n    labels: {sea: ff0000}\n    topics: [sea]\n";
    const text = `repositories:\n  own/charts:\n${kinds}`;
    const takes = "takes your own access away: collaborator 'jonas' in own/charts";
    expect((await policy("plan", text, [], {}, "jonas")).stderr).toContain(`This ${takes}`);
    const asked = await policy("apply", text, [], { terminal: true, answers: [false] }, "jonas");
    expect(asked.asked[0]).toContain(takes);
    box.writes();
    const applied = await policy("apply", text, ["--yes"], {}, "jonas");
    expect(applied.code, applied.stderr).toBe(0);
    expect(box.writes().at(-1)).toBe("PUT /repos/own/charts/collaborators/jonas");
  });

  it("is undone, with the teams that it created; what cannot be is named with the command that undoes the rest", async () => {
    await team("undone", ["mara"]);
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
    const journal = (...line: readonly string[]) => box.run(["journal", ...line], { cwd, env });
    const last = async () => {
      const [entry] = (await journal("list", "--limit", "1", "--json")).json() as { number: number }[];
      return `${entry?.number}`;
    };
    const teams = async () =>
      ((await ask("GET", "/orgs/undone/teams")) as { name: string }[]).map(({ name }) => name).toSorted();
    const made = "teams: {made: {permission: write, members: [mara, jonas]}}";
    const file = `organizations:\n  undone:\n    ${made}\nrepositories: {undone/charts: {teams: [made]}}\n`;
    expect(await policy("apply", file, ["--yes"])).toMatchObject({ code: 0 });
    expect(await teams()).toEqual(["Owners", "crew", "made"]);
    const undone = await journal("undo", await last(), "--yes");
    expect(undone.code, undone.stderr).toBe(0);
    expect(await teams()).toEqual(["Owners", "crew"]);
    // The team that it deletes cannot be restored.
    expect(await policy("apply", `prune: true\n${file}`, ["--yes"])).toMatchObject({ code: 0 });
    expect(await teams()).toEqual(["Owners", "made"]);
    const number = await last();
    const part = await journal("undo", number, "--yes");
    expect(part, part.stderr).toMatchObject({
      code: 11,
      stderr: expect.stringMatching(/✗ DELETE .*: servers do not/),
    });
    expect(await teams()).toEqual(["Owners"]);
    expect(await journal("undo", number, "--yes")).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("servers do not keep what is deleted"),
    });
  });

  it("does not pass an empty file as a policy that all match", async () => {
    for (const text of ["", "# nothing\n", "{}", "prune: true\n"]) {
      const ran = await policy("check", text, ["--repo", "mara/harbor"]);
      expect(ran.code, text).toBe(2);
      expect(ran.stderr).toContain("has none of extends, defaults, repositories, organizations, users");
    }
  });
});
