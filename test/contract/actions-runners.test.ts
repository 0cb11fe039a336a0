import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addRunner } from "./actions-stage.ts";
import { openTarget, type Person, type Target, targetLacks } from "./support.ts";

let target: Target;
let mara: Person;
let jonas: Person;
let org: string;
let repo: string;

beforeAll(async () => {
  target = await openTarget();
  [mara, jonas] = [await target.person("mara"), await target.person("jonas")];
  org = target.unique("northsea");
  repo = `${mara.login}/harbor`;
  await target.ask("POST", "/user/repos", { name: "harbor" }, mara);
  await target.ask("POST", "/orgs", { username: org }, mara);
});
afterAll(async () => {
  await target.ask("DELETE", `/orgs/${org}`);
});

interface Runner {
  readonly id: number;
  readonly name: string;
}

describe("runners", () => {
  it.each([
    ["a repository", () => [mara, ["-R", repo]] as const],
    ["an organization", () => [mara, ["--org", org]] as const],
    ["a user", () => [mara, ["--user"]] as const],
    ["the server", () => [target.admin, ["--admin"]] as const],
  ])("of %s are registered by its token, listed, viewed, disabled, enabled and deleted", async (_level, of) => {
    const [person, level] = of();
    const runner = async (verb: string, ...rest: string[]) => person.tongs(["runner", verb, ...rest, ...level]);
    const token = (await runner("token")).stdout;
    expect(token).toMatch(/^\S+\n$/);
    expect((await runner("token", "--json")).json()).toEqual({ token: token.trim() });
    if (!target.has("GET", "/repos/{owner}/{repo}/actions/runners")) {
      for (const line of [["list"], ["view", "1"], ["disable", "1"], ["delete", "1", "--yes"]]) {
        const since = line[0] === "disable" ? "1.26. Forgejo 17.0 does not have it" : "1.24 and Forgejo 15.0";
        const words = `Available since Gitea ${since}.`;
        const [verb = "", ...rest] = line;
        expect(await runner(verb, ...rest)).toMatchObject({ code: 5, stderr: expect.stringContaining(words) });
      }
      return;
    }
    const label = target.unique("berth");
    const id = await addRunner(target, { token: token.trim(), name: label, labels: [label] });
    const list = async () => (await runner("list", "--all", "--json", "id,name")).json() as Runner[];
    expect(await list()).toContainEqual({ id, name: label });
    const isForgejo = target.software === "forgejo";
    expect((await runner("view", String(id), "--json")).json()).toMatchObject({
      id,
      name: label,
      ...(isForgejo
        ? { status: "idle", labels: [label] }
        : { status: "online", busy: false, labels: [{ name: label }] }),
    });
    if (target.has("PATCH", "/repos/{owner}/{repo}/actions/runners/{runner_id}")) {
      expect((await runner("view", String(id), "--json", "disabled")).json()).toEqual({ disabled: false });
      expect((await runner("disable", String(id), "--json", "id,disabled")).json()).toEqual([{ id, disabled: true }]);
      expect((await runner("view", String(id))).stdout).toContain("state\tonline, disabled\n");
      expect((await runner("enable", String(id))).code).toBe(0);
    } else {
      const refused = await runner("disable", String(id));
      expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("Available since Gitea 1.26")]);
    }
    expect((await runner("delete", String(id), "987654321", "--yes")).code).toBe(11);
    expect(await list()).not.toContainEqual({ id, name: label });
    expect(await runner("view", String(id))).toMatchObject({ code: 5 });
  });

  it("have lists of runs and jobs at their levels, where the server has those", async () => {
    const isMissing = !target.has("GET", "/admin/actions/runs");
    for (const [person, level] of [
      [mara, ["--org", org]],
      [mara, ["--user"]],
      [target.admin, ["--admin"]],
    ] as const) {
      for (const verb of ["list", "jobs"]) {
        const ran = await person.tongs(["run", verb, ...level, "--json"]);
        expect([verb, level, ran.code, ran.stderr]).toEqual([verb, level, isMissing ? 5 : 0, expect.any(String)]);
        if (!isMissing) expect(ran.json()).toEqual(expect.any(Array));
      }
    }
    expect((await jonas.tongs(["run", "list", "--org", org])).code).toBe(isMissing ? 5 : 4);
  });

  it("are readings of collectd, as far as the server has them", async () => {
    const { code, stdout, stderr } = await target.admin.tongs(["metrics", "forge", repo, "--once"]);
    // The sandbox as Forgejo has no list of jobs.
    const problems = stderr.match(/Cannot read (?!jobs: Not found).*/g);
    expect([code, problems]).toEqual([0, null]);
    expect(stdout).toMatch(/forge-server\/response_time" interval=10 \S+:0\.\d+$/m);
    expect(stdout.includes("/count-runners_online")).toBe(!(await targetLacks("GET /admin/actions/runners")));
  });

  it("are denied to users who do not own them", async () => {
    for (const level of [["-R", repo], ["--org", org], ["--admin"]]) {
      for (const verb of ["list", "token"]) {
        const code = verb === "list" && !target.has("GET", "/repos/{owner}/{repo}/actions/runners") ? 5 : 4;
        expect(await jonas.tongs(["runner", verb, ...level]), `${verb} ${level.join(" ")}`).toMatchObject({ code });
      }
    }
  });
});
