import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, tongs } from "../support/tongs.ts";

const profiles = {
  main: { host: "https://git.example.org", user: "mara" },
  bot: { host: "https://git.example.org", user: "bot" },
  port: { host: "https://git.example.org:8443", user: "mara" },
  below: { host: "https://example.org/git", user: "mara" },
  local: { host: "http://127.0.0.1:3000", user: "mara" },
  plain: { host: "http://intranet.example.org", user: "mara", insecure_http: true },
  refused: { host: "http://other.example.org", user: "mara" },
  signedOut: { host: "https://out.example.org", user: "mara" },
};

/** The lines that git gets for the lines it writes. */
async function answer(
  lines: readonly string[],
  { env = {}, operation = "get", flags = [] as readonly string[], usual = "main" } = {},
) {
  const folder = emptyFolder();
  const { signedOut: _none, ...signedIn } = profiles;
  const tokens = Object.fromEntries(Object.keys(signedIn).map((name) => [name, `token-of-${name}`]));
  writeFileSync(join(folder, "config.json"), JSON.stringify({ default: usual, profiles }), { mode: 0o600 });
  writeFileSync(join(folder, "credentials.json"), JSON.stringify({ tokens }), { mode: 0o600 });
  const ran = await tongs(["auth", "git-credential", operation, ...flags], {
    stdin: `${lines.join("\n")}\n\n`,
    env: { ...env, TONGS_CONFIG_DIR: folder },
  });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return ran.stdout;
}
const https = (host: string, ...more: string[]) => ["protocol=https", `host=${host}`, ...more];
const http = (host: string) => ["protocol=http", `host=${host}`];

describe("auth git-credential get", () => {
  it("prints the user and the token of the profile for that server, in git's lines", async () => {
    expect(await answer(https("git.example.org"))).toBe(
      "protocol=https\nhost=git.example.org\nusername=mara\npassword=token-of-main\n",
    );
  });

  it.each([
    ["the default profile", https("git.example.org"), { usual: "bot" }, "bot"],
    ["the user that git names", https("git.example.org", "username=bot"), {}, "bot"],
    ["--profile", https("git.example.org"), { flags: ["--profile", "bot"] }, "bot"],
    ["TONGS_PROFILE", https("git.example.org"), { env: { TONGS_PROFILE: "bot" } }, "bot"],
    ["the port", https("git.example.org:8443"), {}, "port"],
    ["the standard port", https("git.example.org:443"), {}, "main"],
    ["the case of the host", https("GIT.example.org"), {}, "main"],
    ["a path below the prefix", https("example.org", "path=git/mara/harbor.git"), {}, "below"],
    ["the loopback over http", http("127.0.0.1:3000"), {}, "local"],
    ["http where it is allowed", http("intranet.example.org"), {}, "plain"],
    ["a URL", ["url=https://git.example.org/mara/harbor.git"], {}, "main"],
    ["the user of a URL", ["url=https://bot:x@git.example.org/mara/harbor.git"], {}, "bot"],
    ["a URL below the prefix", ["url=https://example.org/git/mara/harbor.git"], {}, "below"],
  ])("chooses the token by %s", async (_what, lines, world, name) => {
    expect(await answer(lines, world)).toContain(`password=token-of-${name}\n`);
  });

  it("takes a username with a bad % as it is written", async () => {
    expect(await answer(["url=https://%zz@git.example.org/mara/harbor.git"])).toBe("");
  });

  it("answers with the token of TONGS_HOST for that host alone", async () => {
    const env = { TONGS_HOST: "https://ci.example.org", TONGS_TOKEN: "token-of-ci" };
    expect(await answer(https("ci.example.org"), { env })).toContain("password=token-of-ci\n");
    expect(await answer(https("git.example.org"), { env })).toContain("password=token-of-main\n");
    expect(await answer(https("evil.example.org"), { env })).toBe("");
    const broken = { ...env, TONGS_TOKEN: "token of\nci" };
    expect(await answer(https("git.example.org"), { env: broken })).toContain("password=token-of-main\n");
  });

  it.each([
    ["another host", https("evil.example.org")],
    ["a host that ends alike", https("evilgit.example.org")],
    ["a host that begins alike", https("git.example.org.evil.example")],
    ["a host with a user part", https("git.example.org@evil.example")],
    ["a host with a path", https("git.example.org/x")],
    ["a host with a query", https("git.example.org?.evil.com")],
    ["a host with a fragment", https("git.example.org#.evil.com")],
    ["a host after an @", https("evil.com@git.example.org")],
    ["a host after an empty user", https("@git.example.org")],
    ["a host with a backslash", https("git.example.org\\.evil.com")],
    ["a host with a TAB", https("git.exa\tmple.org")],
    ["a host that ends with a TAB", https("git.example.org\t")],
    ["a host that ends with a CR", https("git.example.org\r")],
    ["a host with an escape", https("git.example%2eorg")],
    ["a host with a space", https(" git.example.org")],
    ["a host in wide letters", https("ｇit.example.org")],
    ["a host with a soft hyphen", https("git.exam\u00adple.org")],
    ["a host with a dot at its end", https("git.example.org.")],
    ["an address in another spelling", http("127.1:3000")],
    ["a port with a zero before it", https("git.example.org:0443")],
    ["an empty port", https("git.example.org:")],
    ["a path that leaves the prefix", https("example.org", "path=git/../evil/harbor.git")],
    ["a path that leaves the prefix by an escape", https("example.org", "path=git/%2e%2e/evil/harbor.git")],
    ["a path that leaves the prefix by a backslash", https("example.org", "path=git/..\\evil")],
    ["a path with a parameter", https("example.org", "path=git/..;/evil")],
    ["a path with a dot", https("example.org", "path=git/./harbor.git")],
    ["a path with a control character", https("example.org", "path=git/a\tb")],
    ["a username with a CR", https("git.example.org", "username=mara\rhost=evil")],
    ["a URL that leaves the prefix", ["url=https://example.org/git/%2e%2e/evil"]],
    ["a URL of another host before a fragment", ["url=https://git.example.org#@evil.com/x"]],
    ["a URL of another host after a user", ["url=https://git.example.org:x@evil.com/x"]],
    ["a URL with a TAB", ["url=https://git.exa\tmple.org/x"]],
    ["a URL without slashes", ["url=https:git.example.org"]],
    ["another port", https("git.example.org:9999")],
    ["http for an https profile", http("git.example.org")],
    ["https for an http profile", https("intranet.example.org")],
    ["http that is not allowed", http("other.example.org")],
    ["another user", https("git.example.org", "username=jonas")],
    ["no path below a prefix", https("example.org")],
    ["a path beside the prefix", https("example.org", "path=gitx/mara/harbor.git")],
    ["ssh", ["protocol=ssh", "host=git.example.org"]],
    ["a profile without a token", https("out.example.org")],
    ["no host", ["protocol=https"]],
    ["nothing", []],
    ["bytes that are no URL", https("git.example.org\u0000.evil")],
  ])("prints nothing for %s", async (_what, lines) => {
    expect(await answer(lines)).toBe("");
  });

  it("changes and prints nothing for store, erase and later operations", async () => {
    for (const operation of ["store", "erase", "capability"]) {
      const lines = https("git.example.org", "username=mara", "password=other");
      expect(await answer(lines, { operation })).toBe("");
    }
  });
});
