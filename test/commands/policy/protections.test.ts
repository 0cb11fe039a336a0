import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea@1.26", "forgejo"])("protections in a policy, on %s", (release) => {
  let box: OnSandbox;
  let cwd: string;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(release) });
    await ask("POST", "/orgs", { username: "fleet" });
    await ask("POST", "/orgs/fleet/teams", { name: "pilots", permission: "write", units: ["repo.code"] });
  });

  const ask = (method: string, path: string, body?: unknown) => askAsAdmin(box, method, path, body);
  const run = (line: readonly string[]) =>
    box.run(line, { cwd, env: { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") } });

  /** A new repository of the organization, and a folder with a policy. */
  async function fresh(name: string, policy: string): Promise<string> {
    cwd = emptyFolder();
    await ask("POST", "/orgs/fleet/repos", { name, auto_init: true, default_branch: "main" });
    writeFileSync(join(cwd, "policy.yml"), policy);
    return `fleet/${name}`;
  }

  it("foresees what a new protection, or one that is there, has no effect without", async () => {
    const rule = "defaults:\n  branch_protections:\n    rel:\n      enable_push_whitelist: true\n";
    const repo = await fresh("needy", rule);
    const foreseen = [
      2,
      expect.stringContaining("policy.yml:4:7: enable_push_whitelist is ignored without 'enable_push: true'"),
    ];
    const ran = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect([ran.code, ran.stderr]).toEqual(foreseen);
    await ask("POST", `/repos/${repo}/branch_protections`, { rule_name: "rel" });
    const again = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect([again.code, again.stderr]).toEqual(foreseen);
    await ask("PATCH", `/repos/${repo}/branch_protections/rel`, { enable_push: true });
    expect(await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"])).toMatchObject({ code: 0 });
  });

  it("refuses lists of who has no access, unless the same policy gives it before", async () => {
    const lists = "defaults:\n  tag_protections: {v*: {whitelist_teams: [pilots], whitelist_usernames: [jonas]}}\n";
    const repo = await fresh("listed", lists);
    box.writes();
    const line = ["policy", "apply", "policy.yml", "--repo", repo, "--yes"];
    const refused = await run(line);
    expect([refused.code, refused.stderr]).toEqual([13, expect.stringContaining(`Not users with access to ${repo}`)]);
    expect(box.writes()).toEqual([]);
    writeFileSync(join(cwd, "policy.yml"), `${lists}  collaborators: {jonas: read}\n  teams: [pilots]\n`);
    const applied = await run(line);
    expect(applied.code, applied.stderr).toBe(0);
  });

  it("does not send a protection whose list would lose who was to get access", async () => {
    const lists = "defaults:\n  branch_protections:\n    rel: {push_whitelist_usernames: [jonas]}\n";
    const repo = await fresh("lost", `${lists}  collaborators: {jonas: write}\n`);
    // Somebody else takes the access away as soon as it is given.
    const taking = await serve(async ({ method, url, body, headers }) => {
      const send = (how: string, sent?: unknown) =>
        fetch(`${box.url}${url}`, {
          method: how,
          headers: { authorization: String(headers["authorization"]), "content-type": "application/json" },
          ...(sent === undefined || sent === "" ? {} : { body: String(sent) }),
        });
      const answer = await send(method, method === "GET" ? undefined : body);
      const text = await answer.text();
      if (method === "PUT" && url.endsWith("/collaborators/jonas")) await send("DELETE");
      return { status: answer.status, ...(text === "" ? {} : { body: JSON.parse(text) }) };
    });
    const env = { TONGS_HOST: taking.url, HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
    box.writes();
    const ran = await box.run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"], { cwd, env });
    await taking.close();
    expect(ran.code, ran.stderr).toBe(11);
    expect(ran.stderr).toContain(`Not users who can write to ${repo}: jonas`);
    expect(box.writes().filter((line) => line.includes("branch_protections"))).toEqual([]);
  });

  it("says one problem of one place of the file once for all repositories, and looks each name up once", async () => {
    const rules = "    v*: {whitelist_usernames: [nobody-here, jonas]}\n    w*: {whitelist_usernames: [nobody-here]}\n";
    const repos = [await fresh("one", ""), await fresh("two", ""), await fresh("three", "")];
    await fresh("four", `defaults:\n  tag_protections:\n${rules}`);
    const asked: string[] = [];
    const passing = await serve(async ({ method, url, headers }) => {
      asked.push(url);
      const answer = await fetch(`${box.url}${url}`, {
        method,
        headers: { authorization: String(headers["authorization"]) },
      });
      return { status: answer.status, body: await answer.json() };
    });
    const env = { TONGS_HOST: passing.url, HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
    const ran = await box.run(["policy", "plan", "policy.yml", "--repo", repos.join(",")], { cwd, env });
    await passing.close();
    expect(ran.code, ran.stderr).toBe(2);
    const absent = "user 'nobody-here' does not exist";
    const lines = ran.stderr.split("\n").filter((line) => line.includes("policy.yml:"));
    expect(lines.map((line) => line.replace(/^\W+/, ""))).toEqual([
      `policy.yml:3:32: ${absent} (tag protection 'v*' in fleet/one and 2 others)`,
      `policy.yml:4:32: ${absent} (tag protection 'w*' in fleet/one and 2 others)`,
    ]);
    expect(asked.filter((url) => url.includes("nobody-here"))).toEqual(["/api/v1/users/nobody-here"]);
    expect(asked.filter((url) => url.endsWith("/users/jonas"))).toHaveLength(1);
  });
});
