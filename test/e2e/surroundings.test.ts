import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { gitea } from "../commands/auth/forges.ts";
import { pull } from "../commands/pr/pulls.ts";
import { type AccountServer, accountServer } from "../commands/user/import/forge.ts";
import { serve, type TestServer } from "../support/server.ts";
import { emptyFolder, isStandalone, startBuilt } from "./built.ts";

const token = { TONGS_TOKEN: "not-a-real-token" };

async function run(typed: readonly string[] | string, env: Readonly<Record<string, string>>, cwd = emptyFolder()) {
  const running = startBuilt(typed, { env, cwd });
  const late = setTimeout(() => running.kill("SIGKILL"), 240_000);
  const code = await running.ended;
  clearTimeout(late);
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

const reason = isStandalone ? " (skipped: the runtime of standalone programs needs a current directory)" : "";
describe.skipIf(isStandalone)(`in a current directory that was deleted${reason}`, () => {
  const reading = join(import.meta.dirname, "..", "data", "metrics", "single-cpu-derive.bin");
  const missing = "✗ The current directory no longer exists\n  Change to another directory: cd DIR\n";
  let server: TestServer;
  beforeEach(async () => {
    server = await serve(({ url }) => ({ body: url.includes("/pulls/") ? pull(12) : { version: "1.24.0" } }), {
      saysVersion: true,
    });
  });

  const inDeleted = (typed: string) => {
    const cwd = emptyFolder();
    const env = { ...token, TONGS_HOST: server.url, TONGS_CONFIG_DIR: join(cwd, "config") };
    return run(`mkdir gone && cd gone && rmdir ../gone && tongs ${typed}`, env, cwd);
  };

  it.each([
    ["--version", /^tongs \d/],
    ["pr --help", /^Manage pull requests/],
    [`metrics decode ${reading}`, /cpu/],
    ["api /version", /1\.24\.0/],
    ["pr view 12 -R mara/harbor --json number", /^\{"number":12\}$/m],
    ["profile list --json", /^\[\]$/m],
    ["schema pr view", /"pr view"/],
  ])("tongs %s works", async (typed, printed) => {
    const ran = await inDeleted(typed);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toMatch(printed);
  });

  it.each(["pr view 12", "metrics decode reading.bin"])("tongs %s reports it", async (typed) => {
    expect(await inDeleted(typed)).toEqual({ code: 1, stdout: "", stderr: missing });
  });

  it("a jq program cannot run, and says why", async () => {
    const ran = await inDeleted("pr view 12 -R mara/harbor --jq .number");
    expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining('"no_current_directory"') });
  });
});

describe("a folder for settings in which nothing can be created", () => {
  const paths = ["/proc", "/proc/self/fd", "/dev/null", "/proc/self/status"];
  let server: TestServer;
  beforeEach(async () => {
    server = await gitea({ tokens: { "not-a-real-token": "mara" } });
  });

  it
    .skipIf(!existsSync("/proc/self"))
    .each(
      paths.flatMap((path): Record<string, string>[] => [
        { HOME: path, TONGS_CONFIG_DIR: "" },
        { TONGS_CONFIG_DIR: path },
        { TONGS_CONFIG_DIR: join(path, "a", "b") },
      ]),
    )("%j ends auth login at once, with a reason (skipped where there is no /proc)", async (env) => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "token"), "not-a-real-token\n");
    const ran = await run(["auth", "login", "--token-file", "token", "--host", server.url], env, cwd);
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    // The administrator could make it private, for everybody.
    expect((statSync("/proc").mode & 0o777).toString(8)).toBe("555");
    expect(ran.stderr).toMatch(/^✗ Cannot (read|write) \S+: [a-z ]+ \(E[A-Z]+\)\n/);
  });

  it.skipIf(!existsSync("/proc/self"))(
    "does not stop a command that needs no settings (skipped where there is no /proc)",
    async () => {
      for (const HOME of ["/proc", "/proc/self/fd"]) {
        const env = { ...token, HOME, TONGS_CONFIG_DIR: "", TONGS_HOST: server.url };
        expect(await run(["api", "/user", "--jq", ".login"], env)).toEqual({ code: 0, stdout: "mara\n", stderr: "" });
      }
    },
  );

  it("is refused if a file in it is a pipe", async () => {
    const line = 'mkdir settings && mkfifo settings/config.json && TONGS_CONFIG_DIR="$PWD/settings" tongs profile list';
    const ran = await run(line, {});
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("config.json is not valid: not a regular file"),
    });
  });
});

it.skipIf(!existsSync("/proc/self"))(
  "a folder to write to in which nothing can be created ends file get and metrics decode (skipped without /proc)",
  async () => {
    const content = { name: "a", path: "a", type: "file", encoding: "base64", content: "aGk=", size: 2, sha: "0" };
    const server = await serve(({ url }) => ({ body: url.includes("file-contents") ? [content] : content }));
    const env = { ...token, TONGS_HOST: server.url, TONGS_REPO: "mara/harbor" };
    const reading = join(import.meta.dirname, "..", "data", "metrics", "single-cpu-derive.bin");
    const decode = ["metrics", "decode", reading, "--format", "parquet", "--partition-by", "day", "-o", "/proc/none/x"];
    for (const line of [["file", "get", "a", "--dir", "/proc/none/x"], decode]) {
      const ran = await run(line, env);
      expect(ran, line.join(" ")).toMatchObject({ code: 1, stderr: expect.stringContaining("/proc/none") });
    }
    await server.close();
  },
);

describe("a file of an import that is not a regular file", () => {
  let server: AccountServer;
  beforeEach(async () => {
    server = await accountServer();
  });

  it.each([
    ["--generate-passwords", "/dev/full", "is not a regular file"],
    ["--generate-passwords", "pipe", "is not a regular file"],
    ["--generate-passwords", "folder", "is not a regular file"],
  ])("is refused at once (%s %s), and nothing is sent", async (flag, path, reason) => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "people.csv"), "username,email,password\nmara,mara@example.org,not-a-secret-1\n");
    const env = { ...token, TONGS_HOST: server.url };
    const ran = await run(`mkfifo pipe && tongs user import people.csv ${flag} ${path}`, env, cwd);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`${path} ${reason}\n`)]);
    expect(server.accounts.size).toBe(0);
    expect(readFileSync(join(cwd, "people.csv"), "utf8")).toContain("mara@");
  });
});
