import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { beforeEach, describe, expect, it } from "vitest";
import { allCommands } from "../../../src/command/write-help.ts";
import { scopeAreas } from "../../../src/commands/doctor/scopes.ts";
import { table } from "../../../src/commands/index.ts";
import type { Profile } from "../../../src/profiles/profile.ts";
import { openProfiles, type Profiles } from "../../../src/profiles/profiles.ts";
import { serveProxy } from "../../http/proxy-server.ts";
import { elsewhereIdentity, expiredIdentity, identity, serveTls, files as tlsFiles } from "../../http/tls-server.ts";
import type { TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { forgejo, gitea } from "../auth/forges.ts";

const token = "not-a-secret-0123456789";
const now = new Date("2026-11-21T10:00:00Z");
const date = now.toUTCString();

let profiles: Profiles;
let server: TestServer | undefined;
beforeEach(() => {
  profiles = openProfiles({ env: { TONGS_CONFIG_DIR: join(emptyFolder(), "tongs") }, platform: process.platform });
});

async function signedIn(more: Partial<Profile> = {}, host = server?.url ?? ""): Promise<void> {
  await profiles.update(() => ({ default: "work", profiles: { work: { host, user: "mara", ...more } } }));
  await profiles.credentials.set("work", token);
}

/** Starts a Gitea that takes the token, and signs in to it. */
async function signedInToGitea(more: Partial<Profile> = {}): Promise<TestServer> {
  server = await gitea({ tokens: { [token]: "mara" }, date });
  await signedIn(more);
  return server;
}

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly state: string;
    readonly result: string;
    readonly fix: string;
  }[];
}

/** Runs tongs doctor and returns the exit code, the record, the findings by check, and the problems. */
async function runDoctor(world: World = {}) {
  const env = { TONGS_CONFIG_DIR: profiles.folder, ...world.env };
  const ran = await tongs(["doctor", "--json"], { now, ...world, env });
  const report = ran.json() as Report;
  const found = (check: string) => report.checks.filter((finding) => finding.check === check);
  // Every finding says how to fix it; a server that reports no scopes cannot be fixed.
  const bare = report.checks.filter(({ state, fix, result }) => state !== "ok" && !fix && !/^unknown/.test(result));
  expect(bare).toEqual([]);
  return { ...ran, report, found, problems: report.checks.filter(({ state }) => state === "problem") };
}

describe("tongs doctor", () => {
  it("reports the server, account, scopes, clock, git, proxy and selected server when there is no problem", async () => {
    await signedInToGitea();
    const { code, report, stderr } = await runDoctor();
    expect([code, stderr]).toEqual([0, ""]);
    expect(report).toMatchObject({
      ok: true,
      config_dir: profiles.folder,
      profile: "work",
      host: server?.url,
      reason: "the default profile",
      server: { kind: "Gitea", version: "1.27.1" },
      user: "mara",
      scopes: ["all"],
      clock_skew: 0,
      providers: ["workflows", "runs", "artifacts", "badges"],
    });
    const checks = report.checks.map(({ check, state }) => `${check}: ${state}`);
    expect(checks).toEqual([
      ...["configuration: ok", "selected server: ok", "proxy: ok", "git: ok", "git credentials: note", "TCP: ok"],
      ...["reachable: ok", "clock: ok"],
      ...["signed in: ok", "scopes: ok", "optional features: ok"],
    ]);
  });

  it("detects Forgejo and the features it lacks", async () => {
    server = await forgejo({ tokens: { [token]: "mara" }, date });
    await signedIn();
    const { code, report, found } = await runDoctor();
    expect(code).toBe(0);
    expect(report).toMatchObject({
      server: { kind: "Forgejo", version: "10.0.0+gitea-1.22.0" },
      scopes: null,
      providers: [],
    });
    expect(found("scopes")).toMatchObject([
      { state: "note", result: "unknown: only Gitea 1.27 and newer report them" },
    ]);
  });

  it("reports that no profile is stored", async () => {
    const { code, problems } = await runDoctor();
    expect(code).toBe(1);
    expect(problems).toMatchObject([
      {
        check: "selected server",
        result: "Not signed in to any server",
        fix: expect.stringContaining("tongs auth login"),
      },
    ]);
    expect(existsSync(profiles.folder)).toBe(false);
  });

  it("reports the step at which the connection fails, with what to check", async () => {
    await (await signedInToGitea()).close();
    const { found, problems } = await runDoctor();
    expect(found("TCP")).toMatchObject([
      {
        state: "note",
        result: expect.stringMatching(/^port \d+ of 127\.0\.0\.1 cannot be reached: ECONNREFUSED$/),
        fix: expect.stringContaining("firewall"),
      },
    ]);
    await signedIn({}, "http://no-such-host.invalid");
    await profiles.update((config) => ({
      ...config,
      profiles: { work: { host: "http://no-such-host.invalid", insecure_http: true } },
    }));
    expect((await runDoctor()).found("DNS")).toMatchObject([
      {
        state: "note",
        result: expect.stringMatching(/^no-such-host\.invalid was not found: E/),
        fix: expect.stringContaining("nslookup"),
      },
    ]);
    expect(problems.map(({ check }) => check)).toEqual(["reachable"]);
  });

  it("reports dates and chain of a certificate that is not accepted, before it sends anything", async () => {
    const asked: string[] = [];
    const secure = createServer(identity, (request, response) => {
      asked.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    await signedIn({}, `https://127.0.0.1:${(secure.address() as AddressInfo).port}`);
    const { found, code } = await runDoctor();
    expect(code).toBe(1);
    expect(found("TLS")).toMatchObject([
      {
        state: "note",
        result: expect.stringMatching(/not accepted: .*(VERIFY|ISSUER).*valid from 20\d\d-\d\d-\d\d to/),
        fix: "If you trust its authority, run: tongs profile set work ca FILE",
      },
    ]);
    expect(found("certificate chain")).toMatchObject([{ state: "ok" }]);
    expect(asked).toEqual([]);
    await signedIn({ ca: tlsFiles.ca }, `https://127.0.0.1:${(secure.address() as AddressInfo).port}`);
    const trusted = (await runDoctor()).found("TLS");
    expect(trusted).toMatchObject([{ state: "ok", result: expect.stringMatching(/^TLSv1.*certificate valid from/) }]);
    await new Promise((resolve) => secure.close(resolve));
  });

  it.each([
    [
      "has expired",
      expiredIdentity,
      tlsFiles.otherCa,
      /it has expired .*; valid from 2020-01-01 to 2021-01-01/,
      "renew",
    ],
    ["is for another host", elsewhereIdentity, tlsFiles.elsewhere, /ALTNAME|not accepted/, "profile set work ca FILE"],
  ])("reports a certificate that %s, with its dates, and sends no token", async (_what, shown, ca, found, fix) => {
    const secure = await serveTls(shown);
    await signedIn({ ca }, secure.url);
    const ran = await runDoctor();
    expect(ran.code).toBe(1);
    expect(ran.found("TLS")).toMatchObject([
      { state: "note", result: expect.stringMatching(found), fix: expect.stringContaining(fix) },
    ]);
    expect(ran.problems.map(({ check }) => check)).toEqual(expect.arrayContaining(["reachable"]));
    expect(secure.authorizations).toEqual([]);
  });

  it("notes a certificate that ends soon", async () => {
    const secure = await serveTls();
    await signedIn({ ca: tlsFiles.ca }, secure.url);
    const until = new Date(new X509Certificate(identity.cert).validTo);
    const ran = await runDoctor({ now: new Date(until.getTime() - 5.5 * 86_400_000) });
    expect(ran.found("TLS")).toMatchObject([
      { state: "note", result: expect.stringContaining("expires in 5 days"), fix: expect.stringContaining("renew") },
    ]);
  });

  it("checks the way to the proxy in place of the way to the server", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    const proxy = await serveProxy();
    await signedIn({ proxy: proxy.url });
    const through = await runDoctor();
    expect([through.code, through.found("TCP")]).toEqual([0, []]);
    expect(through.found("TCP of the proxy")).toMatchObject([{ state: "ok" }]);
    await proxy.close();
    const down = await runDoctor();
    expect(down.found("TCP of the proxy")).toMatchObject([
      { state: "note", fix: expect.stringContaining("Check that the proxy runs") },
    ]);
    await signedIn({ proxy: "http://no-such-proxy.invalid:3128" });
    expect((await runDoctor()).found("DNS of the proxy")).toMatchObject([
      { state: "note", fix: expect.stringContaining("nslookup no-such-proxy.invalid") },
    ]);
  });

  it("makes git ask tongs with --fix, unless another helper was chosen for the server", async () => {
    const { url } = await signedInToGitea();
    const cwd = emptyFolder();
    const world = { cwd, env: { HOME: cwd, TONGS_CONFIG_DIR: profiles.folder, GIT_CONFIG_NOSYSTEM: "1" }, now };
    const file = join(cwd, ".gitconfig");
    const fix = (...more: string[]) => tongs(["doctor", "--fix", ...more], world);
    writeFileSync(file, "[credential]\n\thelper = store\n");
    expect((await fix("--dry-run")).stderr).toContain("would run: tongs auth setup-git --profile work");
    expect(readFileSync(file, "utf8")).not.toContain("tongs");
    expect((await fix()).stderr).toContain("Fixed: git does not ask tongs");
    expect(readFileSync(file, "utf8")).toContain("helper = !tongs auth git-credential");
    expect((await runDoctor(world)).found("git credentials")).toMatchObject([{ state: "ok" }]);
    const chosen = `[credential "${url}"]\n\thelper = cache\n`;
    writeFileSync(file, chosen);
    await fix();
    expect(readFileSync(file, "utf8")).toBe(chosen);
    expect((await runDoctor(world)).found("git credentials")).toMatchObject([{ state: "note" }]);
  });

  it("finds out whether completion is installed, and --fix installs it without replacing anything", async () => {
    await signedInToGitea();
    const cwd = emptyFolder();
    const env = { HOME: cwd, SHELL: "/bin/bash" };
    const before = await runDoctor({ cwd, env });
    const own = ".local/share/bash-completion/completions/tongs";
    expect(before.found("completion")).toMatchObject([
      { state: "note", result: "not installed for bash", fix: `tongs completion bash > ~/${own}` },
    ]);
    const fix = (...more: string[]) =>
      tongs(["doctor", "--fix", ...more], { cwd, env: { ...env, TONGS_CONFIG_DIR: profiles.folder }, now });
    expect((await fix("--dry-run")).stderr).toContain("would run: tongs completion bash");
    expect(existsSync(join(cwd, own))).toBe(false);
    expect((await fix()).stderr).toContain("Fixed: not installed for bash");
    expect(readFileSync(join(cwd, own), "utf8")).toContain("complete -F _tongs tongs");
    expect((await runDoctor({ cwd, env })).found("completion")).toMatchObject([{ state: "ok" }]);
    const zsh = { HOME: cwd, SHELL: "/usr/bin/zsh" };
    expect((await runDoctor({ cwd, env: zsh })).found("completion")).toMatchObject([{ state: "note" }]);
    writeFileSync(join(cwd, ".zshrc"), "source <(tongs completion zsh)\n");
    expect((await runDoctor({ cwd, env: zsh })).found("completion")).toMatchObject([{ state: "ok" }]);
  });

  it("with --fix goes on after a fix that fails, and reports it", async () => {
    await signedInToGitea();
    const cwd = emptyFolder();
    // Git cannot lock its configuration, so the helper cannot be set.
    mkdirSync(join(cwd, ".gitconfig.lock"));
    writeFileSync(join(cwd, ".gitconfig"), "[credential]\n\thelper = store\n");
    const env = {
      HOME: cwd,
      SHELL: "/bin/bash",
      TONGS_CONFIG_DIR: profiles.folder,
      GIT_CONFIG_NOSYSTEM: "1",
    };
    const fixed = await tongs(["doctor", "--fix", "--json"], { cwd, env, now });
    expect([fixed.code, fixed.stderr]).toEqual([1, expect.stringContaining("Fixed: not installed for bash")]);
    expect((fixed.json() as { checks: unknown[] }).checks[0]).toMatchObject({
      check: "fix",
      state: "problem",
      result: expect.stringContaining("could not fix: git does not ask tongs"),
    });
  });

  it("distinguishes a rejected token from an unreachable server", async () => {
    server = await gitea({ date });
    await signedIn();
    const refused = await runDoctor();
    expect(refused.code).toBe(1);
    const fix = `Run tongs auth login --host ${server.url}, or set TONGS_HOST and TONGS_TOKEN.`;
    expect(refused.problems).toMatchObject([{ check: "signed in", fix }]);
    expect(refused.found("reachable")).toMatchObject([{ state: "ok", result: "Gitea 1.27.1" }]);
    expect(refused.stdout).not.toContain(token);
    await server.close();
    const silent = await runDoctor();
    expect(silent.problems).toMatchObject([{ check: "reachable", result: expect.stringContaining("ECONNREFUSED") }]);
  });

  it("notes the scopes that the token lacks without failing", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, scopes: { [token]: ["read:repository", "write:user"] }, date });
    await signedIn();
    const { code, found } = await runDoctor();
    expect(code).toBe(0);
    expect(found("scopes")).toMatchObject([
      {
        state: "note",
        result: "read:repository, write:user; missing: write:repository, write:issue",
        fix: expect.stringMatching(/^tongs token create tongs --scope write:user,.*write:repository/),
      },
    ]);
    expect(found("commands")).toMatchObject([
      { state: "note", result: expect.stringMatching(/^the token has no access for: issue, label, .*package/) },
      { state: "note", result: expect.stringMatching(/^the token can only read with: pr, repo, /) },
    ]);
    const text = await tongs(["doctor"], {
      env: { TONGS_CONFIG_DIR: profiles.folder, NO_COLOR: "1" },
      terminal: true,
      now,
    });
    expect(text.stdout.match(/tongs token create/g)).toHaveLength(1);
    expect(found("commands").some(({ result }) => result.includes("admin"))).toBe(false);
  });

  it("knows the scopes of every noun that asks a server", async () => {
    const known = new Set<string>(Object.values(scopeAreas).flat());
    // Their operations are those that the user names, or need no scope; search has one for each verb, and metrics forge
    // leaves out what the token may not read.
    const free = ["api", "operation", "server", "search", "journal", "metrics"];
    const asking = (await allCommands(table)).filter(({ command }) => /server|repository/.test(command.on));
    const missing = new Set(asking.map(({ words: [noun = ""] }) => noun).filter((noun) => !known.has(noun)));
    expect([...missing].filter((noun) => !free.includes(noun))).toEqual([]);
    expect([...known].filter((noun) => !Object.hasOwn(table, noun))).toEqual([]);
  });

  it.each([
    ["2026-11-21T09:59:01Z", 0, "within 59 s of the server's clock"],
    ["2026-11-21T10:10:00Z", 1, "The local clock is 10 min ahead of the server's"],
    ["2026-11-21T05:00:00Z", 1, "The local clock is 5 h behind the server's"],
  ])("compares the local clock with the server's: %s", async (time, code, words) => {
    await signedInToGitea();
    const ran = await runDoctor({ now: new Date(time) });
    expect([ran.code, ran.found("clock")[0]?.result]).toEqual([code, words]);
  });

  it("finds files that other users can access, prints how to fix them, and does so with --fix", async () => {
    await signedInToGitea();
    const file = join(profiles.folder, "credentials.json");
    chmodSync(profiles.folder, 0o755);
    chmodSync(file, 0o644);
    const { problems } = await runDoctor();
    expect(problems.map(({ fix }) => fix)).toEqual([`chmod 0700 '${profiles.folder}'`, `chmod 0600 '${file}'`]);
    const fixed = await tongs(["doctor", "--fix"], { env: { TONGS_CONFIG_DIR: profiles.folder }, now });
    expect([fixed.code, ...[profiles.folder, file].map((path) => statSync(path).mode & 0o777)]).toEqual([
      0, 0o700, 0o600,
    ]);
  });

  it("reports an invalid configuration file once, and runs the other checks", async () => {
    await signedIn({}, "https://git.example.org");
    writeFileSync(join(profiles.folder, "config.json"), "{");
    const { code, problems, found } = await runDoctor();
    expect(code).toBe(1);
    expect(problems).toMatchObject([
      { check: "configuration", result: expect.stringContaining("config.json is not valid") },
    ]);
    expect(found("git")).toMatchObject([{ state: "ok" }]);
  });

  it("prints the proxy without its password, and reports an invalid address", async () => {
    await signedInToGitea({ proxy: "http://mara:not-a-secret-proxy@127.0.0.1:1" });
    const ran = await runDoctor();
    expect(ran.found("proxy")).toMatchObject([{ state: "ok", result: "http://***@127.0.0.1:1 (from the profile)" }]);
    expect(ran.problems).toMatchObject([
      { check: "reachable", fix: expect.stringContaining("The proxy may be the cause") },
    ]);
    expect(ran.stdout).not.toContain("not-a-secret-proxy");
    await signedIn();
    const broken = await runDoctor({ env: { HTTP_PROXY: "http://" } });
    expect(broken.problems).toMatchObject([
      { check: "proxy", result: expect.stringContaining("is not a valid address") },
    ]);
  });

  it("checks the CA file", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, date });
    const ca = join(emptyFolder(), "ca.pem");
    await signedIn({ ca });
    expect((await runDoctor()).problems).toMatchObject([
      { check: "CA file", result: expect.stringContaining("Could not read the CA file") },
    ]);
    writeFileSync(ca, `${rootCertificates[0]}\n${rootCertificates[1]}\n`);
    expect((await runDoctor()).found("CA file")).toMatchObject([{ state: "ok", result: `${ca}, 2 certificates` }]);
    const later = await runDoctor({ now: new Date("2126-01-01T00:00:00Z") });
    expect(later.problems).toMatchObject([{ check: "CA file", result: expect.stringContaining("expired") }]);
    writeFileSync(ca, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    expect((await runDoctor()).problems).toMatchObject([{ check: "CA file" }]);
  });

  it("reports a TONGS_TOKEN that is ignored", async () => {
    await signedInToGitea();
    const { problems, stdout } = await runDoctor({ env: { TONGS_TOKEN: "not-a-secret-env" } });
    expect(problems).toMatchObject([
      { check: "environment", result: "TONGS_TOKEN is set without TONGS_HOST and is ignored" },
    ]);
    expect(stdout).not.toContain("not-a-secret-env");
  });

  it("reports that git is missing", async () => {
    await signedInToGitea();
    const { problems } = await runDoctor({ env: { PATH: emptyFolder() } });
    expect(problems).toMatchObject([{ check: "git", fix: expect.stringContaining("Check that git is installed") }]);
  });

  it("prints the checks and how to fix problems, and exits with 1", async () => {
    const env = { TONGS_CONFIG_DIR: profiles.folder, NO_COLOR: "1" };
    const ran = await tongs(["doctor"], { env, terminal: true });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("✗ Not signed in to any server");
    expect(ran.stdout).toContain("How to fix\n");
  });
});
