import { describe, expect, it } from "vitest";
import { killedAtEachRequest } from "../../../support/killed.ts";
import { type AtSource, giteaSource, type SourceServer } from "../../../support/source-servers.ts";
import { emptyFolder, tongs, type World } from "../../../support/tongs.ts";
import { type Faults, type TargetServer, targetServer } from "./target.ts";

const secret = "not-a-real-source-token";
const boats = (count: number): AtSource[] =>
  Array.from({ length: count }, (_, index) => ({ path: `acme/boat-${index}`, archived: index % 10 === 9, issues: 1 }));

async function servers(count: number, faults: Faults = {}): Promise<[SourceServer, TargetServer]> {
  const both = await Promise.all([giteaSource(boats(count)), targetServer(faults)]);
  return both;
}

const envOf = (target: TargetServer) => ({
  TONGS_HOST: target.url,
  TONGS_TOKEN: "not-a-real-token",
  TONGS_SOURCE_TOKEN: secret,
});
const run = (target: TargetServer, line: readonly string[], world: World = {}) =>
  tongs(["repo", "import", ...line], { ...world, env: { ...envOf(target), ...world.env } });

/** Each repository was migrated once, and archived if it is at the source. */
function expectAll(target: TargetServer, count: number): void {
  expect(target.repos.size).toBe(count);
  expect([...target.repos.values()].filter(({ archived }) => archived === true).length).toBe(Math.floor(count / 10));
  const made = target.changes.filter((one) => one.startsWith("POST "));
  expect(new Set(made).size).toBe(made.length);
  expect(made.length).toBe(count);
  expect(target.changes.filter((one) => one.startsWith("DELETE "))).toEqual([]);
}

it("is resumed by the same line wherever it was killed: nothing is migrated twice, left out or deleted", async () => {
  const source = await giteaSource(boats(2));
  const line = ["repo", "import", `${source.url}/acme`, "--jobs", "1", "--yes"];
  const kills = await killedAtEachRequest(line, async () => {
    const target = await targetServer({
      migrates: (_name, here) => {
        here.open_issues_count = 1;
        return undefined;
      },
    });
    return { ...target, world: { env: { TONGS_SOURCE_TOKEN: secret } }, holds: () => expectAll(target, 2) };
  });
  expect(kills).toBeGreaterThan(3);
});

it("ends well if every fifth answer is lost, without sending a migration twice", async () => {
  let count = 0;
  const [source, target] = await servers(30, { loses: () => ++count % 5 === 0 });
  const cwd = emptyFolder();
  let ran = await run(target, [`${source.url}/acme`], { cwd });
  for (let runs = 0; ran.code !== 0 && runs < 10; runs += 1) {
    expect([6, 11], ran.stderr).toContain(ran.code);
    ran = await run(target, [`${source.url}/acme`], { cwd });
  }
  expect(ran.code, ran.stderr).toBe(0);
  expectAll(target, 30);
});

describe("of repo import, a copy that the server may still be making", () => {
  const busy = (_name: string, here: { empty?: boolean }) => {
    here.empty = true;
    return undefined;
  };

  it("is waited for until its issues are there", async () => {
    let reads = 0;
    const [source, target] = await servers(0, {
      onRead: (here) => {
        reads += 1;
        if (reads === 3) here.empty = false;
        if (reads === 6) here.open_issues_count = 4;
      },
      loses: ({ url }) => url.endsWith("/migrate"),
      migrates: busy,
    });
    source.repos = [{ path: "acme/busy", issues: 4 }];
    const ran = await run(target, [`${source.url}/acme`, "--issues"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect([reads, target.changes]).toEqual([6, ["POST busy"]]);
  });

  it("is unknown after --wait, and imported when it is complete at the next run", async () => {
    const [source, target] = await servers(0, { loses: ({ url }) => url.endsWith("/migrate"), migrates: busy });
    source.repos = [{ path: "acme/slow" }];
    const line = [`${source.url}/acme`, "--wait", "9", "--json", "action"];
    const ran = await run(target, line);
    expect([ran.code, ran.json()]).toEqual([11, [{ action: "unknown" }]]);
    const again = await run(target, line);
    expect([again.code, again.json()]).toEqual([11, [{ action: "unknown" }]]);
    Object.assign(target.repos.get("slow") ?? {}, { empty: false });
    const last = await run(target, [`${source.url}/acme`, "--plan", "--json", "action"]);
    expect(last.json()).toEqual([{ action: "unchanged" }]);
    expect(target.changes).toEqual(["POST slow"]);
  });
});

describe("repo import", () => {
  it("names the setting of a server that refuses private addresses, and asks it once", async () => {
    let message = "Remote visit addressed rate limitation.";
    const [source, target] = await servers(20, { migrates: () => ({ status: 422, keeps: false, message }) });
    const other = await run(target, [`${source.url}/acme`]);
    expect([other.stderr.includes("ALLOW_LOCALNETWORKS"), target.bodies.splice(0).length]).toEqual([false, 20]);
    message = "You can not import from disallowed hosts.";
    const ran = await run(target, [`${source.url}/acme`, "--jobs", "1"]);
    expect(ran).toMatchObject({ code: 13, stderr: expect.stringContaining("ALLOW_LOCALNETWORKS = true") });
    expect(target.bodies.length).toBe(1);
    expect(ran.stderr.split("ALLOW_LOCALNETWORKS").length).toBe(2);
  });

  it("names what differs from the source, and leaves it as it is", async () => {
    const [source, target] = await servers(0);
    source.repos = [
      { path: "acme/many", issues: 250 },
      { path: "acme/hid", visibility: "private", archived: true, description: "Hidden" },
    ];
    for (const name of ["many", "hid"])
      target.repos.set(name, { name, original_url: `${source.url}/acme/${name}.git` });
    const line = [`${source.url}/acme`, "--all-items"];
    const plan = await run(target, [...line, "--plan", "--json", "action,reason"]);
    expect(plan.json()).toEqual([
      { action: "differs", reason: "has 0 of 250 open issues" },
      { action: "differs", reason: "is public here; is not archived here; has another description here" },
    ]);
    const ran = await run(target, line);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("fleet/many (has 0 of 250 open issues)") });
    expect(target.changes).toEqual([]);
  });

  it("has conflicts and failures among its records", async () => {
    const [source, target] = await servers(3, {
      migrates: (name) => (name === "boat-1" ? { status: 500, keeps: false } : undefined),
    });
    target.repos.set("boat-2", { name: "boat-2" });
    const ran = await run(target, [`${source.url}/acme`, "--json", "repository,action,reason"]);
    expect(ran.code).toBe(11);
    expect(ran.json()).toEqual([
      { repository: "fleet/boat-0", action: "imported", reason: null },
      { repository: "fleet/boat-1", action: "failed", reason: expect.stringContaining("500") },
      { repository: "fleet/boat-2", action: "conflict", reason: expect.stringContaining("exists") },
    ]);
  });

  it("says after Ctrl-C what the server may go on to copy, starts nothing more, and how to continue", async () => {
    const stop = new AbortController();
    const [source, target] = await servers(20, {
      onRequest: ({ url }) => {
        if (url.endsWith("/migrate") && target.bodies.length === 5) stop.abort(new Error("stopped"));
      },
    });
    const cwd = emptyFolder();
    const ran = await run(target, [`${source.url}/acme`, "--jobs", "2"], { cwd, signal: stop.signal });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain("The server may continue to copy fleet/boat-");
    expect(ran.stderr).toContain("To continue, run the same command again.");
    expect(target.bodies.length).toBeLessThan(10);
    expect(await run(target, [`${source.url}/acme`], { cwd })).toMatchObject({ code: 0 });
    expectAll(target, 20);
  });

  it("makes mirrors, which it does not archive", async () => {
    const [source, target] = await servers(10);
    const ran = await run(target, [`${source.url}/acme`, "--mirror", "--mirror-interval", "8h", "--wiki"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(target.bodies[0]).toMatchObject({ mirror: true, mirror_interval: "8h", wiki: true });
    expect(target.changes.filter((one) => one.startsWith("PATCH"))).toEqual([]);
    expect(ran.stderr).toContain("servers archive no mirrors");
  });

  it("asks for no items that fail at the source", async () => {
    const [source, target] = await servers(0);
    source.repos = [{ path: "acme/bare", empty: true }];
    await run(target, [`${source.url}/acme`, "--all-items"]);
    expect(target.bodies[0]).toMatchObject({ issues: true, releases: true });
    expect(target.bodies[0]).not.toHaveProperty("pull_requests");
  });
});

it("takes what another process imported in the meantime for imported if it compares as complete", async () => {
  const [source, target] = await servers(2, {
    onRequest({ url, body }) {
      if (!url.endsWith("/repos/migrate")) return;
      const { repo_name: name, clone_addr: original_url } = JSON.parse(body) as Record<string, string>;
      if (name === "boat-1") target.repos.set(name, { name, original_url: original_url ?? "", open_issues_count: 1 });
    },
  });
  const ran = await run(target, [`${source.url}/acme`, "--json", "repository,action,reason"], { cwd: emptyFolder() });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.json()).toEqual([
    { repository: "fleet/boat-0", action: "imported", reason: null },
    { repository: "fleet/boat-1", action: "imported", reason: null },
  ]);
});

it("says what is not compared, and of an address that may be another name of the same server", async () => {
  const [source, target] = await servers(1);
  const cwd = emptyFolder();
  const line = [`${source.url}/acme`, "--wiki", "--lfs"];
  expect((await run(target, line, { cwd })).stderr).not.toContain("compared");
  const said = "Not compared, of what was imported before: branches, tags, wikis, LFS files.";
  for (const more of [[], ["--plan"]]) expect((await run(target, [...line, ...more], { cwd })).stderr).toContain(said);
  const local = await run(target, [`${source.url.replace("127.0.0.1", "localhost")}/acme`, "--plan"], { cwd });
  expect(local.stdout).toContain("boat-0.git: if that is the same server, pass that address");
});
