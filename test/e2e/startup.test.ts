import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { built, dist } from "./dist.ts";

const folders: string[] = [];
let server: TestServer | undefined;
afterEach(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  await server?.close();
  server = undefined;
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "tongs-startup-"));
  folders.push(made);
  return made;
}

const pull = { id: 12, number: 12, title: "Mend the quay", state: "open", comments: 0, labels: [] };

/** An environment with a server that answers everything with one pull request, or a list of it. */
async function world(): Promise<Record<string, string>> {
  server = await serve((seen) => ({ headers: { "x-total-count": "1" }, body: seen.url.includes("?") ? [pull] : pull }));
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return { ...env, TONGS_CONFIG_DIR: folder() };
}

async function loaded(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const LOADED = join(folder(), "loaded.json");
  const ran = await built(argv, { env: { ...env, LOADED }, require: join(import.meta.dirname, "loaded.cjs") });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const { own, builtin } = JSON.parse(readFileSync(LOADED, "utf8")) as { own: string[]; builtin: string[] };
  return { own: own.map((name) => name.replace(/^chunk-.*/, "chunk")).sort(), builtin: builtin.sort() };
}

/** What Node's own streams bring along, which differs from one Node to another. */
const ofStreams = [
  "diagnostics_channel",
  "stream",
  "stream/promises",
  "string_decoder",
  "timers",
  "timers/promises",
  "tty",
];
const besides = (builtin: readonly string[]) => builtin.filter((name) => !ofStreams.includes(name));

describe("what is loaded", () => {
  it("for --version and --help is one file and nothing of Node's", async () => {
    for (const argv of [["--version"], ["--help"], ["-h"], []]) {
      expect(await loaded(argv)).toEqual({ own: ["main"], builtin: [] });
    }
  });

  it("for the help of a noun is the command table, and no command", async () => {
    const { own, builtin } = await loaded(["pr", "--help"]);
    expect(own).toEqual(["main", "run"]);
    expect(besides(builtin).filter((name) => name !== "net")).toEqual([]);
  });

  it("for pr view is what it needs: no other command, no library, no git, not Node's HTTP, no TLS, nothing to unpack", async () => {
    const { own, builtin } = await loaded(["pr", "view", "12"], await world());
    expect(own.filter((name) => name !== "chunk")).toEqual([
      ...["all-pr", "common", "core", "main", "pr-view", "run", "server"],
    ]);
    expect(own.filter((name) => name === "chunk").length).toBeLessThanOrEqual(3);
    expect(besides(builtin)).toEqual(["net", "os"]);
  });

  it("for metrics decode is the command and no way to any server, no stream, nothing to unpack", async () => {
    const file = join(import.meta.dirname, "..", "data", "metrics", "single-cpu-derive.bin");
    const { own, builtin } = await loaded(["metrics", "decode", file]);
    expect(own.filter((name) => name !== "chunk")).toEqual([
      "all-metrics",
      "common",
      "core",
      "main",
      "metrics-decode",
      "run",
    ]);
    expect(builtin).toEqual([]);
    // As text it is decoded the generic way, which needs nothing to unpack either.
    const { builtin: forText } = await loaded(["metrics", "decode", "--format", "text", file]);
    expect(forText).not.toContain("zlib");
  });

  it("begins with a file of at most 30 KB", () => {
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
  it("prints the version and the help to a pipe at once, and whole", async () => {
    const { version } = JSON.parse(readFileSync(join(dist, "..", "package.json"), "utf8")) as { version: string };
    expect(await built(["--version"])).toEqual({ code: 0, signal: null, stdout: `tongs ${version}\n`, stderr: "" });
    expect((await built(["--help"])).stdout).toBe(readFileSync(join(dist, "help", "root.txt"), "utf8"));
  });

  it("ends with 130 on Ctrl-C and with 143 on SIGTERM while a server keeps it waiting", async () => {
    for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
      let pid = 0;
      server = await serve(() => {
        process.kill(pid, signal);
        return undefined;
      });
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_CONFIG_DIR: folder() };
      const ran = await built(["api", "/version"], { env, started: (started) => (pid = started) });
      expect(ran).toMatchObject({ code, stdout: "" });
      expect(ran.stderr).toContain(signal === "SIGINT" ? "Interrupted" : "Terminated");
      await server.close();
    }
  });

  it("says nothing of its own when seventeen requests wait for one signal", async () => {
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

  it("reads a line that is not plain by the parser", async () => {
    expect(await built(["pr", "view", "12", "-qy"], { env: await world() })).toMatchObject({ code: 0, stderr: "" });
    const wrong = await built(["pr", "view", "12", "--limt", "3"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--limit") });
  });

  it("loads each of its libraries through the loader", async () => {
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

describe("the code that is kept for the next start", () => {
  const kept = (home: string) => {
    try {
      return readdirSync(join(home, ".cache", "tongs"), { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith(".bin"),
      );
    } catch {
      return [];
    }
  };

  it("is kept at home, for its owner alone, used again, and made anew when it is broken", async () => {
    const HOME = folder();
    const env = { ...(await world()), HOME };
    const run = () => built(["pr", "view", "12", "--json", "number"], { env });
    expect(await run()).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
    const files = kept(HOME);
    expect(files.map((file) => basename(file))).toEqual(["pr-view.bin"]);
    const code = join(HOME, ".cache", "tongs", files[0] ?? "");
    expect(statSync(code).mode & 0o777).toBe(0o600);

    const long = new Date("2001-01-01");
    utimesSync(code, long, long);
    expect((await run()).code).toBe(0);
    expect(statSync(code).mtime).toEqual(long);

    const whole = readFileSync(code);
    for (const broken of ["not code", whole.subarray(0, 3), whole.subarray(0, 200), whole.subarray(0, -5000)]) {
      writeFileSync(code, broken);
      expect(await run()).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
      expect(statSync(code).size).toBeGreaterThan(whole.length / 2);
    }
  });

  it("is each command's own, by the words that name it, and one for what these do not tell", async () => {
    const HOME = folder();
    const env = { ...(await world()), HOME };
    for (const argv of [
      ["pr", "view", "12"],
      ["pr", "list"],
      ["-q", "pr", "view", "12"],
      ["version", "--json"],
    ]) {
      expect((await built(argv, { env })).code).toBe(0);
    }
    const names = kept(HOME).map((file) => basename(file));
    expect(names.sort()).toEqual(["other.bin", "pr-list.bin", "pr-view.bin", "version.bin"]);
  });

  it("is kept in XDG_CACHE_HOME where that is set, and nowhere when it is switched off or cannot be written", async () => {
    const [HOME, XDG_CACHE_HOME] = [folder(), folder()];
    const env = { ...(await world()), HOME };
    const run = (more: Readonly<Record<string, string>>) => built(["pr", "view", "12"], { env: { ...env, ...more } });
    expect((await run({ XDG_CACHE_HOME })).code).toBe(0);
    expect(readdirSync(XDG_CACHE_HOME)).toEqual(["tongs"]);
    expect((await run({ NODE_DISABLE_COMPILE_CACHE: "1" })).code).toBe(0);
    writeFileSync(join(HOME, ".cache"), "in the way");
    expect(await run({})).toMatchObject({ code: 0, stderr: "" });
    expect(kept(HOME)).toEqual([]);
  });

  it("of another build goes when it was left a week ago", async () => {
    const HOME = folder();
    const env = { ...(await world()), HOME };
    await built(["pr", "view", "12"], { env });
    const place = join(HOME, ".cache", "tongs", `${process.version}-${process.arch}`);
    const [build = ""] = readdirSync(place);
    for (const other of ["older", "newer"]) mkdirSync(join(place, other));
    const long = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
    utimesSync(join(place, "older"), long, long);
    await built(["pr", "list"], { env });
    expect(readdirSync(place).sort()).toEqual([build, "newer"].sort());
  });

  it("is neither used nor kept in a folder that others may write to", async () => {
    const XDG_CACHE_HOME = folder();
    chmodSync(XDG_CACHE_HOME, 0o777);
    expect((await built(["pr", "view", "12"], { env: { ...(await world()), XDG_CACHE_HOME } })).code).toBe(0);
    expect(readdirSync(XDG_CACHE_HOME)).toEqual([]);
  });
});
