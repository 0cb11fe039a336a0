import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

const token = "not-a-secret-0123456789";

/** A configuration with one profile. */
function signedIn(host = "https://git.example.org"): string {
  const folder = join(emptyFolder(), "config");
  mkdirSync(folder, { mode: 0o700 });
  const store = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value), { mode: 0o600 });
  store("config.json", { default: "work", profiles: { work: { host, user: "mara" } } });
  store("credentials.json", { tokens: { work: token } });
  return folder;
}

/** A clone with commits that no remote has. */
function clone(commits: number): string {
  const cwd = emptyFolder();
  const git = (...args: string[]) =>
    expect(spawnSync("git", args, { cwd, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } }).status).toBe(0);
  git("init", "-q", "-b", "gauge");
  git("remote", "add", "origin", "https://git.example.org/mara/harbor.git");
  for (let at = 0; at < commits; at += 1)
    git("-c", "user.name=Mara", "-c", "user.email=m@example.org", "commit", "-q", "--allow-empty", "-m", `c${at}`);
  return cwd;
}

const screens = [
  { name: "signed-out", env: () => ({}), cwd: emptyFolder },
  { name: "signed-in", env: () => ({ TONGS_CONFIG_DIR: signedIn() }), cwd: emptyFolder },
  {
    name: "in-a-clone",
    env: () => ({ TONGS_CONFIG_DIR: signedIn() }),
    cwd: () => clone(3),
  },
];

describe("tongs alone on a terminal", () => {
  describe.each(screens)("$name", ({ name, env, cwd }) => {
    it.each([50, 80, 120])("fits %i columns", async (columns) => {
      const world = { env: { XDG_STATE_HOME: emptyFolder(), NO_COLOR: "1", ...env() }, cwd: cwd(), columns };
      const ran = await tongs([], { ...world, terminal: true });
      expect([ran.code, ran.stderr]).toEqual([0, ""]);
      expect(ran.stdout.split("\n").filter((line) => line.length > columns)).toEqual([]);
      await expect(ran.stdout).toMatchFileSnapshot(`screens/start-${name}-${columns}.txt`);
    });
  });

  it("asks nobody, and shows five commands that exist", async () => {
    const server = await serve(() => ({ body: {} }));
    const env = { TONGS_CONFIG_DIR: signedIn(server.url), NO_COLOR: "1" };
    const ran = await tongs([], { env, terminal: true, columns: 120 });
    expect(ran.stdout).toContain(`mara on ${server.url}`);
    expect(ran.stdout.match(/^ {2}tongs /gm)).toHaveLength(5);
    expect(ran.stdout).not.toContain(token);
    expect(server.seen).toEqual([]);
  });

  it("is the help in a pipe", async () => {
    const piped = await tongs([]);
    expect(piped.stdout).toBe((await tongs(["--help"])).stdout);
    expect(piped.stdout).toContain("GLOBAL FLAGS");
  });

  it("says what is wrong with the configuration, and is no error", async () => {
    const folder = signedIn();
    writeFileSync(join(folder, "config.json"), "{", { mode: 0o600 });
    const ran = await tongs([], { env: { TONGS_CONFIG_DIR: folder, NO_COLOR: "1" }, terminal: true, columns: 120 });
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("config.json is not valid")]);
    expect(ran.stdout).toContain("tongs doctor");
  });

  it("shows escape codes in names as pictures", async () => {
    const env = { TONGS_HOST: "https://git.example.org", TONGS_REPO: "mara/har\u001b[2Jbor", NO_COLOR: "1" };
    const ran = await tongs([], { env, cwd: clone(0), terminal: true });
    expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining("\u001b")]);
  });
});
