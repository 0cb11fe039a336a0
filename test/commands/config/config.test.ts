import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";

let cwd: string;
beforeEach(() => {
  cwd = emptyFolder();
});

const run = (line: readonly string[], world: World = {}) => tongs(["config", ...line], { cwd, ...world });
const file = () => join(cwd, ".tongs-test", "config.json");
const stored = () => JSON.parse(readFileSync(file(), "utf8")) as Record<string, unknown>;
function store(content: object): void {
  mkdirSync(join(cwd, ".tongs-test"), { mode: 0o700 });
  writeFileSync(file(), JSON.stringify(content), { mode: 0o600 });
}

describe("tongs config", () => {
  it("stores a setting beside the profiles, prints it, and removes it", async () => {
    const profiles = { home: { host: "https://git.example.org" } };
    store({ profiles });
    const set = await run(["set", "editor", "code --wait"]);
    expect(set).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Set editor to code --wait") });
    expect(stored()).toEqual({ profiles, editor: "code --wait" });
    expect(await run(["get", "editor"])).toMatchObject({ code: 0, stdout: "code --wait\n" });
    expect((await run(["unset", "editor"])).code).toBe(0);
    expect(stored()).toEqual({ profiles });
  });

  it("survives a change of the profiles", async () => {
    store({ profiles: { home: { host: "https://git.example.org" } } });
    await run(["set", "git_protocol", "ssh"]);
    expect((await tongs(["profile", "set", "home", "user", "mara"], { cwd })).code).toBe(0);
    expect(stored()).toMatchObject({ git_protocol: "ssh", profiles: { home: { user: "mara" } } });
  });

  it("prints the default of a setting, and nothing for one without", async () => {
    expect((await run(["get", "git_protocol"])).stdout).toBe("https\n");
    expect(await run(["get", "pager"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("pager is not set"),
    });
  });

  it("lists all settings with their values or defaults", async () => {
    await run(["set", "pager", "less -R"]);
    const listed = await run(["list"], { env: { TONGS_PAGER: "more", XDG_STATE_HOME: emptyFolder() } });
    const lines = [
      "editor\t\t",
      "pager\tless -R\tTONGS_PAGER",
      "browser\t\t",
      "git_protocol\thttps\t",
      "update_url\t\t",
    ];
    expect(listed.stdout).toBe(`${[...lines, "journal\ton\t"].join("\n")}\n`);
    expect((await run(["list", "--json"])).json()).toContainEqual({
      key: "pager",
      value: "less -R",
      default: null,
      overridden_by: null,
    });
  });

  it.each([
    [["get", "colour"], "editor, pager, browser, git_protocol, update_url, journal"],
    [["set", "git_protocol", "git"], "git_protocol must be one of https, ssh"],
    [["set", "journal", "never"], "journal must be one of on, off"],
    [["set", "editor", " "], "editor must be a command in one line"],
    [["set", "pager", ""], "tongs config unset pager"],
    [["set", "pager", "less\nmore"], "pager must be a command in one line"],
    [["set", "update_url", "http://updates.example.org"], "must be an address that begins with https://"],
    [["set", "update_url", "https://mara:secret@updates.example.org"], "must not contain a username or password"],
  ])("refuses %j and says what is known", async (line, reason) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    expect(() => stored()).toThrow();
  });

  it("says that an environment variable is used instead", async () => {
    const set = await run(["set", "pager", "less"], { env: { TONGS_PAGER: "cat" } });
    expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining("TONGS_PAGER is set and used instead") });
    expect((await run(["get", "pager"], { env: { TONGS_PAGER: "cat" } })).stdout).toBe("less\n");
  });

  it("stores nothing with --dry-run", async () => {
    const ran = await run(["set", "journal", "off", "--dry-run"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("would set journal to 'off'") });
    expect(() => stored()).toThrow();
  });

  it("reports a value in the file that is not valid, which can be replaced", async () => {
    store({ journal: "sometimes" });
    expect(await run(["get", "journal"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'journal' must be one of on, off"),
    });
    expect((await run(["set", "journal", "off"])).code).toBe(0);
    expect(stored()).toEqual({ journal: "off" });
  });

  it("is not read from a file that other users can change", async () => {
    store({ pager: "sh -c mischief" });
    chmodSync(file(), 0o666);
    expect(await run(["get", "pager"])).toMatchObject({ code: 1, stderr: expect.stringContaining("Other users can") });
  });
});
