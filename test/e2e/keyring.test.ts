import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { gitea } from "../commands/auth/forges.ts";
import type { TestServer } from "../support/server.ts";
import { emptyFolder } from "../support/tongs.ts";
import { isStandalone, shellProgram as tongs } from "./built.ts";

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
afterEach(() => server?.close());

/** Runs lines of a shell in a session with a keyring of its own, which `daemon` starts. */
async function inSession(folder: string, daemon: string, lines: string, env: Readonly<Record<string, string>> = {}) {
  const { spawn } = await import("node:child_process");
  const child = spawn("dbus-run-session", ["--", "sh", "-c", `${daemon} >/dev/null 2>&1\n${lines}`], {
    env: {
      ...{ PATH: process.env["PATH"], HOME: folder, XDG_DATA_HOME: join(folder, "data"), XDG_RUNTIME_DIR: folder },
      ...{
        TONGS_CONFIG_DIR: join(folder, "tongs"),
        XDG_STATE_HOME: join(folder, "state"),
        XDG_CACHE_HOME: folder,
        ...env,
      },
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
