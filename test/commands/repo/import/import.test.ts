import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../../src/sandbox/release.ts";
import { emptyFolder } from "../../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../../on-sandbox.ts";

/** All text in the files of a folder. */
function contentsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"))
    .join("\n");
}

describe.each(["gitea", "forgejo"])("repo import from one sandbox to another, as %s", (as) => {
  let source: OnSandbox;
  let target: OnSandbox;
  const cwd = emptyFolder();
  const line = () => ["repo", "import", `${source.url}/acme`, "--repo-owner", "tidewater"];
  const run = (more: readonly string[] = []) =>
    target.run([...line(), ...more], {
      cwd,
      env: { TONGS_SOURCE_TOKEN: source.token("harbormaster"), XDG_STATE_HOME: cwd, TONGS_JOURNAL: "on" },
    });
  const create = (name: string, more: object = {}) =>
    source.ask("POST", "/orgs/acme/repos", "harbormaster", { name, auto_init: true, ...more });

  beforeAll(async () => {
    const release = parseRelease(as);
    [source, target] = await Promise.all([onSandbox({ release }), onSandbox({ release })]);
    await source.ask("POST", "/orgs", "harbormaster", { username: "acme" });
    await target.ask("POST", "/orgs", "harbormaster", { username: "tidewater" });
    await create("lamp", { description: "A lamp" });
    await create("bell", { private: true });
    await create("quiet", { auto_init: false });
    await create("old");
    await source.ask("PATCH", "/repos/acme/old", "harbormaster", { archived: true });
    target.writes();
  });
  afterAll(() => Promise.all([source.close(), target.close()]));

  it("shows the plan and changes nothing, nor with --dry-run, which masks the token", async () => {
    const plan = await run(["--plan"]);
    expect(plan).toMatchObject({ code: 0, stderr: "Plan: 4 changes; nothing was changed.\n" });
    expect(plan.stdout).toContain(`import\t${source.url}/acme/bell.git\ttidewater/bell\t`);
    const dry = await run(["--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('"auth_token": "***"') });
    expect(target.writes()).toEqual([]);
  });

  it("copies commits, and keeps visibility, description and being archived", async () => {
    const ran = await run(["--json", "repository,action,private,archived", "--debug"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json()).toEqual([
      { repository: "tidewater/lamp", action: "imported", private: false, archived: false },
      { repository: "tidewater/bell", action: "imported", private: true, archived: false },
      { repository: "tidewater/quiet", action: "imported", private: false, archived: false },
      { repository: "tidewater/old", action: "imported", private: false, archived: true },
    ]);
    for (const name of ["lamp", "bell", "old"]) {
      const at = async (sandbox: OnSandbox, owner: string) =>
        ((await sandbox.ask("GET", `/repos/${owner}/${name}/commits`, "harbormaster")).body as { sha: string }[])[0]
          ?.sha;
      expect(await at(target, "tidewater")).toBe(await at(source, "acme"));
    }
    const { body } = await target.ask("GET", "/repos/tidewater/lamp", "harbormaster");
    expect(body).toMatchObject({ description: "A lamp", original_url: `${source.url}/acme/lamp.git` });
    expect((await target.ask("GET", "/repos/tidewater/old", "harbormaster")).body).toMatchObject({ archived: true });
    // Neither the debug log, nor the journal of writes, nor anything else has the token.
    expect(ran.stderr + ran.stdout + contentsOf(cwd)).not.toContain(source.token("harbormaster"));
    expect(contentsOf(cwd)).toContain("/repos/migrate");
  });

  it("imports only what is new, names conflicts, and leaves them alone", async () => {
    const again = await run();
    expect(again).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Nothing to import: 4 unchanged\n"),
    });
    await create("rope");
    await create("sail");
    await target.ask("POST", "/orgs/tidewater/repos", "harbormaster", { name: "Sail" });
    target.writes();
    const ran = await run();
    expect(ran).toMatchObject({ code: 11, stdout: `${target.url}/tidewater/rope\n` });
    expect(ran.stderr).toContain("tidewater/Sail exists, and was not imported from there");
    expect(target.writes()).toEqual(["POST /repos/migrate"]);
    expect(await run()).toMatchObject({ code: 9, stderr: expect.stringContaining("tidewater/Sail exists") });
  });

  it("names what vanished, and archives it with --prune after asking", async () => {
    await source.ask("DELETE", "/repos/acme/rope", "harbormaster");
    await source.ask("DELETE", "/repos/acme/sail", "harbormaster");
    const named = await run();
    expect(named.stderr).toContain("Not at the source any more: tidewater/rope. --prune archives them.");
    // Without a token, the source does not list what is private: whether something was deleted cannot be known.
    const open = await target.run([...line(), "--prune", "--plan", "--json", "repository,action"], { cwd });
    for (const name of ["rope", "bell"])
      expect(open.json()).toContainEqual({ repository: `tidewater/${name}`, action: "unseen" });
    target.writes();
    const unasked = await run(["--prune"]);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(target.writes()).toEqual([]);
    const ran = await run(["--prune", "--yes", "--json", "repository,action"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json()).toContainEqual({ repository: "tidewater/rope", action: "archived" });
    expect(target.writes()).toEqual(["PATCH /repos/tidewater/rope"]);
    expect((await target.ask("GET", "/repos/tidewater/rope", "harbormaster")).body).toMatchObject({ archived: true });
    expect((await run(["--prune", "--yes"])).stderr).toContain("Nothing to import");
  });

  it("takes nothing for deleted that it may not see, nor an owner that is hidden for an empty one", async () => {
    await source.ask("POST", "/orgs", "harbormaster", { username: "globex", visibility: "limited" });
    await source.ask("POST", "/orgs/globex/repos", "harbormaster", { name: "pump", auto_init: true });
    await target.ask("POST", "/orgs", "harbormaster", { username: "seaside" });
    const prune = (token: string | undefined, ...more: string[]) =>
      target.run(["repo", "import", `${source.url}/globex`, "--repo-owner", "seaside", ...more], {
        cwd,
        ...(token === undefined ? {} : { env: { TONGS_SOURCE_TOKEN: token } }),
      });
    const mine = source.token("harbormaster");
    expect((await prune(mine)).code).toBe(0);
    for (const more of [["--plan"], ["--prune", "--yes"]])
      expect(await prune(undefined, ...more)).toMatchObject({
        code: 5,
        stderr: expect.stringContaining("no user, organization or group 'globex'"),
      });
    // mara sees the organization, but not what is private there.
    await source.ask("PATCH", "/repos/globex/pump", "harbormaster", { private: true });
    target.writes();
    const some = await prune(source.token("mara"), "--prune", "--yes");
    expect(some).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Not visible to the token for the source: "),
    });
    const open = await prune(undefined, "--prune", "--yes");
    expect(open.code).toBe(5);
    expect(target.writes()).toEqual([]);
    const differing = await prune(mine, "--plan", "--json", "action,reason");
    expect(differing.json()).toEqual([{ action: "differs", reason: "is public here" }]);
  });

  it("archives with --prune only what the filters cover", async () => {
    const plan = async (...more: string[]) =>
      (await run(["--prune", "--plan", "--json", "repository,action", ...more])).json() as object[];
    await create("gone");
    expect((await run(["--include", "gone"])).code).toBe(0);
    await source.ask("DELETE", "/repos/acme/gone", "harbormaster");
    const gone = (action: string) => ({ repository: "tidewater/gone", action });
    expect(await plan("--include", "acme/go*")).toContainEqual(gone("archive"));
    expect(await plan("--include", "other")).toEqual([]);
    expect(await plan("--exclude", "go*")).not.toContainEqual(gone("archive"));
    // Whether it was a fork is not known.
    expect(await plan("--no-fork")).toContainEqual(gone("vanished"));
    await target.ask("DELETE", "/repos/tidewater/gone", "harbormaster");
  });

  it("foresees that the caller may not create repositories of the owner", async () => {
    await target.ask("POST", "/orgs", "harbormaster", { username: "closed" });
    for (const [owner, why] of [
      ["closed", "mara cannot create repositories in the organization closed"],
      ["harbormaster", "mara cannot create repositories for another user, harbormaster"],
    ] as const) {
      const words = ["repo", "import", `${source.url}/acme`, "--repo-owner", owner, "--plan"];
      const env = { TONGS_HOST: target.url, TONGS_TOKEN: target.token("mara") };
      expect(await target.run(words, { cwd, env })).toMatchObject({ code: 4, stderr: expect.stringContaining(why) });
    }
  });

  it("selects by patterns, visibility, forks and archived ones", async () => {
    const names = async (...more: string[]) =>
      ((await run([...more, "--plan", "--json", "repository"])).json() as { repository: string }[])
        .map(({ repository }) => repository.replace("tidewater/", ""))
        .filter((name) => name !== "rope");
    expect(await names("--include", "L*", "--include", "acme/qu?et")).toEqual(["lamp", "quiet"]);
    expect(await names("--exclude", "{lamp,old}")).toEqual(["bell", "quiet"]);
    expect(await names("--visibility", "private")).toEqual(["bell"]);
    expect(await names("--archived")).toEqual(["old"]);
    expect(await names("--no-archived", "--no-fork")).toEqual(["lamp", "bell", "quiet"]);
    expect(await names("--fork")).toEqual([]);
  });

  it("acts as another user with --sudo", async () => {
    const ran = await run(["--sudo", "mara", "--include", "nothing"]);
    expect(ran.code, ran.stderr).toBe(0);
  });
});
