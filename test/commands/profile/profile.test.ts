import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openProfiles, type Profiles } from "../../../src/profiles/profiles.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { pull } from "../pr/pulls.ts";

const since = "2026-11-21T10:00:00Z";
const work = { host: "https://git.example.org", user: "mara", since, scopes: ["all"] };
const play = { host: "https://play.example.org/git", proxy: "http://mara:not-a-secret-proxy@proxy.example.org:3128" };

/** Settings that neither profile has. */
const unset = { client_cert: null, client_key: null, headers: {}, token_command: null };

let profiles: Profiles;
let run: (argv: readonly string[], world?: World) => ReturnType<typeof tongs>;
beforeEach(async () => {
  profiles = openProfiles({ env: { TONGS_CONFIG_DIR: join(emptyFolder(), "tongs") }, platform: process.platform });
  await profiles.update(() => ({ default: "work", profiles: { work, play } }));
  await profiles.credentials.set("work", "not-a-secret-work");
  await profiles.credentials.set("play", "not-a-secret-play");
  run = (argv, world = {}) => tongs(argv, { ...world, env: { TONGS_CONFIG_DIR: profiles.folder, ...world.env } });
});

describe("profile list and show", () => {
  it("list the stored profiles with the default marked, without secrets", async () => {
    const ran = await run(["profile", "list"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toBe(`*\twork\t${work.host}\tmara\t${since}\n\tplay\t${play.host}\t\t\n`);
    const json = await run(["profile", "ls", "--json"]);
    expect(json.stdout).not.toContain("not-a-secret");
    expect(json.json()).toEqual([
      {
        ...unset,
        name: "work",
        default: true,
        ...work,
        repo: null,
        ca: null,
        insecure_http: false,
        proxy: null,
        rules: [],
      },
      {
        ...unset,
        name: "play",
        default: false,
        host: play.host,
        user: null,
        since: null,
        scopes: null,
        repo: null,
        ca: null,
        insecure_http: false,
        proxy: "http://***@proxy.example.org:3128",
        rules: [],
      },
    ]);
  });

  it("show a profile by name, or the current one", async () => {
    expect((await run(["profile", "show", "play", "--jq", ".host"])).stdout).toBe(`${play.host}\n`);
    expect((await run(["profile", "show", "--json", "name"])).json()).toEqual({ name: "work" });
    const env = { TONGS_PROFILE: "play" };
    expect((await run(["profile", "show", "--json", "name"], { env })).json()).toEqual({ name: "play" });
    expect((await run(["profile", "show"])).stdout).not.toContain("not-a-secret");
  });

  it.each<[string, readonly string[], World, string]>([
    ["the profile does not exist", ["nobody"], {}, "Profile 'nobody' not found\n  Profiles: work, play"],
    [
      "the server comes from the environment",
      [],
      { env: { TONGS_HOST: "https://a.example.org" } },
      "No profile is selected",
    ],
  ])("fail when %s", async (_when, args, world, words) => {
    expect(await run(["profile", "show", ...args], world)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    });
  });
});

describe("profile use", () => {
  it("makes a profile the default", async () => {
    const ran = await run(["profile", "use", "play", "--json", "name,default"]);
    expect(ran.json()).toEqual({ name: "play", default: true });
    expect(profiles.read().default).toBe("play");
  });

  it("rejects an unknown profile", async () => {
    expect((await run(["profile", "use", "nobody"])).code).toBe(2);
    expect(profiles.read().default).toBe("work");
  });
});

describe("profile set", () => {
  it("changes one setting and keeps the token", async () => {
    const ran = await run(["profile", "set", "work", "repo", "mara/harbor"]);
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "✓ Set repo of profile work\n" });
    expect(profiles.read().profiles["work"]).toEqual({ ...work, repo: "mara/harbor" });
    expect(await profiles.credentials.get("work")).toBe("not-a-secret-work");
    expect((await run(["profile", "set", "work", "repo", ""])).stderr).toBe("✓ Removed repo of profile work\n");
    expect(profiles.read().profiles["work"]).toEqual(work);
  });

  it("signs the profile out when its host changes to another server", async () => {
    const ran = await run(["profile", "set", "work", "host", "https://git.example.net"]);
    expect(ran.stderr).toContain("To sign in, run: tongs auth login --profile work");
    expect(profiles.read().profiles["work"]).toEqual({ host: "https://git.example.net" });
    expect(await profiles.credentials.get("work")).toBeUndefined();
  });

  it("keeps the token when only the path prefix of the host changes", async () => {
    await run(["profile", "set", "work", "host", "https://git.example.org/git/"]);
    expect(profiles.read().profiles["work"]).toEqual({ ...work, host: "https://git.example.org/git" });
    expect(await profiles.credentials.get("work")).toBe("not-a-secret-work");
  });

  it("reads a value with a password from stdin, and never prints it", async () => {
    const stdin = "http://mara:not-a-secret-new@proxy.example.org:3128\n";
    const dry = await run(["profile", "set", "work", "proxy", "-", "--dry-run"], { stdin });
    expect(dry.stderr).toContain("http://***@proxy.example.org:3128");
    const ran = await run(["profile", "set", "work", "proxy", "-", "--json"], { stdin });
    expect(ran.code).toBe(0);
    expect(dry.stderr + ran.stdout + ran.stderr).not.toContain("not-a-secret-new");
    expect(profiles.read().profiles["work"]?.proxy).toBe(stdin.trim());
  });

  it.each([
    [["nobody", "repo", "a/b"], "Profile 'nobody' not found"],
    [
      ["work", "colour", "green"],
      "for KEY: must be one of host, user, repo, ca, client_cert, client_key, headers, token_command, insecure_http, proxy, rules",
    ],
    [["work", "repo", "harbor"], "is not a valid repository"],
    [["work", "ca", "/not/there.pem"], "Could not read the CA file"],
    [["work", "repo"], "Missing argument VALUE"],
  ])("rejects %j", async (args, words) => {
    expect(await run(["profile", "set", ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(profiles.read()).toEqual({ default: "work", profiles: { work, play } });
  });
});

describe("profile rename", () => {
  it("keeps the token, the default and the position in the list", async () => {
    expect((await run(["profile", "rename", "work", "job"])).code).toBe(0);
    expect(profiles.read()).toEqual({ default: "job", profiles: { job: work, play } });
    expect(Object.keys(profiles.read().profiles)).toEqual(["job", "play"]);
    expect([await profiles.credentials.get("job"), await profiles.credentials.get("work")]).toEqual([
      "not-a-secret-work",
      undefined,
    ]);
  });

  it("renames nothing if the token cannot be moved in the keyring, and says so", async () => {
    writeFileSync(join(profiles.folder, "credentials.json"), JSON.stringify({ tokens: {}, keyring: ["work"] }), {
      mode: 0o600,
    });
    const ran = await run(["profile", "rename", "work", "job"]);
    expect([ran.code, ran.stderr]).toEqual([
      4,
      expect.stringContaining("Could not access the token of profile 'work'"),
    ]);
    expect(ran.stderr).toContain("Profile 'work' was not renamed, and keeps its token");
    expect(profiles.read()).toEqual({ default: "work", profiles: { work, play } });
    expect([profiles.credentials.has("work"), profiles.credentials.has("job")]).toEqual([true, false]);
  });

  it("does not suggest to delete a profile that has the name already", async () => {
    const ran = await run(["profile", "rename", "work", "work"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.not.stringContaining("profile delete") });
    expect(ran.stderr).toContain("Profile 'work' already has this name");
  });

  it.each([
    ["nobody", "x", 2],
    ["work", "play", 9],
    ["work", "two words", 2],
  ])("does not rename %s to '%s'", async (from, to, code) => {
    expect((await run(["profile", "rename", from, to])).code).toBe(code);
    expect(profiles.read()).toEqual({ default: "work", profiles: { work, play } });
  });
});

describe("profile delete", () => {
  it("deletes profiles and their tokens, continues after an unknown one, and exits with 11", async () => {
    const ran = await run(["profile", "delete", "nobody", "work", "--yes"]);
    expect(ran).toMatchObject({ code: 11, stdout: "" });
    expect(ran.stderr).toContain("✓ Deleted profile work; no profile is the default now");
    expect(ran.stderr).toContain("✗ nobody: Profile 'nobody' not found");
    expect(profiles.read()).toEqual({ profiles: { play } });
    expect(await profiles.credentials.get("work")).toBeUndefined();
    expect(await profiles.credentials.get("play")).toBe("not-a-secret-play");
  });

  it("reads names from stdin and prints what it deleted", async () => {
    const ran = await run(["profile", "rm", "-", "-y", "--json", "name"], { stdin: "work\nplay\n" });
    expect(ran).toMatchObject({ code: 0, stdout: '[{"name":"work"},{"name":"play"}]\n' });
    expect(profiles.read()).toEqual({ profiles: {} });
  });

  it("asks for confirmation, and requires --yes when it cannot prompt", async () => {
    expect((await run(["profile", "delete", "work"])).code).toBe(2);
    const no = await run(["profile", "delete", "work"], { terminal: true, answers: [false] });
    expect(no).toMatchObject({ code: 3, asked: ["Delete profile work?"] });
    expect(profiles.read().profiles).toHaveProperty("work");
    const yes = await run(["profile", "delete", "work"], { terminal: true, answers: [true] });
    expect(yes.code).toBe(0);
    expect(profiles.read().profiles).not.toHaveProperty("work");
  });

  it("rejects an unknown profile without asking", async () => {
    expect(await run(["profile", "delete", "nobody"], { terminal: true })).toMatchObject({ code: 2, asked: [] });
  });
});

it.each([
  ["use", "work"],
  ["set", "work", "host", "https://git.example.net"],
  ["rename", "work", "job"],
  ["delete", "work", "--yes"],
])("profile %s changes nothing with --dry-run", async (...words) => {
  const ran = await run(["profile", ...words, "--dry-run"]);
  expect(ran).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^Dry run: would .* Nothing was stored/),
  });
  expect(profiles.read()).toEqual({ default: "work", profiles: { work, play } });
  expect(await profiles.credentials.get("work")).toBe("not-a-secret-work");
  const json = await run(["profile", ...words, "--dry-run", "--json"]);
  expect(json.json()).toEqual({ dry_run: { would: expect.stringContaining("work") } });
});

describe("the current profile", () => {
  let server: TestServer | undefined;

  it("sends its token to its path prefix, for repositories whose remote or URL has the prefix", async () => {
    server = await serve(() => ({ body: pull(12) }));
    const host = `${server.url}/git`;
    await profiles.update((config) => ({ ...config, profiles: { ...config.profiles, here: { host } } }));
    await profiles.credentials.set("here", "not-a-secret-here");
    const cwd = join(emptyFolder(), "harbor");
    mkdirSync(cwd);
    const git = (...args: string[]) => execFileSync("git", args, { cwd });
    git("init", "-q");
    git("remote", "add", "origin", `${host}/mara/harbor.git`);
    const view = ["pr", "view", "--json", "number"];
    expect((await run([...view, "12"], { cwd })).stdout).toBe('{"number":12}\n');
    expect((await run([...view, `${host}/mara/harbor/pulls/12`])).stdout).toBe('{"number":12}\n');
    expect((await run([...view, "12", "-R", `${host.replace("http://", "")}/mara/harbor`])).code).toBe(0);
    expect(server.lines()).toEqual(Array(3).fill("GET /git/api/v1/repos/mara/harbor/pulls/12"));
    // A token for no address is not sent, and that is no secret.
    const lone = await run([...view, "12"], { cwd, env: { TONGS_TOKEN: "not-a-secret-lone" } });
    expect(lone).toMatchObject({ code: 0, stderr: "! TONGS_TOKEN is ignored without TONGS_HOST or --host\n" });
    expect(server.seen.map((seen) => seen.headers["authorization"])).toEqual(Array(4).fill("token not-a-secret-here"));
  });

  it("is rejected for a repository on another host, and nothing is sent", async () => {
    server = await serve(() => ({ body: {} }));
    const ran = await run(["pr", "view", "12", "--profile", "work", "-R", `${server.url}/mara/harbor`]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("but the selected server is https://git") });
    expect(server.lines()).toEqual([]);
  });
});
