import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Seen, serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
const password = sandbox.users.find(({ login }) => login === "mara")?.password ?? "";

const run = (line: readonly string[], world: World = {}) =>
  sandbox.run(["token", ...line], { as: "mara", stdin: `${password}\n`, ...world });

describe("token", () => {
  it("creates a token and prints it once, lists it without it, and deletes it by name", async () => {
    const created = await run(["create", "ci", "--scope", "write:repository,read:user", "--password-stdin"]);
    expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{40}\n$/)]);
    const secret = created.stdout.trim();
    expect(created.stderr).toContain("Created token ci (write:repository, read:user)");
    expect(created.stderr).not.toContain(secret);
    const used = await sandbox.run(["user", "view", "--json", "login"], { env: { TONGS_TOKEN: secret } });
    expect(used.json()).toEqual({ login: "mara" });
    const listed = await run(["list", "--password-stdin"]);
    expect(listed.stdout).toContain(`\tci\t${secret.slice(-8)}\t`);
    expect(listed.stdout).not.toContain(secret);
    const deleted = await run(["delete", "ci", "--password-stdin", "--yes"], { stdin: password });
    expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining("Deleted token ci")]);
    expect((await sandbox.run(["user", "view"], { env: { TONGS_TOKEN: secret } })).code).toBe(4);
  });

  it("creates one on a server whose response has no scopes", async () => {
    const made = { id: 3, name: "ci", sha1: "not-a-secret-made", token_last_eight: "not-a-se", scopes: null };
    const server = await serve(({ method }) =>
      method === "POST" ? { status: 201, body: made } : { body: { login: "mara" } },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const line = ["token", "create", "ci", "--scope", "read:user", "--password-stdin"];
    const created = await tongs(line, { env, stdin: "not-a-secret-mara\n" });
    expect([created.code, created.stdout]).toEqual([0, "not-a-secret-made\n"]);
    expect(created.stderr).toContain("Created token ci (read:user)");
  });

  it("reads the password from a file, or prompts for it", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "password.txt"), `${password}\n`);
    expect((await run(["list", "--password-file", "password.txt"], { cwd, stdin: "" })).code).toBe(0);
    const asked = await run(["list"], { terminal: true, answers: [password] });
    expect([asked.code, asked.asked]).toEqual([0, ["Password of mara"]]);
  });

  it.each([
    [["--scope", "write:repo"], "Invalid value 'write:repo' for --scope"],
    [["--scope", "sudo"], "Invalid value 'sudo' for --scope"],
    [[], "--scope is required"],
  ])("checks scopes against the known list before anything is sent: %j", async (flags, words) => {
    sandbox.writes();
    const ran = await run(["create", "bad", ...flags, "--password-stdin"]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("says what to do if the password is wrong, and does not print it", async () => {
    const ran = await run(["list", "--password-stdin"], { stdin: "not-the-password" });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("/user/settings/applications")]);
    expect(ran.stderr).not.toContain("not-the-password");
  });

  it("deletes a token whose name is a number by its name, not the one with this ID", async () => {
    const first = (await run(["create", "first", "--scope", "all", "--password-stdin", "--json", "id,sha1"])).json();
    const { id } = first as { readonly id: number };
    await run(["create", String(id), "--scope", "all", "--password-stdin"]);
    const deleted = await run(["delete", String(id), "--password-stdin", "--yes"]);
    expect(deleted.code).toBe(0);
    const names = (await run(["list", "--password-stdin", "--jq", ".[].name"])).stdout;
    expect(names).toContain("first");
    expect(names.split("\n")).not.toContain(String(id));
  });

  it("manages the tokens of another user as an administrator", async () => {
    const admin = sandbox.users.find(({ login }) => login === "harbormaster")?.password ?? "";
    const line = ["token", "create", "given", "--user", "mara", "--scope", "all", "--password-stdin"];
    const made = await sandbox.run(line, { stdin: admin });
    const used = await sandbox.run(["user", "view", "--json", "login"], { env: { TONGS_TOKEN: made.stdout.trim() } });
    expect(used.json()).toEqual({ login: "mara" });
    const remove = ["token", "delete", "absent", "--user", "mara", "--password-stdin", "--yes"];
    const missing = await sandbox.run(remove, { stdin: admin });
    expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining("tongs token list --user mara")]);
  });

  it("sends nothing with --dry-run and masks the password", async () => {
    const ran = await run(["create", "dry", "--scope", "all", "--password-stdin", "--dry-run"]);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("POST")]);
    expect(ran.stdout).not.toContain(password);
  });
});

describe("token with two-factor authentication", () => {
  /** A server that accepts the password with a code, each code once. */
  async function strict() {
    const used = new Set<string>();
    return serve((seen: Seen) => {
      if (seen.url.startsWith("/api/v1/user") && !seen.url.includes("/tokens")) return { body: { login: "mara" } };
      const code = String(seen.headers["x-gitea-otp"] ?? "");
      if (!/^\d{6}$/.test(code) || used.has(code)) {
        return { status: 401, body: { message: "invalid username, password or token" } };
      }
      used.add(code);
      if (seen.method === "DELETE") return { status: 204 };
      const tokens = ["a", "b"].map((name, at) => ({ id: at + 1, name, scopes: ["all"] }));
      return { headers: { "x-total-count": "2" }, body: tokens };
    });
  }

  it("asks for a code, and for another one before each deletion", async () => {
    const server = await strict();
    const ran = await tongs(["token", "delete", "a", "b", "--yes"], {
      env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" },
      terminal: true,
      answers: ["not-a-secret", "111111", "222222", "333333"],
    });
    expect(ran.code).toBe(0);
    expect(ran.asked).toEqual([
      "Password of mara",
      "Two-factor code (leave empty if you have none)",
      "Next two-factor code",
      "Next two-factor code",
    ]);
    expect(server.lines().filter((line) => line.startsWith("DELETE"))).toHaveLength(2);
  });

  it("gives up if no code is entered", async () => {
    const server = await strict();
    const ran = await tongs(["token", "list"], {
      env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" },
      terminal: true,
      answers: ["not-a-secret", ""],
    });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("did not accept the password of mara")]);
  });
});
