import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/orgs", "mara", { username: "tidewater" });
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });

const value = "not-a-secret-value";
const repo = ["-R", "mara/buoy"];
const run = (line: readonly string[], world: World = {}) => sandbox.run(["secret", ...line], { as: "mara", ...world });

describe("secret", () => {
  it.each([
    ["a repository", repo],
    ["an organization", ["--org", "tidewater"]],
  ])("sets, lists and deletes secrets of %s, and never prints a value", async (_whose, level) => {
    const made = await run(["set", "lamp", ...level, "--description", "opens", "--body-file", "-", "--json"], {
      stdin: `${value}\n`,
    });
    expect(made.json()).toEqual([
      { name: "LAMP", description: "opens", created_at: expect.any(String), action: "create" },
    ]);
    const again = await run(["set", "LAMP", ...level], { stdin: value });
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Updated secret LAMP of")]);
    const listed = await run(["list", ...level, "--json", "name,description"]);
    expect(listed.json(), "the description is kept").toEqual([{ name: "LAMP", description: "opens" }]);
    for (const { stdout, stderr } of [made, again, listed]) expect(stdout + stderr).not.toContain(value);
    expect((await run(["delete", "lamp", ...level, "--yes"])).code).toBe(0);
    const gone = await run(["delete", "lamp", ...level, "--yes"]);
    expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining("Secret lamp not found in")]);
  });

  it("takes no value on the command line", async () => {
    for (const line of [
      ["set", "LAMP", value],
      ["set", "LAMP", "--body", value],
    ]) {
      expect((await run([...line, ...repo])).code).toBe(2);
    }
  });

  it("asks for the value without showing it", async () => {
    const ran = await run(["set", "LAMP", ...repo], { terminal: true, answers: ["", value] });
    expect([ran.code, ran.asked]).toEqual([0, ["Value of LAMP", "Value of LAMP"]]);
    expect(ran.stdout + ran.stderr).not.toContain(value);
  });

  it("masks the value in a dry run and in debug output", async () => {
    for (const flag of ["--dry-run", "--debug"]) {
      const ran = await run(["set", "MASKED", ...repo, flag], { stdin: value });
      expect(ran.code).toBe(0);
      expect(ran.stdout + ran.stderr).toContain("***");
      expect(ran.stdout + ran.stderr).not.toContain(value);
    }
  });

  it("sets the secrets of a .env file, ends with 11 if some failed, and prints no value", async () => {
    const server = await serve(({ method, url }) => {
      if (method === "GET") return { body: [{ name: "OLD", created_at: "2026-01-01T00:00:00Z" }] };
      return url.endsWith("/BAD") ? { status: 400, body: { message: "invalid secret name" } } : { status: 204 };
    });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "harbor.env"), `OLD="${value}"\nBAD='${value}'\n`);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["secret", "set", "-f", "harbor.env", "--org", "tidewater"], { cwd, env });
    expect([ran.code, ran.stderr]).toEqual([
      11,
      expect.stringContaining("2 secrets of organization tidewater: 1 to create, 1 to update"),
    ]);
    expect(ran.stdout + ran.stderr).not.toContain(value);
    expect(server.seen.filter(({ method }) => method === "PUT").map(({ body }) => body)).toEqual([
      `{"data":"${value}"}`,
      `{"data":"${value}"}`,
    ]);
  });
});
