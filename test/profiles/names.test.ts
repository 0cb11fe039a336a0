import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Config } from "../../src/profiles/profile.ts";
import { serverAddress } from "../../src/profiles/server.ts";
import { checkProfileName, nameForSignIn } from "../../src/profiles/settings.ts";
import { cacheFolder, configFolder, homeFolder, stateFolder } from "../../src/system/base-folders.ts";
import { bundleFile } from "../support/bundle.ts";

describe("the name of a new profile", () => {
  const profiles = {
    "git.example.org": { host: "https://git.example.org", user: "mara" },
    bot: { host: "https://git.example.org", user: "Bot" },
    out: { host: "https://out.example.org" },
    "other.example.org": { host: "https://elsewhere.example.org", user: "mara" },
  } satisfies Config["profiles"];

  it.each([
    ["https://new.example.org", "mara", "new.example.org"],
    ["https://example.org/git/", "mara", "example.org/git"],
    ["http://127.0.0.1:3000", "mara", "127.0.0.1:3000"],
    ["https://git.example.org", "mara", "git.example.org"],
    ["https://git.example.org", "bot", "bot"],
    ["https://git.example.org", "jonas", "git.example.org-jonas"],
    ["https://out.example.org", "jonas", "out"],
    ["https://other.example.org", "mara", "other.example.org-mara"],
  ])("for %s and %s is %s", (host, user, wanted) => {
    expect(nameForSignIn({ profiles }, serverAddress(host), user)).toBe(wanted);
  });

  it("is never taken", () => {
    const taken = { host: "https://elsewhere.example.org", user: "priya" };
    const config = { profiles: { "new.example.org": taken, "new.example.org-mara": taken } };
    expect(nameForSignIn(config, serverAddress("new.example.org"), "mara")).toBe("new.example.org-mara-2");
  });

  it.each(["", "-x", "two words", "a\u001bb"])("cannot be '%s'", (name) => {
    expect(() => checkProfileName(name)).toThrow(/is not a valid profile name/);
  });
});

describe("the configuration folder", () => {
  it.each([
    [{ TONGS_CONFIG_DIR: "/own", XDG_CONFIG_HOME: "/xdg", HOME: "/home/mara" }, "/own"],
    [{ TONGS_CONFIG_DIR: "", XDG_CONFIG_HOME: "/xdg", HOME: "/home/mara" }, "/xdg/tongs"],
    [{ XDG_CONFIG_HOME: "relative", HOME: "/home/mara" }, "/home/mara/.config/tongs"],
    [{ HOME: "/home/mara" }, "/home/mara/.config/tongs"],
    [{ HOME: "", USERPROFILE: "/users/mara" }, "/users/mara/.config/tongs"],
  ])("of %j is %s", (env, wanted) => {
    expect(configFolder(env)).toBe(wanted);
  });

  it("is never relative: the current directory can be somebody else's repository", () => {
    expect(configFolder({ HOME: "" })).toBe(join(userInfo().homedir, ".config/tongs"));
    for (const folder of [configFolder, stateFolder, cacheFolder, homeFolder])
      expect(() => folder({ HOME: "clone" })).toThrow("HOME is not an absolute path: 'clone'");
    expect(() => configFolder({ TONGS_CONFIG_DIR: ".config", HOME: "/home/mara" })).toThrow("TONGS_CONFIG_DIR is not");
  });

  // As in a container that is run with --user 54321. Only root can start a process so.
  it.runIf(process.getuid?.() === 0)("needs HOME where the user ID has no account", async () => {
    const script = join(mkdtempSync(join(tmpdir(), "home-")), "home.js");
    await bundleFile(join(import.meta.dirname, "account-home.ts"), { file: script, format: "cjs" });
    const source = readFileSync(script);
    const { stdout } = spawnSync(process.execPath, ["-"], { uid: 54_321, input: source, encoding: "utf8" });
    expect(JSON.parse(stdout)).toMatchObject({ code: "config", hint: "Set HOME to a directory." });
  });
});
