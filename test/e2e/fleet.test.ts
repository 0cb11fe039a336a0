import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { walks } from "../../src/commands/walks.ts";
import { dataPath } from "../metrics/data.ts";
import { emptyFolder, shellProgram, startBuilt, surroundings } from "./built.ts";
import { startedSandbox } from "./started-sandbox.ts";

/** A fenced block of the page. */
interface Block {
  readonly language: string;
  readonly text: string;
}

const page = readFileSync(join(import.meta.dirname, "../../docs/fleet.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = "", text = ""]): Block => ({ language, text }),
);
const of = (language: string) => blocks.filter((block) => block.language === language).map(({ text }) => text);
const lines = of("sh").flatMap((text) => text.trimEnd().split("\n"));
const [serving = "", ...others] = lines;
// A directory stands for the object store.
const upload = 'store=$(echo "$4" | sed s,s3://,store/,) && mkdir -p "$store" && cp -r "$3/." "$store"';

const cwd = emptyFolder();
const { env } = surroundings({ cwd });
const path = [join(cwd, "bin"), env["PATH"]].join(delimiter);

function shell(line: string): SpawnSyncReturns<string> {
  return spawnSync("bash", ["-o", "pipefail", "-c", line], { cwd, env: { ...env, PATH: path }, encoding: "utf8" });
}

// The one that npm test installs Spark for, if it downloads programs.
const python = process.env["TONGS_TEST_PYTHON"] ?? "python3";

/** Why there is no Spark; undefined if there is. */
function noSpark(): string | undefined {
  const java = spawnSync("java", ["-version"], { encoding: "utf8" });
  if (java.status !== 0) return "Java is not installed";
  const found = spawnSync(python, ["-c", "import pyspark"], { encoding: "utf8" });
  return found.status === 0 ? undefined : "pyspark is not installed";
}

const withoutSpark = noSpark();
const skipped = withoutSpark === undefined ? "" : ` (skipped: ${withoutSpark})`;

/** A real server, if the contract tests have one, or the sandbox, with an administrator's token. */
async function forge() {
  const { TONGS_CONTRACT_URL: url, TONGS_CONTRACT_TOKEN: token } = process.env;
  if (url !== undefined && token !== undefined) return { url, token, stop: () => {} };
  const { site, kill } = await startedSandbox();
  return { url: site.url, token: site.users.find((one) => one.is_admin)?.token ?? "", stop: () => kill("SIGTERM") };
}

describe("docs/fleet.md", () => {
  let stop = () => {};
  afterAll(() => stop());

  beforeAll(async () => {
    const { url, token, ...started } = await forge();
    stop = started.stop;
    Object.assign(env, { TONGS_HOST: url, TONGS_TOKEN: token });
    mkdirSync(join(cwd, "bin"));
    const write = (name: string, script: string) =>
      writeFileSync(join(cwd, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    write("tongs", `exec ${shellProgram} "$@"`);
    write("aws", upload);
  });

  it("has the configuration of collectd that the help of metrics has", () => {
    const plain = (text: string) => text.replace(/^ +/gm, "");
    expect(of("conf")).toHaveLength(1);
    for (const text of of("conf")) expect(plain(walks.metrics)).toContain(plain(text));
    expect(page.match(/127\.0\.0\.1:50051/g)).toHaveLength(1);
  });

  it("has only commands that are run here", () => {
    expect(serving).toMatch(/^tongs metrics serve /);
    expect(others.map((line) => line.split(" ")[0]).filter((word) => word !== "tongs" && word !== "aws")).toEqual([]);
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(["conf", "python", "sh", "sql"]);
  });

  it(`runs ${serving}`, async () => {
    // The port of the page may be taken.
    const recorder = startBuilt(serving.replace(":50051", ":0").split(" ").slice(1), { cwd });
    const note = /Listening on (127\.0\.0\.1:\d+)/;
    await expect.poll(() => recorder.stderr(), { interval: 20 }).toMatch(note);
    const [, address = ""] = note.exec(recorder.stderr()) ?? [];
    // In place of collectd.
    const pushed = shell(`tongs metrics push ${address} ${dataPath("collectd-5.12.delimited.bin")}`);
    expect([pushed.status, pushed.stderr]).toEqual([0, expect.stringContaining("Sent 5000 readings")]);
    recorder.kill("SIGTERM");
    await recorder.ended;
    expect(statSync(join(cwd, "readings.bin")).size).toBeGreaterThan(0);
  });

  it.each(others)("runs %s", (line) => {
    const { status, stdout, stderr } = shell(line);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("✗")]);
    const file = /(?:-o|--to|aws s3 sync) (\S+)/.exec(line)?.[1];
    if (file === undefined) expect(stdout).not.toBe("");
    else expect(existsSync(join(cwd, file))).toBe(true);
  });

  describe("asks DuckDB", () => {
    let close = () => {};
    afterAll(() => close());

    it.each(of("sql").map((text, index) => [index + 1, text] as const))("query %i", async (_number, text) => {
      const { DuckDBInstance } = await import("@duckdb/node-api");
      const instance = await DuckDBInstance.create(":memory:", { file_search_path: cwd });
      close = () => instance.closeSync();
      const connection = await instance.connect();
      const rows = (await connection.runAndReadAll(text)).getRowObjectsJson();
      expect(rows.length).toBeGreaterThan(1);
      expect(rows[0]).toMatchObject({ host: "edge-01.example.net", most: expect.any(Number) });
      // Each row once more: no rate is of two rows of one time.
      const lists = text.replace(/'dataset\/([^']*)'/g, "['dataset/$1', 'dataset/$1']");
      const twice = (await connection.runAndReadAll(lists)).getRowObjectsJson();
      const most = (all: typeof rows) => all.map((row) => row["most"]);
      expect([lists === text, most(twice)]).toEqual([false, most(rows)]);
    });
  });

  it.skipIf(withoutSpark !== undefined)(
    `asks Spark, over a directory that stands for the object store${skipped}`,
    () => {
      expect(readdirSync(join(cwd, "store/metrics/dataset")).some((name) => name.startsWith("day="))).toBe(true);
      const submit = "--master local[1] --conf spark.ui.enabled=false pyspark-shell";
      const own = { TZ: "UTC", SPARK_LOCAL_IP: "127.0.0.1", PYSPARK_SUBMIT_ARGS: submit };
      for (const text of of("python")) {
        const input = text.replaceAll("s3a://", `file://${cwd}/store/`);
        const ran = spawnSync(python, ["-"], { cwd, input, encoding: "utf8", env: { ...process.env, ...own } });
        expect([ran.status, ran.stderr]).toEqual([0, expect.any(String)]);
        expect(ran.stdout).toMatch(/edge-01\.example\.net\|2026-11-21 \d\d:00:00\|0\.\d+/);
      }
    },
    // It starts slowly.
    900_000,
  );
});
