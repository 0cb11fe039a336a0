import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { giteaSource, githubServer, type SourceServer } from "../../../support/source-servers.ts";
import { emptyFolder, tongs, type World } from "../../../support/tongs.ts";
import { type Faults, type Here, type TargetServer, targetServer } from "./target.ts";

const run = (target: TargetServer, line: readonly string[], world: World = {}) =>
  tongs(["repo", "import", ...line], {
    ...world,
    env: { TONGS_HOST: target.url, TONGS_TOKEN: "not-a-real-token", TONGS_SOURCE_TOKEN: "not-one", ...world.env },
  });

/** All that a repository has: nothing of it is in the records of lists, as all is closed. */
const full = {
  branches: 2,
  tags: 3,
  labels: 4,
  milestones: 1,
  releases: 1,
  issues: 3,
  pulls: 2,
  "issues/comments": 4,
  "pulls/2/reviews": 1,
  "review comments": 2,
};

/** A migration whose answer is lost, and that leaves `has` behind; each later one is whole. */
function cutOff(has: Here["has"], more: Faults = {}): Faults {
  let sent = 0;
  return {
    ...more,
    loses: ({ url }) => url.endsWith("/migrate") && sent === 1,
    migrates: (_name, here) => {
      sent += 1;
      here.has = sent === 1 ? (has ?? {}) : full;
      return undefined;
    },
  };
}

describe.each(["SOURCE", "--list"])("repo import of %s, cut off without an answer", (from) => {
  const lineOf = (source: SourceServer, cwd: string) => {
    if (from === "SOURCE") return [`${source.url}/acme`, "--all-items"];
    writeFileSync(join(cwd, "list"), `${source.url}/acme/lamp.git\n`);
    return ["--list", "list", "--no-private", "--service", "gitea", "--all-items"];
  };
  const start = async (has: Here["has"]) => {
    const source = await giteaSource([{ path: "acme/lamp", has: full }]);
    const target = await targetServer(cutOff(has));
    const cwd = emptyFolder();
    const began = await run(target, [...lineOf(source, cwd), "--wait", "0"], { cwd });
    return { source, target, cwd, began };
  };

  it.each(Object.keys(full))("is unknown if some of %s are missing, with the command that deletes it", async (key) => {
    const { source, target, cwd, began } = await start({ ...full, [key]: full[key as keyof typeof full] - 1 });
    const said = /fleet\/lamp is not known to be complete: has \d of \d [a-z ]+/;
    expect(began).toMatchObject({ code: 11, stderr: expect.stringMatching(said) });
    expect(began.stderr.replace(/\s+/g, " ")).toContain("run the same command again: tongs repo delete fleet/lamp");
    expect(began.stderr).not.toContain("Imported");
    // Nor does the next run say that it is complete, or delete it.
    const again = await run(target, [...lineOf(source, cwd), "--wait", "60", "--yes", "--json", "action"], { cwd });
    expect([again.code, again.json()]).toEqual([11, [{ action: "unknown" }]]);
    expect(target.changes).toEqual(["POST lamp"]);
    target.repos.delete("lamp");
    expect(await run(target, lineOf(source, cwd), { cwd })).toMatchObject({ code: 0 });
  });

  it("is finished if everything is there", async () => {
    const { target, began } = await start(full);
    expect(began).toMatchObject({ code: 0, stderr: expect.stringContaining("Imported") });
    expect(target.changes).toEqual(["POST lamp"]);
  });

  it("is not compared when it is old", async () => {
    const { source, target, cwd } = await start({});
    Object.assign(target.repos.get("lamp") ?? {}, { created_at: "2020-01-01T00:00:00Z" });
    const plan = await run(target, [...lineOf(source, cwd), "--plan", "--json", "action,reason"], { cwd });
    const reason = expect.stringMatching(/not compared: branches, tags, .*issues, .*comments, labels, milestones/);
    expect(plan.json()).toEqual([{ action: "unchanged", reason }]);
  });
});

it("does not wait for reviews that request changes or comment, which are copied as pending ones", async () => {
  const states = ["APPROVED", "REQUEST_CHANGES", "COMMENT"];
  const body = states.map((state, index) => ({ id: index + 1, state }));
  const source = await giteaSource([{ path: "acme/lamp", has: full }], {
    instead: ({ url }) => (url.includes("/pulls/2/reviews") ? { body, headers: { "x-total-count": "3" } } : undefined),
  });
  const target = await targetServer(cutOff(full));
  const ran = await run(target, [`${source.url}/acme`, "--all-items", "--wait", "0"], { cwd: emptyFolder() });
  expect(ran.code, ran.stderr).toBe(0);
});

it("goes on to wait for a copy that has everything, but whose record does not count its issues yet", async () => {
  const source = await giteaSource([{ path: "acme/lamp", has: full, issues: 1 }]);
  const target = await targetServer(cutOff(full));
  const cwd = emptyFolder();
  const began = await run(target, [`${source.url}/acme`, "--all-items", "--wait", "0"], { cwd });
  expect(began).toMatchObject({ code: 11, stderr: expect.stringContaining("has 0 of 1 open issues") });
  const lamp = target.repos.get("lamp");
  if (lamp !== undefined) lamp.open_issues_count = 1;
  expect(await run(target, [`${source.url}/acme`, "--all-items"], { cwd })).toMatchObject({ code: 0 });
  expect(target.changes).toEqual(["POST lamp"]);
});

it("counts the comments of issues alone by their records, as the list has those of pull requests, too", async () => {
  const source = await giteaSource([{ path: "acme/lamp", has: { ...full, "comments of issues": 3 } }]);
  for (const [comments, code] of [
    [3, 0],
    [2, 11],
  ] as const) {
    const target = await targetServer(cutOff({ ...full, "comments of issues": comments }));
    const cwd = emptyFolder();
    const began = await run(target, [`${source.url}/acme`, "--issues", "--wait", "0"], { cwd });
    expect(began.code, began.stderr).toBe(code);
    const plan = await run(target, [`${source.url}/acme`, "--issues", "--plan", "--json", "reason"], { cwd });
    const reason = expect.stringContaining(code === 0 ? "was imported before" : "has 2 of 3 issue comments");
    expect(plan.json()).toEqual([{ reason }]);
  }
});

it("does not know of what GitHub does not count, and takes git content for whole when it is there", async () => {
  const source = await githubServer([{ path: "acme/lamp" }]);
  for (const [items, code] of [
    [["--all-items"], 11],
    [[], 0],
  ] as const) {
    const target = await targetServer(cutOff({}));
    const line = [`${source.url}/acme`, "--service", "github", ...items];
    expect(await run(target, line, { cwd: emptyFolder() })).toMatchObject({ code });
    expect(target.changes).toEqual(["POST lamp"]);
  }
});

describe("repo import of what the server answered with a failure", () => {
  it("does not wait for it, leaves what is there, and names the command that deletes it", async () => {
    const migrates = (_name: string, here: Here) => {
      Object.assign(here, { empty: true, created_at: "2020-01-01T00:00:00Z" });
      return { status: 500, keeps: true };
    };
    const source = await giteaSource([{ path: "acme/lamp" }]);
    const target = await targetServer({ migrates });
    for (let runs = 0; runs < 2; runs += 1) {
      const ran = await run(target, [`${source.url}/acme`, "--yes"], { cwd: emptyFolder() });
      expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("tongs repo delete fleet/lamp") });
    }
    expect(target.changes).toEqual([]);
  });

  it("says who can remove the files of a repository that was half deleted", async () => {
    const source = await giteaSource([{ path: "acme/lamp" }]);
    const target = await targetServer({ migrates: () => ({ status: 409, keeps: false }) });
    const ran = await run(target, [`${source.url}/acme`], { cwd: emptyFolder() });
    expect(ran.stderr).toContain(
      "An administrator of the server can delete them: tongs admin unadopted delete fleet/lamp",
    );
  });

  it("stops when the server cannot be reached any more", async () => {
    const source = await giteaSource(Array.from({ length: 20 }, (_, index) => ({ path: `acme/boat-${index}` })));
    const target: TargetServer = await targetServer({
      loses: ({ url }) => {
        if (!url.endsWith("/migrate") || target.changes.length < 4) return false;
        void target.close();
        return true;
      },
    });
    const ran = await run(target, [`${source.url}/acme`, "--jobs", "1", "--json", "action"], { cwd: emptyFolder() });
    expect(ran.code).toBe(11);
    expect(ran.stderr.split("not tried: ").length).toBe(17);
    const actions = (ran.json() as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action === "failed")).toHaveLength(17);
  });
});

describe("repo import of what was renamed or transferred at the source", () => {
  it("names it in the plan, imports and archives nothing, and fails nowhere", async () => {
    const moved = { "acme/app1": "acme/renamed1", "acme/app2": "other/app2" };
    const source = await giteaSource([{ path: "acme/app0" }], { moved });
    const target = await targetServer();
    const cwd = emptyFolder();
    source.repos = ["app0", "app1", "app2", "app3"].map((name) => ({ path: `acme/${name}` }));
    expect(await run(target, [`${source.url}/acme`], { cwd })).toMatchObject({ code: 0 });
    source.repos = [{ path: "acme/app0" }, { path: "acme/renamed1" }, { path: "other/app2" }];
    target.changes.splice(0);
    const line = [`${source.url}/acme`, "--prune"];
    const plan = await run(target, [...line, "--plan", "--json", "repository,action"], { cwd });
    expect(plan.json()).toEqual([
      { repository: "fleet/app0", action: "unchanged" },
      { repository: "fleet/app1", action: "moved" },
      { repository: "fleet/app2", action: "moved" },
      { repository: "fleet/app3", action: "archive" },
    ]);
    const ran = await run(target, [...line, "--yes"], { cwd });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`to ${source.url}/acme/renamed1.git`) });
    expect(target.changes).toEqual(["PATCH app3"]);
    expect(await run(target, [...line, "--yes"], { cwd })).toMatchObject({ code: 0 });
  });

  it("does not archive what is now where the token does not see it", async () => {
    const moved = { "acme/app1": "hidden/app1", "acme/app2": "acme/secret" };
    const source = await giteaSource([{ path: "acme/app0" }], { moved });
    const target = await targetServer();
    for (const name of ["app0", "app1", "app2", "app3"])
      target.repos.set(name, { name, original_url: `${source.url}/acme/${name}.git` });
    const prune = (owner: string) => [`${source.url}/${owner}`, "--prune"];
    const plan = await run(target, [...prune("acme"), "--plan", "--json", "repository,action,reason"]);
    const hidden = (at: string) =>
      `was renamed or transferred at the source, to ${source.url}/${at}.git, and is not visible to the token for the source`;
    expect(plan.json()).toEqual([
      { repository: "fleet/app0", action: "unchanged", reason: "was imported before; not compared: branches, tags" },
      { repository: "fleet/app1", action: "moved", reason: hidden("hidden/app1") },
      { repository: "fleet/app2", action: "moved", reason: hidden("acme/secret") },
      { repository: "fleet/app3", action: "archive", reason: "is not at the source any more" },
    ]);
    const ran = await run(target, [...prune("acme"), "--yes"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Elsewhere at the source: fleet/app1 (") });
    expect(target.changes).toEqual(["PATCH app3"]);
  });

  it("imports no second copy of what has another name now, whatever the filters cover", async () => {
    const moved = { "acme/app1": "acme/new1", "acme/app4": "acme/new4" };
    const paths = ["acme/new1", "acme/new4", "acme/bell"];
    const source = await giteaSource(
      paths.map((path) => ({ path })),
      { moved },
    );
    const target = await targetServer();
    for (const from of ["acme/app1", "acme/app4", "old/bell"]) {
      const name = from.split("/").at(-1) ?? "";
      target.repos.set(name, { name, original_url: `${source.url}/${from}.git`, archived: name === "app4" });
    }
    const planned = async (...filters: string[]) =>
      (await run(target, [`${source.url}/acme`, ...filters, "--plan", "--json", "source,action,reason"])).json();
    const row = (from: string, to: string) => ({
      source: `${source.url}/${from}.git`,
      action: "moved",
      reason: `was renamed or transferred at the source, to ${source.url}/${to}.git`,
    });
    expect(await planned("--include", "new*")).toEqual([row("acme/app1", "acme/new1"), row("acme/app4", "acme/new4")]);
    const reason = `fleet/bell exists, and is from ${source.url}/old/bell.git`;
    expect(await planned("--include", "bell")).toMatchObject([{ action: "conflict", reason }]);
  });
});

describe("repo import", () => {
  it.each([["--plan"], ["--yes"]])(
    "asks before the first write whether the token may read issues: %s",
    async (more) => {
      const source = await giteaSource([{ path: "acme/lamp" }], {
        instead: ({ url }) =>
          url.includes("/issues") ? { status: 403, body: { message: "token does not have the scope" } } : undefined,
      });
      const target = await targetServer();
      const ran = await run(target, [`${source.url}/acme`, "--all-items", more], { cwd: emptyFolder() });
      expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("read:issue") });
      expect(target.bodies).toEqual([]);
      expect(await run(target, [`${source.url}/acme`, more], { cwd: emptyFolder() })).toMatchObject({ code: 0 });
    },
  );

  it("names an address that a list has twice, and a mirror that is none at the next run", async () => {
    const source = await giteaSource([{ path: "acme/lamp" }]);
    const target = await targetServer();
    const address = `${source.url}/acme/lamp.git`;
    const twice = await run(target, ["--list", "-", "--private", "--plan"], { stdin: `${address}\n${address}\n` });
    expect(twice.stdout).toContain("is listed twice");
    const cwd = emptyFolder();
    await run(target, [`${source.url}/acme`, "--mirror"], { cwd });
    const plan = await run(target, [`${source.url}/acme`, "--plan", "--json", "reason"], { cwd });
    expect(plan.json()).toEqual([{ reason: "is a mirror here" }]);
    const lamp = target.repos.get("lamp");
    if (lamp !== undefined) lamp.mirror = false;
    const other = await run(target, [`${source.url}/acme`, "--mirror", "--plan", "--json", "reason"], { cwd });
    expect(other.json()).toEqual([{ reason: "is no mirror here" }]);
  });
});
