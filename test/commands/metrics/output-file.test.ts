import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { dataBytes } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { fileBytes, tongsBytes } from "./bytes.ts";
import { until } from "./serving.ts";

const bytes = dataBytes("collectd-5.12.delimited.bin");
const json = dataBytes("collectd-5.12.delimited.ndjson");

/** A folder with a recording, its readings as JSON, and links to the recording. */
function folder(): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "a.bin"), bytes);
  writeFileSync(join(cwd, "a.ndjson"), json);
  symlinkSync("a.bin", join(cwd, "link.bin"));
  linkSync(join(cwd, "a.bin"), join(cwd, "hard.bin"));
  return cwd;
}

const run = (cwd: string, ...words: readonly string[]) => tongsBytes(["metrics", ...words], { cwd });

/** The names in a folder, without the state of tongs. */
const left = (cwd: string) =>
  readdirSync(cwd)
    .filter((name) => !name.startsWith(".tongs"))
    .sort();

test.each([
  ...["ndjson", "csv", "delimited", "openmetrics", "parquet"].map((format) => `decode a.bin --format ${format} -o`),
  "decode a.bin --format parquet --partition-by day -o",
  "encode a.ndjson -o",
  "report a.bin -o",
  "plot a.bin --series *load* --svg",
  "serve --listen 127.0.0.1:0 --to",
])("an output file whose name is empty is refused: %s", async (typed) => {
  const cwd = folder();
  const ran = await run(cwd, ...typed.split(" "), "");
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("The name of the output is empty") });
  expect(left(cwd)).toEqual(["a.bin", "a.ndjson", "hard.bin", "link.bin"]);
});

describe("an output file that is also an input", () => {
  test.each([
    "decode a.bin -o a.bin",
    "decode a.bin -o link.bin",
    "decode link.bin -o a.bin",
    "decode a.bin -o hard.bin",
    "decode a.bin -o ./a.bin --format csv",
    "decode a.ndjson a.bin -o a.bin",
    "decode a.bin -o a.bin --format parquet",
    "decode a.bin -o link.bin --format parquet",
    "decode a.ndjson --types-db a.bin -o a.bin",
    "encode a.ndjson -o a.ndjson",
    "encode a.ndjson --types a.bin -o a.bin",
    "report a.bin -o a.bin",
    "plot a.bin --series *load* --svg a.bin",
  ])("is left as it was, and named: %s", async (typed) => {
    const cwd = folder();
    const ran = await run(cwd, ...typed.split(" "));
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("is also an input") });
    expect(ran.stderr).toContain("Write to another file");
    expect(fileBytes(cwd, "a.bin").equals(bytes)).toBe(true);
    expect(fileBytes(cwd, "a.ndjson").equals(json)).toBe(true);
    expect(lstatSync(join(cwd, "link.bin")).isSymbolicLink()).toBe(true);
    expect(left(cwd)).toEqual(["a.bin", "a.ndjson", "hard.bin", "link.bin"]);
  });

  test.each([[[]], [["-"]]])("is named when it is redirected to stdin: %j", async (files) => {
    const cwd = folder();
    const fd = openSync(join(cwd, "a.bin"), "r");
    const stdin = Object.assign(new PassThrough(), { fd });
    const ran = await tongsBytes(["metrics", "decode", ...files, "-o", "hard.bin"], { cwd, stdin });
    closeSync(fd);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("hard.bin is also an input") });
    expect(fileBytes(cwd, "a.bin").equals(bytes)).toBe(true);
  });

  test("is not what stdin is, if stdin is not read", async () => {
    const cwd = folder();
    const size = (await run(cwd, "decode", "a.bin")).stdout.length;
    writeFileSync(join(cwd, "old"), "old");
    const fd = openSync(join(cwd, "old"), "r");
    const stdin = Object.assign(new PassThrough(), { fd });
    const ran = await tongsBytes(["metrics", "decode", "a.bin", "-o", "old"], { cwd, stdin });
    closeSync(fd);
    expect([ran.code, fileBytes(cwd, "old").length]).toEqual([0, size]);
  });
});

describe("an output file", () => {
  test.each([
    [5, "decode", "missing.bin", "-o", "a.bin"],
    [5, "encode", "missing.ndjson", "-o", "a.bin"],
    [5, "report", "missing.bin", "-o", "a.bin"],
    [13, "encode", "not-readings.txt", "-o", "a.bin"],
  ])("is left as it was by a run that fails before it writes: exit %i of %s %s", async (code, ...words) => {
    const cwd = folder();
    writeFileSync(join(cwd, "not-readings.txt"), "hello\n");
    expect((await run(cwd, ...words)).code).toBe(code);
    expect(fileBytes(cwd, "a.bin").equals(bytes)).toBe(true);
  });

  test.each(["ndjson", "json", "csv", "openmetrics", "delimited", "parquet"])(
    "is left as it was, and not made, for input that is damaged at its first byte: --format %s",
    async (format) => {
      const cwd = folder();
      writeFileSync(join(cwd, "damaged.bin"), Uint8Array.of(3, 0xff, 0xff, 0xff));
      for (const name of ["a.ndjson", "new"]) {
        const ran = await run(cwd, "decode", "damaged.bin", "--format", format, "-o", name);
        expect(ran.code).toBe(13);
      }
      expect(fileBytes(cwd, "a.ndjson").equals(json)).toBe(true);
      expect(left(cwd)).toEqual(["a.bin", "a.ndjson", "damaged.bin", "hard.bin", "link.bin"]);
    },
  );

  test.each([
    "decode damaged.bin -o old",
    "decode damaged.bin --format parquet -o old",
    "encode damaged.ndjson -o old",
  ])("gets the readings before damage: %s", async (typed) => {
    const cwd = folder();
    writeFileSync(join(cwd, "damaged.bin"), Buffer.concat([bytes, Uint8Array.of(3, 0xff, 0xff, 0xff)]));
    writeFileSync(join(cwd, "damaged.ndjson"), `${json}hello\n`);
    writeFileSync(join(cwd, "old"), "old");
    chmodSync(join(cwd, "old"), 0o640);
    expect((await run(cwd, ...typed.split(" "))).code).toBe(13);
    const written = fileBytes(cwd, "old");
    if (typed.includes("parquet")) expect(written.subarray(-4).toString()).toBe("PAR1");
    else {
      const sound = await run(cwd, ...typed.replace("damaged", "a").split(" ").slice(0, -2));
      expect(written.equals(sound.stdout)).toBe(true);
      expect(written.length).toBeGreaterThan(0);
    }
    if (process.platform !== "win32") expect(lstatSync(join(cwd, "old")).mode & 0o777).toBe(0o640);
    expect(left(cwd)).toEqual(["a.bin", "a.ndjson", "damaged.bin", "damaged.ndjson", "hard.bin", "link.bin", "old"]);
  });

  test("is replaced only at the end: an interruption leaves it as it was, and keeps what a new one has", async () => {
    for (const name of ["a.ndjson", "new"]) {
      const cwd = folder();
      const stop = new AbortController();
      const stdin = new PassThrough();
      const ran = tongsBytes(["metrics", "decode", "-o", name], { cwd, stdin, signal: stop.signal });
      stdin.write(bytes);
      await until(() => left(cwd).length > 4);
      expect(fileBytes(cwd, "a.ndjson").equals(json)).toBe(true);
      stop.abort();
      await ran;
      if (name === "new") expect(fileBytes(cwd, name).length).toBeGreaterThan(0);
      expect(fileBytes(cwd, "a.ndjson").equals(json)).toBe(true);
      expect(left(cwd)).toEqual(["a.bin", "a.ndjson", "hard.bin", "link.bin", ...(name === "new" ? ["new"] : [])]);
    }
  });

  test.skipIf(process.getuid === undefined || process.getuid() === 0)(
    "that may not be written is not replaced",
    async () => {
      const cwd = folder();
      chmodSync(join(cwd, "a.ndjson"), 0o444);
      const ran = await run(cwd, "decode", "a.bin", "-o", "a.ndjson");
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("permission denied (EACCES)")]);
    },
  );

  test("is replaced by what was written, and created or emptied if that is nothing", async () => {
    const cwd = folder();
    expect((await run(cwd, "decode", "a.bin", "-o", "a.ndjson", "--count", "1")).code).toBe(0);
    expect(fileBytes(cwd, "a.ndjson").toString().trimEnd().split("\n")).toHaveLength(1);
    for (const name of ["a.ndjson", "new.ndjson"]) {
      expect((await run(cwd, "decode", "a.bin", "--host", "nobody", "-o", name)).code).toBe(0);
      expect(fileBytes(cwd, name).length).toBe(0);
    }
  });

  test("that is named as a directory is refused", async () => {
    for (const name of ["new/", "folder/"]) {
      const cwd = folder();
      mkdirSync(join(cwd, "folder"));
      const ran = await run(cwd, "decode", "a.bin", "-o", name);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`${name} is a directory`)]);
    }
  });

  test("that cannot be written is named in plain words", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "folder"));
    for (const [file, reason] of [
      ["folder", "is a directory (EISDIR)"],
      ["missing/a.ndjson", "no such file or directory (ENOENT)"],
    ] as const) {
      const ran = await run(cwd, "decode", "a.bin", "-o", file);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`Cannot write ${join(cwd, file)}: ${reason}`);
    }
    const types = await run(cwd, "decode", "a.bin", "--types-db", "folder", "--rates");
    expect([types.code, types.stderr]).toEqual([1, "✗ Cannot read folder: is a directory (EISDIR)\n"]);
    const missing = await run(cwd, "encode", "a.ndjson", "--types", "missing.db");
    expect([missing.code, missing.stderr]).toEqual([5, "✗ No such file: missing.db\n"]);
  });
});

describe("a missing input", () => {
  test.each(["decode a.bin missing", "decode missing a.bin", "encode a.ndjson missing"])(
    "is found before anything is written: %s",
    async (typed) => {
      const ran = await run(folder(), ...typed.split(" "));
      expect([ran.code, ran.stdout.length, ran.stderr]).toEqual([5, 0, "✗ No such file: missing\n"]);
    },
  );
});

describe("a pipe as the output file", () => {
  /** A named pipe in a folder, and what is read from it. */
  function pipe(cwd: string) {
    expect(spawnSync("mkfifo", [join(cwd, "pipe")]).status).toBe(0);
    return join(cwd, "pipe");
  }

  test("gets a Parquet file, and stays a pipe, also behind a link", async () => {
    const cwd = folder();
    symlinkSync("pipe", join(cwd, "link"));
    // A process of its own, because this one waits for room in the pipe.
    pipe(cwd);
    const reader = spawn("sh", ["-c", "cat pipe > read"], { cwd });
    const read = once(reader, "exit");
    expect(await run(cwd, "decode", "a.bin", "--format", "parquet", "-o", "link")).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect((await run(cwd, "decode", "a.bin", "--format", "parquet", "-o", "a.parquet")).code).toBe(0);
    expect(await read).toEqual([0, null]);
    expect(fileBytes(cwd, "read").equals(fileBytes(cwd, "a.parquet"))).toBe(true);
    expect([lstatSync(join(cwd, "pipe")).isFIFO(), lstatSync(join(cwd, "link")).isSymbolicLink()]).toEqual([
      true,
      true,
    ]);
  });

  test.each(["decode a.bin", "decode a.bin a.bin --format parquet", "encode a.ndjson"])(
    "ends the run quietly when its reader ends: %s",
    async (typed) => {
      const cwd = folder();
      const reader = spawn("head", ["-c", "1", pipe(cwd)]);
      const ran = await run(cwd, ...typed.split(" "), "-o", "pipe");
      reader.kill();
      expect(ran).toMatchObject({ code: 0, stderr: "" });
    },
  );
});

describe("a link as the output file", () => {
  test("stays a link, and its target gets the Parquet file, also one that does not exist yet", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "there"));
    symlinkSync(join("there", "new.parquet"), join(cwd, "new"));
    for (let round = 0; round < 2; round += 1) {
      expect(await run(cwd, "decode", "a.bin", "--format", "parquet", "-o", "new")).toMatchObject({ code: 0 });
      expect(lstatSync(join(cwd, "new")).isSymbolicLink()).toBe(true);
      expect(
        readFileSync(join(cwd, "there", "new.parquet"))
          .subarray(-4)
          .toString(),
      ).toBe("PAR1");
      expect(readdirSync(join(cwd, "there"))).toEqual(["new.parquet"]);
    }
  });
});
