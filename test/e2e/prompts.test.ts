import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder } from "./built.ts";
import { keys, missing, onTerminal } from "./terminal.ts";

const sandbox = await testSandbox();

describe(`prompts on a terminal${missing}`, { skip: missing !== "" }, () => {
  it("auth login prompts for the server and the token, which is never shown, and stores both for their owner only", async () => {
    const cwd = emptyFolder();
    const token = sandbox.token("mara");
    const login = await onTerminal(["auth", "login"], { cwd });
    await login.until("Server address");
    login.type(`${sandbox.url}${keys.enter}`);
    await login.until("How would you like to authenticate?");
    login.type(`${keys.down}${keys.enter}`);
    await login.until("Paste your access token");
    login.type(`${token}${keys.enter}`);
    await login.until("Authenticate Git with this account?");
    login.type(`n${keys.enter}`);
    expect(await login.ended).toBe(0);
    expect(login.read()).toContain("Signed in as mara on");
    expect(login.written()).not.toContain(token);

    const config = join(cwd, "config");
    expect(statSync(config).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(config)) expect(statSync(join(config, name)).mode & 0o077, name).toBe(0);
    const who = await onTerminal(["auth", "status"], { cwd });
    expect(await who.ended).toBe(0);
    expect(who.read()).toContain("mara");
  });

  it("Ctrl-C at a prompt exits with 3 and stores nothing", async () => {
    const cwd = emptyFolder();
    const login = await onTerminal(["auth", "login"], { cwd });
    await login.until("Server address");
    login.type(keys.interrupt);
    expect(await login.ended).toBe(3);
    expect(login.read()).toContain("Cancelled; nothing was done");
    expect(existsSync(join(cwd, "config", "credentials.json"))).toBe(false);
  });

  it("a destructive command prompts, and no exits with 3 without a request", async () => {
    const before = await sandbox.ask("GET", "/repos/mara/harbor", "mara");
    const env = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara") };
    const asked = await onTerminal(["repo", "delete", "mara/harbor"], { env });
    await asked.until("Type mara/harbor");
    asked.type(keys.interrupt);
    expect(await asked.ended).toBe(3);
    expect((await sandbox.ask("GET", "/repos/mara/harbor", "mara")).status).toBe(before.status);
  });

  it("there is no prompt with --no-input, in CI or for JSON: a usage error names the flag", async () => {
    for (const [argv, env] of [
      [["auth", "login", "--no-input"], {}],
      [["auth", "login"], { CI: "true" }],
      [["auth", "login", "--json"], {}],
    ] as const) {
      const refused = await onTerminal(argv, { env });
      expect(await refused.ended, argv.join(" ")).toBe(2);
      expect(refused.read()).toContain("--host is required");
    }
  });
});
