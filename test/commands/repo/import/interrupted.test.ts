import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { bundle } from "../../../support/bundle.ts";
import { type AtSource, giteaSource, type SourceServer } from "../../../support/source-servers.ts";
import { emptyFolder, tongs, type World } from "../../../support/tongs.ts";
import { type Faults, type TargetServer, targetServer } from "./target.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const secret = "not-a-real-source-token";
const boats = (count: number): AtSource[] =>
  Array.from({ length: count }, (_, index) => ({ path: `acme/boat-${index}`, archived: index % 10 === 9, issues: 1 }));

async function servers(count: number, faults: Faults = {}): Promise<[SourceServer, TargetServer]> {
  const both = await Promise.all([giteaSource(boats(count)), targetServer(faults)]);
  for (const server of both) closing.push(server.close);
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

it("100 repositories are killed twice and resumed: none is migrated twice or left out", async () => {
  const program = await bundle();
  let onRequest = () => {};
  const [source, target] = await servers(100, { onRequest: () => onRequest() });
  const cwd = emptyFolder();
  const lines: string[] = [];
  const env = { PATH: process.env["PATH"], HOME: cwd, TONGS_CONFIG_DIR: cwd, XDG_STATE_HOME: cwd, ...envOf(target) };
  const once = async (line: readonly string[], killAfter: number | undefined) => {
    const child = spawn(process.execPath, [program, "repo", "import", ...line], {
      cwd,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    lines.push(child.spawnargs.join(" "));
    let stderr = "";
    child.stderr.on("data", (piece: Buffer) => {
      stderr += piece.toString();
    });
    const changed = target.changes.length;
    onRequest = () => {
      if (killAfter !== undefined && target.changes.length - changed >= killAfter) child.kill("SIGKILL");
    };
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    onRequest = () => {};
    return code === null ? "killed" : `${code} ${stderr}`;
  };
  const journal = join(cwd, "repo-import.journal");
  expect(await once([`${source.url}/acme`], 40)).toBe("killed");
  expect(target.repos.size).toBeLessThan(100);
  expect(readFileSync(journal, "utf8")).not.toContain(secret);
  expect(await once([`${source.url}/acme`], undefined)).toContain("tongs repo import --resume");
  expect(await once(["--resume"], 30)).toBe("killed");
  expect(await once(["--resume"], undefined)).toMatch(/^0 /);
  expect(existsSync(journal)).toBe(false);
  expectAll(target, 100);
  expect(lines.join("\n")).not.toContain(secret);
});

it("ends well if every fifth answer is lost, without sending a migration twice", async () => {
  let count = 0;
  const [source, target] = await servers(30, { loses: () => ++count % 5 === 0 });
  const cwd = emptyFolder();
  let ran = await run(target, [`${source.url}/acme`], { cwd });
  for (let runs = 0; ran.code !== 0 && runs < 10; runs += 1) {
    expect([6, 11], ran.stderr).toContain(ran.code);
    const isBegun = existsSync(join(cwd, "repo-import.journal"));
    ran = await run(target, isBegun ? ["--resume"] : [`${source.url}/acme`], { cwd });
  }
  expect(ran.code, ran.stderr).toBe(0);
  expectAll(target, 30);
});

describe("of repo import, an incomplete repository", () => {
  const failing = (name: string) => (one: string) => (one === name ? { status: 500, keeps: true } : undefined);
  const emptied = (name: string) => (one: string, here: { empty?: boolean }) => {
    if (one === name) here.empty = true;
    return failing(name)(one);
  };

  it("is named, and after asking it is removed and imported again", async () => {
    let migrates: Faults["migrates"] = emptied("boat-1");
    const [source, target] = await servers(3, { migrates: (name, here) => migrates?.(name, here) });
    const cwd = emptyFolder();
    const first = await run(target, [`${source.url}/acme`], { cwd });
    expect(first).toMatchObject({ code: 11, stderr: expect.stringContaining("fleet/boat-1 is incomplete") });
    expect(first.stderr).toContain("To try again, with TONGS_SOURCE_TOKEN set, run: tongs repo import --resume");
    migrates = undefined;
    const plan = await run(target, ["--resume", "--plan", "--json", "repository,action"], { cwd });
    expect(plan.json()).toContainEqual({ repository: "fleet/boat-1", action: "finish" });
    const asked = await run(target, ["--resume", "--wait", "0"], { cwd, terminal: true, answers: [false] });
    expect(asked).toMatchObject({
      code: 3,
      asked: [expect.stringContaining("and import again")],
    });
    expect(target.repos.get("boat-1")?.empty).toBe(true);
    expect(await run(target, ["--resume", "--wait", "0"], { cwd })).toMatchObject({ code: 2 });
    const again = await run(target, ["--resume", "--wait", "0", "--yes"], { cwd });
    expect(again.code, again.stderr).toBe(0);
    expect(target.changes).toEqual(["POST boat-0", "POST boat-2", "DELETE boat-1", "POST boat-1"]);
    expect(existsSync(join(cwd, "repo-import.journal"))).toBe(false);
  });

  it("without a journal is found because it is empty, but one that is empty at the source is not", async () => {
    const [source, target] = await servers(0);
    source.repos = [{ path: "acme/full" }, { path: "acme/bare", empty: true }];
    for (const name of ["full", "bare"])
      target.repos.set(name, {
        name,
        empty: true,
        original_url: `${source.url}/acme/${name}.git`,
        created_at: "2020-01-01T00:00:00Z",
      });
    const plan = await run(target, [`${source.url}/acme`, "--plan", "--json", "repository,action"]);
    expect(plan.json()).toEqual([
      { repository: "fleet/full", action: "finish" },
      { repository: "fleet/bare", action: "unchanged" },
    ]);
    const ran = await run(target, [`${source.url}/acme`, "--yes"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(target.changes).toEqual(["DELETE full", "POST full"]);
  });

  it("is waited for while the server copies it, until its issues are there", async () => {
    let reads = 0;
    const [source, target] = await servers(0, {
      onRead: (here) => {
        reads += 1;
        if (reads === 3) here.empty = false;
        if (reads === 6) here.open_issues_count = 4;
      },
      loses: ({ url }) => url.endsWith("/migrate"),
      migrates: (_name, here) => {
        here.empty = true;
        return undefined;
      },
    });
    source.repos = [{ path: "acme/busy", issues: 4 }];
    const ran = await run(target, [`${source.url}/acme`, "--issues"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect([reads, target.changes]).toEqual([6, ["POST busy"]]);
  });

  it("that stays so is pending, and kept if it was finished meanwhile", async () => {
    const [source, target] = await servers(0, {
      loses: ({ url }) => url.endsWith("/migrate"),
      migrates: (_name, here) => {
        here.empty = true;
        return undefined;
      },
    });
    source.repos = [{ path: "acme/slow" }];
    const cwd = emptyFolder();
    const ran = await run(target, [`${source.url}/acme`, "--wait", "9"], { cwd });
    expect(ran).toMatchObject({ code: 8, stderr: expect.stringContaining("fleet/slow is still incomplete after 9 s") });
    const slow = target.repos.get("slow");
    if (slow !== undefined) slow.empty = false;
    const again = await run(target, ["--resume"], { cwd });
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("Finished") });
    expect(target.changes).toEqual(["POST slow"]);
  });
});

describe("repo import", () => {
  it("names the setting of a server that refuses private addresses, and asks it once", async () => {
    const [source, target] = await servers(20, { migrates: () => ({ status: 422, keeps: false }) });
    const ran = await run(target, [`${source.url}/acme`, "--jobs", "1"]);
    expect(ran).toMatchObject({ code: 13, stderr: expect.stringContaining("ALLOW_LOCALNETWORKS = true") });
    expect(target.bodies.length).toBe(1);
    expect(ran.stderr.split("ALLOW_LOCALNETWORKS").length).toBe(2);
  });

  it("keeps what the import began with, and refuses other flags with --resume", async () => {
    const [source, target] = await servers(2, {
      migrates: (name) => (name === "boat-1" ? { status: 500, keeps: false } : undefined),
    });
    const cwd = emptyFolder();
    const line = [`${source.url}/acme`, "--issues", "--lfs"];
    expect(await run(target, line, { cwd })).toMatchObject({ code: 11 });
    expect(await run(target, ["--resume", "--wiki"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--wiki cannot be used with --resume"),
    });
    const [, other] = await servers(0);
    expect(await run(other, ["--resume"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("belongs to"),
    });
    const elsewhere = await run(target, [`${other.url}/acme`, "--resume"], { cwd });
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining("is the journal of an import of") });
    await run(target, ["--resume"], { cwd });
    expect(target.bodies.at(-1)).toMatchObject({ repo_name: "boat-1", issues: true, lfs: true, auth_token: secret });
    expect(target.bodies.at(-1)).not.toHaveProperty("wiki");
  });

  it("that began with a token goes on with one only, and names the file of it", async () => {
    const [source, target] = await servers(2, {
      migrates: (name) => (name === "boat-1" ? { status: 500, keeps: false } : undefined),
    });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "source.token"), `${secret}\n`);
    const env = { TONGS_SOURCE_TOKEN: "" };
    const line = [`${source.url}/acme`, "--auth-token-file", "source.token"];
    const began = await run(target, line, { cwd, env });
    expect(began.stderr).toContain("To try again, run: tongs repo import --resume --auth-token-file source.token\n");
    expect(readFileSync(join(cwd, "repo-import.journal"), "utf8")).not.toContain("source.token");
    const seen = target.seen.length;
    expect(await run(target, ["--resume"], { cwd, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("This import was started with a token for the source"),
    });
    expect([target.seen.length, existsSync(join(cwd, "repo-import.journal"))]).toEqual([seen, true]);
    const resumed = await run(target, ["--resume", "--auth-token-file", "source.token"], { cwd, env });
    expect(resumed.stderr).not.toContain("started with a token");
    expect(target.bodies.at(-1)).toMatchObject({ repo_name: "boat-1", auth_token: secret });
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

  it("says with --list that a repository is empty, and with a journal beside --plan that it was begun", async () => {
    const [, target] = await servers(0, {
      migrates: (_name, here) => {
        here.empty = true;
        return { status: 500, keeps: true };
      },
    });
    const cwd = emptyFolder();
    const address = "https://git.example.org/acme/lamp.git";
    writeFileSync(join(cwd, "list"), address);
    const line = ["--list", "list", "--private"];
    expect(await run(target, line, { cwd })).toMatchObject({ code: 7 });
    const plan = async () => (await run(target, [...line, "--plan", "--json", "action"], { cwd })).json();
    expect(await plan()).toEqual([{ action: "finish" }]);
    const refused = await run(target, line, { cwd });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("left incomplete") });
    rmSync(join(cwd, "repo-import.journal"));
    expect(await plan()).toEqual([{ action: "differs" }]);
    expect((await run(target, line, { cwd })).stderr).toContain("is empty here: to import it again, delete it first");
  });

  it("does not wait for what is not at the source, removes what is left of it, and goes on with the others", async () => {
    const [source, target] = await servers(2, {
      migrates: (name, here) => {
        here.empty = name === "nope";
        return name === "nope" ? { status: 500, keeps: true } : undefined;
      },
      loses: ({ url }) => url.endsWith("/migrate"),
    });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "list"), `${source.url}/acme/nope.git\n${source.url}/acme/boat-0.git\n`);
    const line = ["--list", "list", "--private", "--service", "gitea"];
    const nope = { path: "acme/nope" };
    source.repos = [nope, ...source.repos];
    // It was there at first, and the answer was lost.
    expect(await run(target, [...line, "--wait", "0"], { cwd })).toMatchObject({ code: 11 });
    source.repos = source.repos.filter((repo) => repo !== nope);
    const said = "is not at the source, or not visible to the token for it";
    const plan = await run(target, ["--resume", "--plan", "--json", "action,reason"], { cwd });
    expect(plan.json()).toContainEqual({ action: "finish", reason: `is incomplete: ${said}` });
    expect(await run(target, ["--resume"], { cwd })).toMatchObject({ code: 2 });
    const asked = await run(target, ["--resume"], { cwd, terminal: true, answers: [false] });
    expect(asked).toMatchObject({
      code: 3,
      asked: [expect.stringMatching(/Remove 1 repository on \S+ \(cannot/)],
    });
    expect([...target.repos.keys()]).toEqual(["nope", "boat-0"]);
    const resumed = await run(target, ["--resume", "--yes"], { cwd });
    expect(resumed).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`/acme/nope.git ${said}; fleet/nope was removed`),
    });
    expect(resumed.stderr).not.toContain("Waiting up to");
    expect(resumed.stderr).toContain("Correct or remove its line");
    expect(target.changes).toEqual(["POST boat-0", "DELETE nope"]);
    // Nothing is left to do: the list can be corrected, and the import run again.
    expect(existsSync(join(cwd, "repo-import.journal"))).toBe(false);
    const again = await run(target, line, { cwd });
    expect(again).toMatchObject({ code: 5, stderr: expect.stringContaining(said) });
    expect(target.bodies.map(({ repo_name: name }) => name)).toEqual(["nope", "boat-0"]);
    writeFileSync(join(cwd, "list"), `${source.url}/acme/boat-1.git\n${source.url}/acme/boat-0.git\n`);
    expect(await run(target, line, { cwd })).toMatchObject({ code: 0 });
    expect([...target.repos.keys()]).toEqual(["boat-0", "boat-1"]);
  });

  it("does the others while it waits for what the server may still copy, and asks before both", async () => {
    const [source, target] = await servers(3);
    const lamp = { name: "boat-0", empty: true, created_at: new Date().toISOString() };
    target.repos.set("boat-0", { ...lamp, original_url: `${source.url}/acme/boat-0.git` });
    const line = [`${source.url}/acme`, "--wait", "9"];
    expect(await run(target, line)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes is required") });
    expect(target.changes).toEqual([]);
    const ran = await run(target, [...line, "--jobs", "1", "--yes"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Waiting up to 9 s for fleet/boat-0") });
    expect(target.changes).toEqual(["POST boat-1", "POST boat-2", "DELETE boat-0", "POST boat-0"]);
    expect(ran.stderr).not.toContain("Finished");
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
    expect(ran.stderr).toContain("The server may go on to copy fleet/boat-");
    expect(ran.stderr).toContain("To continue, with TONGS_SOURCE_TOKEN set, run: tongs repo import --resume");
    expect(target.bodies.length).toBeLessThan(10);
    expect(await run(target, ["--resume"], { cwd })).toMatchObject({ code: 0 });
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

it("says what another process imported meanwhile, and does not count it as its own", async () => {
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
    { repository: "fleet/boat-1", action: "unchanged", reason: "was imported by another process" },
  ]);
  expect(ran.stderr).toContain("fleet/boat-1 was imported from");
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
