import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/failure/failure.ts";
import { chooseServer, type Hints } from "../../src/profiles/choose.ts";
import type { Config } from "../../src/profiles/profile.ts";
import { openProfiles } from "../../src/profiles/profiles.ts";
import { addressText } from "../../src/profiles/server.ts";
import { emptyFolder } from "../support/tongs.ts";

const hosts = {
  main: { host: "https://git.example.org", user: "mara" },
  bot: { host: "https://git.example.org", user: "bot" },
  port: { host: "https://git.example.org:8443" },
  below: { host: "https://example.org/git", repo: "mara/harbor" },
  local: { host: "http://127.0.0.1:3000" },
  plain: { host: "http://intranet.example.org", insecure_http: true },
  alias: { host: "https://alias.example.org", rules: ["ssh-alias", "/projects/alias", "/projects/alias/deep"] },
  deeper: { host: "https://deeper.example.org", rules: ["/projects/alias/deeper/"] },
} satisfies Config["profiles"];
type Name = keyof typeof hosts;

interface Case {
  readonly stored?: readonly Name[];
  readonly default?: Name;
  readonly hints?: Partial<Omit<Hints, "remoteHosts">>;
  readonly remotes?: readonly string[];
}

/** The selected server as profile, address, token and reason; or the exit name and message of the failure. */
async function chosen({ stored, default: usual, hints = {}, remotes }: Case) {
  const folder = emptyFolder();
  const names = stored ?? (Object.keys(hosts) as Name[]);
  const config: Config = {
    ...(usual === undefined ? {} : { default: usual }),
    profiles: Object.fromEntries(names.map((name) => [name, hosts[name]])),
  };
  const tokens = Object.fromEntries(names.map((name) => [name, `token-of-${name}`]));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "credentials.json"), JSON.stringify({ tokens }));
  const remoteHosts = async () => {
    if (remotes === undefined) throw new Error("git was started");
    return remotes.map((remote) => {
      const [host = "", user] = remote.split(" ");
      return { host, user };
    });
  };
  const none = { profile: undefined, host: undefined, repoHost: undefined };
  try {
    const server = await chooseServer(openProfiles({ env: { TONGS_CONFIG_DIR: folder }, platform: process.platform }), {
      env: {},
      cwd: "/elsewhere",
      ...none,
      ...hints,
      remoteHosts,
    });
    return [server.profile, addressText(server.base), await server.token(), server.because];
  } catch (error) {
    if (error instanceof Failure) return [error.exit, error.message];
    throw error;
  }
}

const of = (name: Name, because: string) => [name, hosts[name].host, `token-of-${name}`, because];

describe("the selected server", () => {
  const all = {
    profile: "main",
    host: "https://example.org/git",
    repoHost: "https://alias.example.org",
    env: { TONGS_PROFILE: "local", TONGS_HOST: "https://git.example.org:8443" },
    cwd: "/projects/alias",
  };
  const { profile: _profile, ...withoutProfile } = all;
  const { host: _host, ...withoutHost } = withoutProfile;
  const { repoHost: _repo, ...withoutRepo } = withoutHost;
  const onlyHost = { ...withoutRepo, env: { TONGS_HOST: all.env.TONGS_HOST } };
  const onlyFolder = { cwd: all.cwd };
  const remotes = ["nowhere.example.org", "git.example.org", "example.org/git"];

  it.each<[string, Case, unknown[]]>([
    ["--profile first", { hints: { ...all, host: undefined, repoHost: undefined } }, of("main", "--profile")],
    [
      "--profile with its own --host",
      { hints: { profile: "bot", host: "git.example.org", env: all.env } },
      of("bot", "--profile"),
    ],
    ["--host next", { hints: { ...withoutProfile, repoHost: undefined } }, of("below", "--host")],
    ["then the host of the repository", { hints: withoutHost }, of("alias", "the host of the repository")],
    ["then TONGS_PROFILE", { hints: withoutRepo }, of("local", "TONGS_PROFILE")],
    ["then TONGS_HOST", { hints: onlyHost }, of("port", "TONGS_HOST")],
    ["then the folder's rule", { hints: onlyFolder, remotes }, of("alias", "the rule for /projects/alias")],
    ["then a git remote's host", { default: "local", remotes }, of("main", "the git remote on git.example.org")],
    ["then the default", { default: "local", remotes: ["nowhere.example.org"] }, of("local", "the default profile")],
    ["then the only profile, without running git", { stored: ["plain"] }, of("plain", "the only profile")],
  ])("is from %s", async (_what, given, wanted) => {
    expect(await chosen(given)).toEqual(wanted);
  });

  it.each<[string, Case, unknown[]]>([
    ["nothing is stored", { stored: [] }, ["denied", "Not signed in to any server"]],
    [
      "several are stored and none is the default",
      { remotes: [] },
      ["usage", "No server selected: there are several profiles and none is the default"],
    ],
    ["--profile does not exist", { hints: { profile: "nobody" } }, ["usage", "Profile 'nobody' not found"]],
    ["TONGS_PROFILE does not exist", { hints: { env: { TONGS_PROFILE: "no" } } }, ["usage", "Profile 'no' not found"]],
    [
      "plain http to another machine was not allowed",
      { hints: { host: "http://git.example.net" } },
      ["usage", "http://git.example.net uses plain http: the token would be sent unencrypted"],
    ],
    [
      "TONGS_TOKEN cannot be a token",
      { hints: { env: { TONGS_HOST: "https://git.example.net", TONGS_TOKEN: "not-a\nsecret" } } },
      ["usage", "TONGS_TOKEN is not a valid token: it has a space, a line break or another special character"],
    ],
    [
      "--host is another server's than --profile",
      { hints: { profile: "below", host: "https://git.example.org" } },
      [
        "usage",
        "--host is https://git.example.org, but the selected server is https://example.org/git (selected by --profile)",
      ],
    ],
    [
      "the repository is on another host than --profile",
      { hints: { profile: "below", repoHost: "git.example.org" } },
      [
        "usage",
        "The repository is on git.example.org, but the selected server is https://example.org/git (selected by --profile)",
      ],
    ],
    [
      "the repository is on another host than --host",
      { hints: { host: "git.example.org", repoHost: "https://example.org/git" } },
      [
        "usage",
        "The repository is on https://example.org/git, but the selected server is https://git.example.org (selected by --host)",
      ],
    ],
  ])("is refused if %s", async (_what, given, wanted) => {
    expect(await chosen(given)).toEqual(wanted);
  });

  it.each<[string, Case, Name]>([
    [
      "TONGS_PROFILE",
      { default: "main", hints: { repoHost: "git.example.org", env: { TONGS_PROFILE: "bot" } } },
      "bot",
    ],
    ["the default", { default: "bot", hints: { repoHost: "git.example.org" } }, "bot"],
    ["the order they were stored in", { default: "local", hints: { repoHost: "git.example.org" } }, "main"],
  ])("is, for several accounts on one host, determined by %s", async (_what, given, wanted) => {
    expect(await chosen(given)).toEqual(of(wanted, "the host of the repository"));
  });

  it.each<[string, Name]>([
    ["/projects/alias", "alias"],
    ["/projects/alias/x", "alias"],
    ["/projects/alias/deep/x", "alias"],
    ["/projects/alias/deeper", "deeper"],
    ["/projects/alias/deeper/x", "deeper"],
    ["/projects/aliased", "main"],
    ["/projects", "main"],
  ])("is from the rule of the nearest folder in %s", async (cwd, wanted) => {
    expect((await chosen({ default: "main", hints: { cwd }, remotes: [] }))[0]).toBe(wanted);
  });

  it.each<[string, Name]>([
    ["git.example.org", "main"],
    ["GIT.Example.ORG", "main"],
    ["git.example.org:8443", "port"],
    ["https://git.example.org", "main"],
    ["https://git.example.org:8443/", "port"],
    ["example.org", "below"],
    ["example.org/git", "below"],
    ["https://example.org/git/", "below"],
    ["http://example.org/git", "below"],
    ["127.0.0.1:3000", "local"],
    ["http://127.0.0.1:3000", "local"],
    ["ssh-alias", "alias"],
  ])("is found for a repository on %s", async (repoHost, wanted) => {
    expect(await chosen({ hints: { repoHost } })).toEqual(of(wanted, "the host of the repository"));
  });

  it.each([
    ["https://example.org", "https://example.org"],
    ["example.org/other", "https://example.org/other"],
    ["https://example.org/git/more", "https://example.org/git/more"],
    ["127.0.0.1:3001", "http://127.0.0.1:3001"],
    ["git.example.org:8444", "https://git.example.org:8444"],
    ["https://intranet.example.org", "https://intranet.example.org"],
    ["git.example.org.example.net", "https://git.example.org.example.net"],
  ])("has no profile and no token for a repository on %s", async (repoHost, address) => {
    expect(await chosen({ hints: { repoHost } })).toEqual([
      undefined,
      address,
      undefined,
      "the host of the repository",
    ]);
  });

  it.each<[string, readonly string[], Name]>([
    ["with a path prefix", ["example.org/git"], "below"],
    ["in an ssh URL, which has no prefix", ["example.org"], "below"],
    ["that is an ssh alias", ["ssh-alias"], "alias"],
    ["of the account that git uses there", ["git.example.org bot"], "bot"],
    ["of an account that has no profile", ["git.example.org jonas"], "main"],
    ["of that of another remote there, as over SSH", ["git.example.org", "https://git.example.org bot"], "bot"],
    ["of its own account first", ["git.example.org mara", "git.example.org bot"], "main"],
    ["not of an account on another server", ["git.example.org", "nowhere.example.org bot"], "main"],
    ["of the first remote that has a profile", ["a.example.net", "127.0.0.1:3000", "example.org"], "local"],
  ])("is found by a git remote %s", async (_what, remotes, wanted) => {
    expect((await chosen({ default: "main", remotes }))[0]).toBe(wanted);
  });
});

describe("TONGS_TOKEN", () => {
  const token = "token-of-env";
  const there = { TONGS_HOST: "https://git.example.org:8443", TONGS_TOKEN: token };

  it.each<[string, Case, unknown[]]>([
    ["to TONGS_HOST, with no profile", { stored: [], hints: { env: there } }, [there.TONGS_HOST, token]],
    ["to TONGS_HOST instead of the token of its profile", { hints: { env: there } }, [there.TONGS_HOST, token]],
    [
      "to TONGS_HOST as it is spelled in CI, with the path of the API",
      { stored: [], hints: { env: { TONGS_HOST: " https://git.example.org:8443/api/v1/", TONGS_TOKEN: token } } },
      [there.TONGS_HOST, token],
    ],
    [
      "to TONGS_HOST with its path prefix",
      { stored: [], hints: { env: { TONGS_HOST: "https://example.org/git/", TONGS_TOKEN: token } } },
      ["https://example.org/git", token],
    ],
    [
      "to the repository's host when that is TONGS_HOST",
      { hints: { env: there, repoHost: "git.example.org:8443" } },
      [there.TONGS_HOST, token],
    ],
    [
      "to the port of TONGS_HOST, although a profile has another port",
      { stored: ["main"], hints: { env: there, repoHost: "git.example.org" } },
      [there.TONGS_HOST, token],
    ],
    [
      "to --host, when there is no TONGS_HOST",
      { hints: { host: "new.example.org", env: { TONGS_TOKEN: token } } },
      ["https://new.example.org", token],
    ],
    [
      "not to --host when TONGS_HOST is another",
      { hints: { host: "new.example.org", env: there } },
      ["https://new.example.org", undefined],
    ],
    [
      "not to a repository's other host",
      { hints: { repoHost: "new.example.org", env: there } },
      ["https://new.example.org", undefined],
    ],
    [
      "not to a repository's host without TONGS_HOST",
      { hints: { repoHost: "new.example.org", env: { TONGS_TOKEN: token } } },
      ["https://new.example.org", undefined],
    ],
    [
      "not instead of the token of a profile",
      { hints: { profile: "main", env: there } },
      ["https://git.example.org", "token-of-main"],
    ],
    [
      "not to the default profile",
      { default: "main", hints: { env: { TONGS_TOKEN: token } }, remotes: [] },
      ["https://git.example.org", "token-of-main"],
    ],
    ["not when it is empty", { hints: { env: { ...there, TONGS_TOKEN: "" } } }, [there.TONGS_HOST, "token-of-port"]],
  ])("is sent %s", async (_what, given, wanted) => {
    const [, address, sent] = await chosen(given);
    expect([address, sent]).toEqual(wanted);
  });

  it("can be sent to plain http only if that is allowed for the server", async () => {
    const env = (host: string) => ({ env: { TONGS_HOST: host, TONGS_TOKEN: token } });
    expect(await chosen({ hints: env("http://intranet.example.org") })).toContain(token);
    expect(await chosen({ hints: env("http://intranet.example.org:81") })).toContain("usage");
    expect(await chosen({ hints: env("http://127.0.0.1:1") })).toContain(token);
  });
});
