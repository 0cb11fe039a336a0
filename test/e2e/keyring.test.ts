import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitea } from "../commands/auth/forges.ts";
import type { TestServer } from "../support/server.ts";
import { emptyFolder } from "../support/tongs.ts";
import { isStandalone, startBuilt, shellProgram as tongs } from "./built.ts";

/** Why a real keyring cannot be used here. */
function missing(): string | undefined {
  if (isStandalone) return "standalone programs have no keyring";
  if (process.platform !== "linux") return "the test needs the Secret Service of Linux";
  for (const name of ["dbus-run-session", "gnome-keyring-daemon"]) {
    if (spawnSync(name, ["--version"]).error) return `${name} is not installed`;
  }
  return undefined;
}
const reason = missing();

let server: TestServer | undefined;

/** Runs lines of a shell in a session with a keyring of its own, which `daemon` starts. */
async function inSession(folder: string, daemon: string, lines: string, env: Readonly<Record<string, string>> = {}) {
  const { spawn } = await import("node:child_process");
  const child = spawn("dbus-run-session", ["--", "sh", "-c", `${daemon} >/dev/null 2>&1\n${lines}`], {
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      XDG_DATA_HOME: join(folder, "data"),
      XDG_RUNTIME_DIR: folder,
      TONGS_CONFIG_DIR: join(folder, "tongs"),
      XDG_STATE_HOME: join(folder, "state"),
      XDG_CACHE_HOME: folder,
      ...env,
    },
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    texts.stdout += String(text);
  });
  child.stderr.on("data", (text) => {
    texts.stderr += String(text);
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, ...texts };
}
const unlocked = "printf not-a-secret-pw | gnome-keyring-daemon --unlock --components=secrets";
const locked = "gnome-keyring-daemon --start --components=secrets";

/** Writes the configuration of a profile whose token is in the keyring. */
function storeInKeyring(config: string): void {
  mkdirSync(config, { mode: 0o700 });
  const work = { host: "http://127.0.0.1:9", user: "mara", since: "2026-01-01T00:00:00Z" };
  writeFileSync(join(config, "config.json"), JSON.stringify({ default: "work", profiles: { work } }));
  writeFileSync(join(config, "credentials.json"), JSON.stringify({ keyring: ["work"] }), { mode: 0o600 });
}

describe.skipIf(reason !== undefined)(`a real keyring${reason === undefined ? "" : ` (${reason})`}`, () => {
  it("holds the token of a sign-in, and a later process finds it there", async () => {
    server = await gitea({ tokens: { "not-a-secret-token": "mara" } });
    const folder = emptyFolder();
    const login = `printf not-a-secret-token | ${tongs} auth login --host ${server.url} --profile work --token-stdin`;
    const ran = await inSession(folder, unlocked, `${login}\n${tongs} auth token\n${tongs} auth status --jq .token_in`);
    expect(ran).toMatchObject({ code: 0, stdout: "not-a-secret-token\nthe keyring\n" });
    expect(ran.stderr).not.toContain("is stored in");
    const file = readFileSync(join(folder, "tongs", "credentials.json"), "utf8");
    expect(JSON.parse(file)).toEqual({ tokens: {}, keyring: ["work"] });

    // In the next session nobody has unlocked it, and there is no desktop to ask.
    const later = await inSession(folder, locked, `${tongs} auth token`);
    expect(later).toMatchObject({ code: 4, stdout: "" });
    expect(later.stderr).toContain("Could not access the token of profile 'work' in the keyring");
    expect(later.stderr).toContain("Unlock the keyring");

    const out = await inSession(folder, unlocked, `${tongs} auth logout --profile work\n${tongs} auth token`);
    expect(out).toMatchObject({ code: 4 });
    expect(JSON.parse(readFileSync(join(folder, "tongs", "credentials.json"), "utf8"))).toEqual({ tokens: {} });
  });

  it("that is locked makes auto store the token in the file, and keyring fail", async () => {
    server = await gitea({ tokens: { "not-a-secret-token": "mara" } });
    const folder = emptyFolder();
    await inSession(folder, unlocked, "true");
    const login = `printf not-a-secret-token | ${tongs} auth login --host ${server.url} --profile work --token-stdin`;
    const strict = await inSession(folder, locked, login, { TONGS_CREDENTIAL_STORE: "keyring" });
    expect(strict).toMatchObject({ code: 4, stderr: expect.stringContaining("TONGS_CREDENTIAL_STORE=file") });
    const ran = await inSession(folder, locked, `${login}\n${tongs} auth token`);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("not-a-secret-token\n") });
    expect(ran.stderr.match(/because the keyring cannot be used/g)).toHaveLength(1);
  });
});

describe("the library of the keyring", () => {
  it("is never loaded from the current directory", async () => {
    const folder = emptyFolder();
    const library = join(folder, "node_modules", "@napi-rs", "keyring");
    mkdirSync(library, { recursive: true });
    const marker = join(folder, "loaded");
    writeFileSync(join(library, "index.js"), `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`);
    const env = { TONGS_CREDENTIAL_STORE: "keyring", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" };
    storeInKeyring(join(folder, "config"));
    const started = startBuilt(["auth", "token"], { cwd: folder, env });
    expect([await started.ended, started.stdout()]).toEqual([4, ""]);
    expect(started.stderr()).toContain("in the keyring: ");
    expect(existsSync(marker)).toBe(false);
  });
});

describe.skipIf(isStandalone || process.platform !== "linux")("a session bus that never answers", () => {
  /** Starts a command that needs a token of the keyring; `asked` resolves when it has connected to the bus. */
  function start(words: readonly string[]) {
    const folder = emptyFolder();
    const path = join(folder, "bus");
    const bus = createServer().listen(path);
    const asked = new Promise<void>((resolve) => bus.once("connection", () => resolve()));
    storeInKeyring(join(folder, "config"));
    const started = startBuilt(words, { cwd: folder, env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` } });
    return { started, bus, asked };
  }

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("does not keep a command from ending on %s", async (signal, code) => {
    const { started, bus, asked } = start(["pr", "list", "-R", "mara/harbor"]);
    await asked;
    started.kill(signal);
    expect(await started.ended).toBe(code);
    bus.close();
  });

  it("leaves completion silent", async () => {
    // On a busy machine its time can be up before it asks.
    const { started, bus } = start(["__complete", "pr", "view", "-R", "mara/harbor", ""]);
    expect(await started.ended).toBe(0);
    expect([started.stdout(), started.stderr()]).toEqual([":4\n", ""]);
    bus.close();
  });
});
