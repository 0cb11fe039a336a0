import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { end, pull as pullRecord } from "../commands/pr/pulls.ts";
import { serve, type TestServer } from "../support/server.ts";
import { isStandalone } from "./built.ts";
import { built, dist } from "./dist.ts";

const folders: string[] = [];
let server: TestServer | undefined;
afterEach(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  server = undefined;
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "tongs-startup-"));
  folders.push(made);
  return made;
}

// A hash of digits only is no large number, for which lossless-json would be loaded.
const head = { ...end("quay"), sha: "1234567890".repeat(4) };
const pull = pullRecord(12, { title: "Mend the quay", head });

/** An environment with a server without users that responds to any other request with one pull request, or a list of it. */
async function world(): Promise<Record<string, string>> {
  server = await serve(({ url }) => {
    if (url.includes("/users")) return url.includes("?") ? { body: [] } : { status: 404, body: { message: "none" } };
    return { headers: { "x-total-count": "1" }, body: url.includes("?") ? [pull] : pull };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return { ...env, TONGS_CONFIG_DIR: folder() };
}

async function loaded(argv: readonly string[], env: Readonly<Record<string, string>> = {}, stderr: unknown = "") {
  const LOADED = join(folder(), "loaded.json");
  const ran = await built(argv, { env: { ...env, LOADED }, require: join(import.meta.dirname, "loaded.cjs") });
  expect(ran).toMatchObject({ code: 0, stderr });
  const { own, builtin } = JSON.parse(readFileSync(LOADED, "utf8")) as { own: string[]; builtin: string[] };
  return {
    own: own.map((name) => name.replace(/-[\w-]{8}$/, "").replace(/^rolldown-runtime$/, "chunk")).sort(),
    builtin: builtin.sort(),
  };
}

/** The names of the files in dist, without their hashes. */
const files = () => readdirSync(dist).map((name) => name.replace(/-[\w-]{8}\.js$/, ""));

/** Modules that the streams of Node load, which differ between versions of Node. */
const ofStreams = [
  "diagnostics_channel",
  // The launcher enables the compile cache.
  "module",
  "stream",
  "stream/promises",
  "string_decoder",
  "timers",
  "timers/promises",
  "tty",
];
const besides = (builtin: readonly string[]) => builtin.filter((name) => !ofStreams.includes(name));

describe("loading", () => {
  it("for --version and --help is one file and no module of Node", async () => {
    for (const argv of [["--version"], ["--help"], ["-h"], []]) {
      const { own, builtin } = await loaded(argv);
      expect(own.filter((name) => name !== "chunk")).toEqual(["main"]);
      expect(besides(builtin)).toEqual([]);
    }
  });

  it("for the help of a noun is the command table, and no command", async () => {
    const { own, builtin } = await loaded(["pr", "--help"]);
    expect((await loaded(["pr", "merge", "--help"])).own, "the help of a command").toEqual(own);
    expect(own).toContain("commands");
    expect(own).not.toContain("execute");
    expect(besides(builtin)).toEqual([]);
  });

  it("for pr view does not include prompts, proxy support, jq, git, keyrings, web sign-in or decompression", async () => {
    const { own, builtin } = await loaded(["pr", "view", "12"], await world());
    const absent = [
      "prompts",
      "proxied",
      "jq",
      "conf",
      "cli-table3",
      "chalk",
      "lossless-json",
      "merge",
      "create",
      "keyring",
      "oauth",
    ];
    expect(absent.filter((name) => !files().includes(name))).toEqual([]);
    expect(own.filter((name) => absent.includes(name))).toEqual([]);
    expect(
      besides(builtin).filter((name) => ["child_process", "crypto", "zlib", "tls", "https"].includes(name)),
    ).toEqual([]);
  });

  it("for commands with progress does not include what redraws it, unless stderr is a terminal", async () => {
    const file = join(folder(), "people.csv");
    writeFileSync(file, "username,email,password\nada,ada@example.org,not-a-secret\n");
    const argv = ["user", "import", file, "--dry-run"];
    const { own } = await loaded(argv, await world(), expect.stringContaining("Dry run"));
    expect(files()).toContain("live");
    expect(own.filter((name) => ["import", "live"].includes(name))).toEqual(["import"]);
  });

  it("for metrics decode does not include network support or decompression", async () => {
    const file = join(import.meta.dirname, "..", "data", "metrics", "single-cpu-derive.bin");
    for (const format of ["ndjson", "text"]) {
      const { own, builtin } = await loaded(["metrics", "decode", "--format", format, file]);
      expect(own.filter((name) => ["open-context", "connector", "prompts", "undici"].includes(name))).toEqual([]);
      expect(builtin.filter((name) => ["http", "https", "net", "tls", "zlib", "child_process"].includes(name))).toEqual(
        [],
      );
    }
  });

  it("starts with a file of at most 30 KB", () => {
    expect(statSync(join(dist, "main.js")).size).toBeLessThanOrEqual(30 * 1024);
  });
});

describe("requests", () => {
  it.each([
    [["pr", "view", "12"], ["GET /api/v1/repos/mara/harbor/pulls/12"]],
    [["pr", "list"], ["GET /api/v1/repos/mara/harbor/pulls?state=open&page=1&limit=30"]],
  ])("of %j are %j", async (argv, lines) => {
    expect(await built(argv, { env: await world() })).toMatchObject({ code: 0, stderr: "" });
    expect(server?.lines()).toEqual(lines);
  });
});

describe("the built program", () => {
  it("includes the license of every bundled library, and of no other package", () => {
    const notices = readFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), "utf8");
    for (const name of ["commander", "undici", "@inquirer/select", "chalk", "jq-web", "log-update", "p-map"])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\n\n[^]*?(MIT|ISC|BSD|Permission)`, "m"));
    for (const name of ["vitest", "typescript", "rolldown"])
      expect(notices).not.toMatch(new RegExp(`^${name} \\d`, "m"));
  });

  it("prints no warning when seventeen requests listen for one signal", async () => {
    server = await serve((seen) => ({
      headers: { "x-total-count": "900" },
      body: Array.from({ length: 50 }, (_, index) => ({
        ...pull,
        id: Number(/page=(\d+)/.exec(seen.url)?.[1]) * 50 + index,
      })),
    }));
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor", TONGS_CONFIG_DIR: folder() };
    const ran = await built(["pr", "list", "--all", "--jsonl"], { env });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout.trim().split("\n")).toHaveLength(900);
  });

  it("loads each of its libraries", async () => {
    const env = await world();
    const forms: [string[], string][] = [
      [["--csv"], "12"],
      [["--jq", ".number"], "12"],
      [["--json", "number"], '{"number":12}'],
    ];
    for (const [form, part] of forms) {
      const ran = await built(["pr", "view", "12", ...form], { env });
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(part), stderr: "" });
    }
    const set = await built(["profile", "list"], { env });
    expect(set.code).toBe(0);
    const proxied = await built(["pr", "view", "12"], { env: { ...env, HTTP_PROXY: server?.url ?? "" } });
    expect(proxied).toMatchObject({ code: 0, stderr: "" });
  });
});

const isCachedByNode = "enableCompileCache" in module;

const withoutCache = isStandalone ? " (skipped: standalone programs have none)" : "";

describe.skipIf(isStandalone)(`the compile cache${withoutCache}`, () => {
  const files = (cache: string) =>
    existsSync(join(cache, "tongs"))
      ? readdirSync(join(cache, "tongs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      : [];

  it("is stored in XDG_CACHE_HOME, accessible only to its owner, and reused", async () => {
    const XDG_CACHE_HOME = folder();
    const env = { ...(await world()), XDG_CACHE_HOME };
    const run = () => built(["pr", "view", "12", "--json", "number"], { env });
    expect(await run()).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
    expect(files(XDG_CACHE_HOME).length).toBeGreaterThan(0);
    expect(statSync(join(XDG_CACHE_HOME, "tongs")).mode & 0o777).toBe(0o700);
    expect(await run()).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
  });

  it("of Node 20 needs files without import(), which cached code cannot do", () => {
    const chunks = readdirSync(dist).filter((name) => name.endsWith(".js"));
    expect(chunks).toContain("main.js");
    expect(chunks.filter((name) => /[^.\w$]import\(/.test(readFileSync(join(dist, name), "utf8")))).toEqual([]);
  });

  it.skipIf(isCachedByNode)("of Node 20 is written again where it is damaged or of another program", async () => {
    const XDG_CACHE_HOME = folder();
    const env = { ...(await world()), XDG_CACHE_HOME };
    const run = () => built(["pr", "view", "12", "--json", "number"], { env });
    await run();
    const [at] = readdirSync(join(XDG_CACHE_HOME, "tongs"));
    const kept = join(XDG_CACHE_HOME, "tongs", at ?? "");
    const [first = "", second = "", third = "", fourth = ""] = readdirSync(kept).map((name) => join(kept, name));
    const sound = [first, second, third, fourth].map((file) => readFileSync(file));
    const flipped = Buffer.from(readFileSync(first));
    flipped[flipped.length - 9] = (flipped.at(-9) ?? 0) ^ 0xff;
    writeFileSync(first, flipped);
    writeFileSync(second, "");
    writeFileSync(third, Buffer.alloc(sound[2]?.length ?? 0));
    writeFileSync(fourth, readFileSync(first));
    const damaged = statSync(second).ino;
    expect(await run()).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
    expect(statSync(second).ino).not.toBe(damaged);
    const mended = [first, second, third, fourth].map((file) => statSync(file).ino);
    // Two caches of one file differ by some bytes.
    expect(readFileSync(second).length).toBeGreaterThan(0.9 * (sound[1]?.length ?? 0));
    expect(await run()).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
    expect(
      [first, second, third, fourth].map((file) => statSync(file).ino),
      "used",
    ).toEqual(mended);
    expect(readdirSync(kept).filter((name) => !name.endsWith(".js"))).toEqual([]);
  });

  it("is not used if others can write to the cache directory or a directory above it", async () => {
    const base = folder();
    for (const [open, cache] of [
      [base, base],
      [join(base, "above"), join(base, "above", "cache")],
    ] as const) {
      mkdirSync(cache, { recursive: true });
      chmodSync(open, 0o775);
      const env = { ...(await world()), XDG_CACHE_HOME: cache };
      expect(await built(["pr", "view", "12"], { env })).toMatchObject({ code: 0, stderr: "" });
      expect(files(cache)).toEqual([]);
      chmodSync(open, 0o755);
    }
  });

  it("is silently disabled if it cannot be written", async () => {
    const HOME = folder();
    writeFileSync(join(HOME, ".cache"), "in the way");
    expect(await built(["pr", "view", "12"], { env: { ...(await world()), HOME } })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });
});
