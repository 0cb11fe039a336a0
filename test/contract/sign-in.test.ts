import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { emptyFolder, tongs, type World } from "../support/tongs.ts";
import { openTarget, sandboxRelease, targetSoftware } from "./support.ts";

interface Account {
  readonly url: string;
  readonly login: string;
  readonly password: string;
  readonly token: string;
  readonly tellsScopes: boolean;
  close(): Promise<void>;
}

/** An account with a password and a token: one of the sandbox's, or one created on the real server. */
async function openAccount(): Promise<Account> {
  if (process.env["TONGS_CONTRACT_URL"] !== undefined) {
    const target = await openTarget();
    const { login, password, token } = await target.person("mara");
    const tellsScopes = target.has("GET", "/token");
    return { url: target.url, login, password, token, tellsScopes, close: () => target.close() };
  }
  const release = sandboxRelease();
  const sandbox = await startSandbox({ port: 0, now: () => new Date(), env: process.env, release });
  const mara = sandbox.users.find(({ login }) => login === "mara");
  if (mara === undefined) throw new Error("the sandbox has no mara");
  return { ...mara, url: sandbox.url, tellsScopes: release.product === "gitea", close: () => sandbox.close() };
}

describe("signing in", () => {
  let mara: Account;
  const folder = join(emptyFolder(), "tongs");
  const run = (line: readonly string[], world: World = {}) =>
    tongs(line, { ...world, env: { TONGS_CONFIG_DIR: folder } });

  beforeAll(async () => {
    mara = await openAccount();
  });
  afterAll(() => mara.close());

  it("rejects a wrong token with 4", async () => {
    const ran = await run(["auth", "login", "--host", mara.url, "--token-stdin"], { stdin: "0".repeat(40) });
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("did not accept the token") });
    expect((await run(["profile", "list", "--json"])).json()).toEqual([]);
  });

  it("stores a valid token and reports its owner", async () => {
    const login = ["auth", "login", "--host", mara.url, "--profile", "mara", "--token-stdin", "--json"];
    expect((await run(login, { stdin: mara.token })).json()).toMatchObject({ name: "mara", user: mara.login });
    expect(await run(["auth", "status", "--jq", ".user"])).toMatchObject({ code: 0, stdout: `${mara.login}\n` });
    expect((await run(["auth", "token"])).stdout).toBe(`${mara.token}\n`);
  });

  it("creates a token with limited scopes from a username and password", async () => {
    const answers = ["Username and password", mara.login, mara.password, "Read only"];
    const login = ["auth", "login", "--host", mara.url, "--profile", "reader"];
    expect(await run(login, { terminal: true, answers })).toMatchObject({ code: 0 });
    const { scopes } = (await run(["profile", "show", "reader", "--json"])).json() as { readonly scopes: string[] };
    expect(scopes).toContain("read:repository");
    const refused = await run(["repo", "create", "refused", "--profile", "reader"]);
    expect(refused.code).toBe(4);
  });

  it("rejects a wrong password with 4", async () => {
    const answers = ["Username and password", mara.login, "not-the-password", "Read only", ""];
    const login = ["auth", "login", "--host", mara.url, "--profile", "wrong"];
    expect(await run(login, { terminal: true, answers })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Could not create a token"),
    });
  });

  it("lets tongs doctor find no problems", async () => {
    const ran = await run(["doctor", "--profile", "mara", "--json"]);
    expect(ran).toMatchObject({ code: 0 });
    const kind = (await targetSoftware()) === "gitea" ? "Gitea" : "Forgejo";
    expect(ran.json()).toMatchObject({ ok: true, user: mara.login, server: { kind } });
    // Only Gitea since 1.27 tells the scopes of a token.
    const scopes = mara.tellsScopes ? ["all"] : null;
    expect(ran.json()).toMatchObject({ scopes });
  });

  it("signs in on the pages of a server, works, renews the token, and signs out", async ({ skip }) => {
    if (process.env["TONGS_CONTRACT_URL"] === undefined)
      skip("test/commands/auth/web.test.ts has the pages of the sandbox");
    const account = Buffer.from(JSON.stringify({ login: mara.login, password: mara.password })).toString("base64url");
    const BROWSER = `${process.execPath} ${join(import.meta.dirname, "pages-program.cjs")} ${account}`;
    const at = ["--profile", "web"];
    const ran = await tongs(["auth", "login", "--web", "--host", mara.url, ...at], {
      env: { TONGS_CONFIG_DIR: folder, BROWSER },
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`Signed in as ${mara.login} on ${mara.url}`);
    const first = (await run(["auth", "token", ...at])).stdout;
    expect((await run(["repo", "create", "by-web", "--json", "name", ...at])).json()).toEqual({ name: "by-web" });
    // Tokens of the same second are equal.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await run(["auth", "refresh", ...at])).toMatchObject({ code: 0 });
    expect((await run(["auth", "token", ...at])).stdout).not.toBe(first);
    expect((await run(["api", "/user", "--jq", ".login", ...at])).stdout).toBe(`${mara.login}\n`);
    expect((await run(["auth", "logout", ...at])).code).toBe(0);
  });

  it("signs out", async () => {
    expect((await run(["auth", "logout", "--profile", "mara"])).code).toBe(0);
    expect((await run(["auth", "status", "--profile", "mara"])).code).toBe(4);
  });
});
