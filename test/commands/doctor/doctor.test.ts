import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Profile } from "../../../src/profiles/profile.ts";
import { openProfiles, type Profiles } from "../../../src/profiles/profiles.ts";
import type { TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { forgejo, gitea } from "../auth/forges.ts";

const token = "not-a-secret-0123456789";
const now = new Date("2026-11-21T10:00:00Z");
const date = now.toUTCString();

let profiles: Profiles;
let server: TestServer | undefined;
beforeEach(() => {
  profiles = openProfiles({ TONGS_CONFIG_DIR: join(emptyFolder(), "tongs") });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function signedIn(more: Partial<Profile> = {}, host = server?.url ?? ""): Promise<void> {
  await profiles.update(() => ({ default: "work", profiles: { work: { host, user: "mara", ...more } } }));
  await profiles.credentials.set("work", token);
}

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly state: string;
    readonly found: string;
    readonly mend: string;
  }[];
}

/** Runs the doctor and returns the exit code, the record and what it found, by check. */
async function examined(world: World = {}) {
  const env = { TONGS_CONFIG_DIR: profiles.folder, ...world.env };
  const ran = await tongs(["doctor", "--json"], { now, ...world, env });
  const report = ran.json() as Report;
  const found = (check: string) => report.checks.filter((one) => one.check === check);
  return { ...ran, report, found, wrong: report.checks.filter(({ state }) => state === "problem") };
}

describe("the doctor", () => {
  it("finds nothing wrong where nothing is: kind and version, who, scopes, clock, git, proxy, why this server", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    await signedIn();
    const { code, report, stderr } = await examined();
    expect([code, stderr]).toEqual([0, ""]);
    expect(report).toMatchObject({
      ...{ ok: true, config_dir: profiles.folder, profile: "work", host: server.url, because: "the default profile" },
      ...{ server: { kind: "Gitea", version: "1.27.1" }, user: "mara", scopes: ["all"], clock_skew: 0 },
      offers: ["workflows", "runs", "artifacts", "badges"],
    });
    const checks = report.checks.map(({ check, state }) => `${check}: ${state}`);
    expect(checks).toEqual([
      ...["configuration: ok", "server in force: ok", "proxy: ok", "git: ok", "reachable: ok", "clock: ok"],
      ...["signed in: ok", "scopes: ok", "offers: ok"],
    ]);
  });

  it("knows a Forgejo, and what it lacks", async () => {
    server = await forgejo({ tokens: { [token]: "mara" }, date });
    await signedIn();
    const { code, report, found } = await examined();
    expect(code).toBe(0);
    expect(report).toMatchObject({
      server: { kind: "Forgejo", version: "10.0.0+gitea-1.22.0" },
      scopes: null,
      offers: [],
    });
    expect(found("scopes")).toMatchObject([{ state: "note", found: expect.stringContaining("does not tell") }]);
  });

  it("says that nothing is stored yet", async () => {
    const { code, wrong } = await examined();
    expect(code).toBe(1);
    expect(wrong).toMatchObject([
      {
        check: "server in force",
        found: "Not signed in to any server",
        mend: expect.stringContaining("tongs auth login"),
      },
    ]);
    expect(existsSync(profiles.folder)).toBe(false);
  });

  it("tells a refused token from a silent server", async () => {
    server = await gitea({ date });
    await signedIn();
    const refused = await examined();
    expect(refused.code).toBe(1);
    expect(refused.wrong).toMatchObject([{ check: "signed in", mend: `tongs auth login --host ${server.url}` }]);
    expect(refused.found("reachable")).toMatchObject([{ state: "ok", found: "Gitea 1.27.1" }]);
    expect(refused.stdout).not.toContain(token);
    await server.close();
    const silent = await examined();
    expect(silent.wrong).toMatchObject([{ check: "reachable", found: expect.stringContaining("ECONNREFUSED") }]);
  });

  it("says which right of the token is missing, and that it is no fault", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, scopes: { [token]: ["read:repository", "write:user"] }, date });
    await signedIn();
    const { code, found } = await examined();
    expect(code).toBe(0);
    expect(found("scopes")).toMatchObject([
      { state: "note", found: "read:repository, write:user; lacks write:repository, write:issue" },
    ]);
  });

  it.each([
    ["2026-11-21T09:59:01Z", 0, "within 59 s of the server's"],
    ["2026-11-21T10:10:00Z", 1, "This machine's clock is 10 min ahead of the server's"],
    ["2026-11-21T05:00:00Z", 1, "This machine's clock is 5 h behind the server's"],
  ])("compares the clock with the server's: %s", async (time, code, words) => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    await signedIn();
    const ran = await examined({ now: new Date(time) });
    expect([ran.code, ran.found("clock")[0]?.found]).toEqual([code, words]);
  });

  it("finds files that others may read, and says how to mend them", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    await signedIn();
    const file = join(profiles.folder, "credentials.json");
    chmodSync(profiles.folder, 0o755);
    chmodSync(file, 0o644);
    const { wrong } = await examined();
    expect(wrong.map(({ mend }) => mend)).toEqual([`chmod 0700 '${profiles.folder}'`, `chmod 0600 '${file}'`]);
  });

  it("reports a broken file once, and goes on with what it can", async () => {
    await signedIn({}, "https://git.example.org");
    writeFileSync(join(profiles.folder, "config.json"), "{");
    const { code, wrong, found } = await examined();
    expect(code).toBe(1);
    expect(wrong).toMatchObject([
      { check: "configuration", found: expect.stringContaining("config.json is not valid") },
    ]);
    expect(found("git")).toMatchObject([{ state: "ok" }]);
  });

  it("shows the proxy in force without its password, and finds one that is no address", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    await signedIn({ proxy: "http://mara:not-a-secret-proxy@127.0.0.1:1" });
    const ran = await examined();
    expect(ran.found("proxy")).toMatchObject([{ state: "ok", found: "http://***@127.0.0.1:1 (from the profile)" }]);
    expect(ran.wrong).toMatchObject([{ check: "reachable", mend: expect.stringContaining("Or is it the proxy?") }]);
    expect(ran.stdout).not.toContain("not-a-secret-proxy");
    await signedIn();
    const broken = await examined({ env: { HTTP_PROXY: "http://" } });
    expect(broken.wrong).toMatchObject([{ check: "proxy", found: expect.stringContaining("is not an address") }]);
  });

  it("looks into the file of certificate authorities", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    const ca = join(emptyFolder(), "ca.pem");
    await signedIn({ ca });
    expect((await examined()).wrong).toMatchObject([
      { check: "authorities", found: expect.stringContaining("Could not read the CA file") },
    ]);
    writeFileSync(ca, `${rootCertificates[0]}\n${rootCertificates[1]}\n`);
    expect((await examined()).found("authorities")).toMatchObject([{ state: "ok", found: `${ca}, 2 certificates` }]);
    const later = await examined({ now: new Date("2126-01-01T00:00:00Z") });
    expect(later.wrong).toMatchObject([{ check: "authorities", found: expect.stringContaining("expired") }]);
    writeFileSync(ca, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    expect((await examined()).wrong).toMatchObject([{ check: "authorities" }]);
  });

  it("finds a TONGS_TOKEN that nothing uses", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    await signedIn();
    const { wrong, stdout } = await examined({ env: { TONGS_TOKEN: "not-a-secret-env" } });
    expect(wrong).toMatchObject([
      { check: "environment", found: "TONGS_TOKEN is set without TONGS_HOST and is not used" },
    ]);
    expect(stdout).not.toContain("not-a-secret-env");
  });

  it("finds that git is missing", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    await signedIn();
    const { wrong } = await examined({ env: { PATH: emptyFolder() } });
    expect(wrong).toMatchObject([{ check: "git", mend: expect.stringContaining("Check that git is installed") }]);
  });

  it("prints a sheet with what to do below it, and ends with 1", async () => {
    const env = { TONGS_CONFIG_DIR: profiles.folder, NO_COLOR: "1" };
    const ran = await tongs(["doctor"], { env, terminal: true });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("✗ Not signed in to any server");
    expect(ran.stdout).toContain("What to do\n");
  });
});
