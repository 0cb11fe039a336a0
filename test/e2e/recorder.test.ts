import { spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dataCopy, dataPath, delimitedMessages } from "../metrics/data.ts";
import { capturedPackets, openRules, readingsOf } from "../metrics/packets.ts";
import { emptyFolder, isStandalone, program, shellProgram, startBuilt, surroundings } from "./built.ts";

import { keys, missing, onTerminal } from "./terminal.ts";

/** Waits until `holds` returns true; fails after a minute. */
async function until(holds: () => boolean): Promise<void> {
  for (const start = Date.now(); !holds(); ) {
    if (Date.now() - start > 60_000) throw new Error("it did not happen within a minute");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// A push that is cut off leaves its journal beside the file.
const all = dataCopy("collectd-5.12.delimited.bin");
const loads = 152;

/** Starts `metrics serve` in a folder, and waits until it listens. */
async function serving(cwd: string, limit?: string) {
  const words = ["metrics", "serve", "--listen", "0", "--to", "r.bin"];
  const limited = `${limit}; exec ${shellProgram} ${words.join(" ")}`;
  const running = startBuilt(limit === undefined ? words : limited, { cwd });
  const note = /Listening on 127\.0\.0\.1:(\d+)/;
  for (let tries = 0; !note.test(running.stderr()); tries += 1) {
    if (tries > 10_000) throw new Error(`it does not listen: ${running.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { running, address: `127.0.0.1:${note.exec(running.stderr())?.[1]}` };
}

async function push(address: string, cwd: string) {
  const running = startBuilt(["metrics", "push", address, all, "--plugin", "load"], { cwd });
  expect([await running.ended, running.stderr()]).toEqual([0, expect.stringContaining(`Sent ${loads} readings`)]);
}

const recorded = (cwd: string, name: string) => delimitedMessages(readFileSync(join(cwd, name))).length;

describe("metrics decode as a process", () => {
  it("ends on SIGINT while it writes many files, and leaves none", async () => {
    const cwd = emptyFolder();
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      JSON.stringify({ values: [{ gauge: 1 }], identifier: { host: `h${index}`, plugin: "p", type: "t" } }),
    );
    writeFileSync(join(cwd, "lines"), lines.join("\n"));
    expect(await startBuilt(["metrics", "encode", "lines", "-o", "r.bin"], { cwd }).ended).toBe(0);
    const words = ["metrics", "decode", "r.bin", "--format", "parquet", "-o", "set/"];
    const decoding = startBuilt(words, { cwd });
    await until(
      () => existsSync(join(cwd, "set")) && readdirSync(join(cwd, "set")).some((name) => name.startsWith("day=")),
    );
    decoding.kill("SIGINT");
    expect([await decoding.ended, decoding.stderr(), readdirSync(cwd).sort()]).toEqual([
      130,
      "✗ Interrupted\n",
      ["lines", "r.bin"],
    ]);
  });
});

describe("metrics serve as a process", () => {
  it("reopens its file on SIGHUP, and ends in order on SIGTERM", async () => {
    const cwd = emptyFolder();
    const { running, address } = await serving(cwd);
    await push(address, cwd);
    renameSync(join(cwd, "r.bin"), join(cwd, "moved.bin"));
    running.kill("SIGHUP");
    await push(address, cwd);
    running.kill("SIGTERM");
    await running.ended;
    expect([recorded(cwd, "moved.bin"), recorded(cwd, "r.bin")]).toEqual([loads, loads]);
    expect(running.stderr()).toContain(`Received ${2 * loads} readings`);
  });

  it("keeps others out while it runs, and leaves no lock when it is killed", async () => {
    const cwd = emptyFolder();
    const first = await serving(cwd);
    await push(first.address, cwd);
    const second = startBuilt("tongs metrics serve --listen 0 --to r.bin", { cwd });
    expect([await second.ended, second.stderr()]).toEqual([9, expect.stringContaining("Another process is recording")]);
    first.running.kill("SIGKILL");
    await first.running.ended;
    const third = await serving(cwd);
    await push(third.address, cwd);
    third.running.kill("SIGTERM");
    await third.running.ended;
    expect(recorded(cwd, "r.bin")).toBe(2 * loads);
  });

  it("refuses readings when its file cannot grow, and push tells; what it has stays whole", async () => {
    const cwd = emptyFolder();
    // Files of at most 8 KiB stand for the disk.
    const { running, address } = await serving(cwd, "ulimit -f 8");
    const pushed = startBuilt(["metrics", "push", address, all, "--plugin", "load"], { cwd });
    expect([await pushed.ended, pushed.stderr()]).toEqual([7, expect.stringContaining("not recorded: file too large")]);
    running.kill("SIGTERM");
    expect(await running.ended).toBe(11);
    const kept = recorded(cwd, "r.bin");
    expect(kept).toBeGreaterThan(20);
    expect(running.stderr()).toContain("Cannot write r.bin: file too large (EFBIG)");
    expect(running.stderr()).toMatch(
      new RegExp(`Received ${kept} readings; refused [1-9]\\d* readings that could not be written`),
    );
    const decoded = startBuilt(["metrics", "decode", "r.bin"], { cwd });
    expect(await decoded.ended).toBe(0);
    expect(decoded.stdout().trimEnd().split("\n")).toHaveLength(kept);
  });
});

it.skipIf(missing !== "")(`shows on a terminal how receiving goes${missing}`, async () => {
  const cwd = emptyFolder();
  const terminal = await onTerminal(["metrics", "serve", "--listen", "0", "--to", "r.bin"], { cwd, columns: 120 });
  await terminal.until("0 readings/s · 0 hosts · lost 0 · refused 0 · lag ");
  const address = `127.0.0.1:${/Listening on 127\.0\.0\.1:(\d+)/.exec(terminal.read())?.[1]}`;
  await push(address, cwd);
  await terminal.until("readings/s · 1 host · lost 0");
  terminal.type(keys.interrupt);
  await terminal.ended;
  expect(terminal.read()).toContain(`Received ${loads} readings`);
});

describe("metrics listen that does not run for a while", () => {
  it.skipIf(!existsSync("/proc/net/udp"))(
    "says how many packets the system dropped, what to do, and exits with 11",
    async () => {
      const cwd = emptyFolder();
      const running = startBuilt(["metrics", "listen", "--udp", "127.0.0.1:0", "--to", "r.bin"], { cwd });
      await until(() => /Listening on \S+:(\d+)/.test(running.stderr()));
      const port = Number(/Listening on \S+:(\d+)/.exec(running.stderr())?.[1]);
      const packet =
        capturedPackets().plain.find((one) => [...readingsOf(one, openRules)].length > 0) ?? Buffer.alloc(0);
      running.kill("SIGSTOP");
      const socket = createSocket("udp4");
      const sent = 60_000;
      for (let index = 0; index < sent; index += 1)
        await new Promise<void>((resolve) => socket.send(packet, port, "127.0.0.1", () => resolve()));
      socket.close();
      running.kill("SIGCONT");
      await until(() =>
        /The system dropped \d+ packets until .*: the receive buffer of the system has/.test(running.stderr()),
      );
      running.kill("SIGTERM");
      expect(await running.ended).toBe(11);
      const got = recorded(cwd, "r.bin") / [...readingsOf(packet, openRules)].length;
      expect(running.stderr()).toContain(`; the system dropped ${sent - got} packets`);
    },
  );
});

/** The process that another one has started. */
function conversionOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
}

describe("metrics listen --format parquet as a process", () => {
  const [first, second] = ["r.20261122T060000Z", "r.20261122T070000Z"] as const;

  /** Starts it where an interrupted one left two recordings, and waits until it writes the Parquet file of the first. */
  async function converting() {
    const cwd = emptyFolder();
    const large = Buffer.concat(Array.from({ length: 40 }, () => readFileSync(all)));
    for (const name of [first, second]) writeFileSync(join(cwd, `${name}.bin`), large);
    const words = ["metrics", "listen", "--udp", "127.0.0.1:0", "--to", "r.bin", "--rotate", "1d"];
    const running = startBuilt([...words, "--format", "parquet"], { cwd });
    await until(() => readdirSync(cwd).some((name) => name.startsWith(`.${first}`)));
    return { cwd, running };
  }

  it("records packets while a conversion is under way", async () => {
    const { cwd, running } = await converting();
    // A recording that the conversion cannot read to the end, until this process lets it.
    expect(spawnSync("mkfifo", [join(cwd, "pipe")]).status).toBe(0);
    renameSync(join(cwd, "pipe"), join(cwd, `${second}.bin`));
    let pipe = 0;
    await until(() => {
      try {
        pipe = openSync(join(cwd, `${second}.bin`), constants.O_WRONLY | constants.O_NONBLOCK);
        return true;
      } catch {
        // Nothing reads it yet.
        return false;
      }
    });
    const socket = createSocket("udp4");
    const packet = capturedPackets().plain.find((one) => [...readingsOf(one, openRules)].length > 0) ?? "";
    socket.send(packet, Number(/Listening on \S+:(\d+)/.exec(running.stderr())?.[1]), "127.0.0.1");
    await until(() => statSync(join(cwd, "r.bin")).size > 0);
    socket.close();
    closeSync(pipe);
    await until(() => existsSync(join(cwd, `${second}.parquet`)));
    running.kill("SIGTERM");
    expect(await running.ended).toBe(0);
  });

  it("leaves nothing of a conversion that SIGTERM interrupts, and says which recordings are left", async () => {
    const { cwd, running } = await converting();
    running.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual([`${first}.bin`, `${second}.bin`, "r.bin"]);
    expect(running.stderr()).toContain(`2 files (${first}.bin to ${second}.bin) are not converted yet`);
  });

  it("keeps the recording whose conversion is killed, says so, and goes on", async () => {
    const { cwd, running } = await converting();
    process.kill(conversionOf(running.pid), "SIGKILL");
    await until(() => existsSync(join(cwd, `${second}.parquet`)) && !existsSync(join(cwd, `${second}.bin`)));
    running.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    expect(running.stderr()).toContain(`${first}.bin was not converted: its process ended with SIGKILL`);
    expect(readdirSync(cwd).sort()).toEqual([`${first}.bin`, `${second}.parquet`, "r.bin"]);
  });

  it("ends a conversion when it is killed itself", async () => {
    const { cwd, running } = await converting();
    const conversion = conversionOf(running.pid);
    running.kill("SIGKILL");
    await until(() => !existsSync(`/proc/${conversion}`));
    expect(readdirSync(cwd).sort()).toEqual([`${first}.bin`, `${second}.bin`, "r.bin"]);
  });
});

describe("a reader of stdout that takes nothing", () => {
  it("stops neither the recording nor SIGTERM", async () => {
    const cwd = emptyFolder();
    const { env } = surroundings({ cwd });
    const [first, ...args] = [...program, "metrics", "serve", "--listen", "0", "--to", "r.bin", "--format", "ndjson"];
    const child = spawn(first, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    const port = await new Promise<string>((resolve) => {
      child.stderr.on("data", (chunk) => {
        stderr += String(chunk);
        const listening = /Listening on 127\.0\.0\.1:(\d+)/.exec(stderr);
        if (listening?.[1] !== undefined) resolve(listening[1]);
      });
    });
    for (let times = 0; times < 2; times += 1) {
      const pushed = startBuilt(["metrics", "push", `127.0.0.1:${port}`, all], { cwd });
      expect([await pushed.ended, pushed.stderr()]).toEqual([0, expect.stringContaining("Sent 5000 readings")]);
    }
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(recorded(cwd, "r.bin")).toBe(10_000);
    // The runtime of standalone programs does not tell what the reader of a pipe has not taken.
    if (!isStandalone) expect(stderr).toMatch(/\d+ readings were not printed/);
    child.stdout.destroy();
  });
});

describe("metrics as a process", () => {
  it("answers queries over gRPC", async () => {
    const cwd = emptyFolder();
    const { running, address } = await serving(cwd);
    // A reading is kept for two intervals, half a second each in the data.
    const longer = `sed 's/"interval":"0.500s"/"interval":"3600s"/' | tongs metrics encode -o long.bin`;
    const line = `tongs metrics decode '${all}' --plugin load --jsonl | ${longer} && tongs metrics push ${address} long.bin`;
    expect(await startBuilt(line, { cwd }).ended).toBe(0);
    const query = startBuilt(["metrics", "query", address, "*/load/load", "--jq", ".[].identifier.plugin"], { cwd });
    expect([await query.ended, query.stdout(), query.stderr()]).toEqual([0, "load\n", ""]);
    running.kill("SIGTERM");
    await running.ended;
  });

  it("opens packets that collectd encrypted with AES-256 in OFB mode, and verifies signed ones", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "users"), "edge: false-password\n");
    const words = ["metrics", "decode", dataPath("collectd-5.12.network.pcap"), "--jsonl"];
    const opened = startBuilt([...words, "--auth-file", "users"], { cwd });
    expect([await opened.ended, opened.stderr()]).toEqual([0, ""]);
    expect(opened.stdout().trim().split("\n")).toHaveLength(957);
    const closed = startBuilt(words, { cwd });
    expect([await closed.ended, closed.stderr()]).toEqual([13, expect.stringContaining("no authentication file")]);
  });

  it("encodes what decode printed to the same bytes", async () => {
    const cwd = emptyFolder();
    const piped = startBuilt(`tongs metrics decode '${all}' | tongs metrics encode -o r.bin`, { cwd });
    expect([await piped.ended, piped.stderr()]).toEqual([0, ""]);
    // JSON has one NaN; collectd's has its sign bit set.
    const plain = (bytes: Buffer) => bytes.toString("hex").replaceAll("11000000000000f8ff", "11000000000000f87f");
    expect(plain(readFileSync(join(cwd, "r.bin"))) === plain(readFileSync(all))).toBe(true);
  });

  it.skipIf(process.platform === "win32")("writes to /dev/stdout, whether that is a pipe or a file", async () => {
    const decode = `tongs metrics decode '${all}'`;
    for (const line of [`${decode} -o /dev/stdout | cat`, `${decode} -o /dev/stdout > file && cat file`]) {
      const running = startBuilt(line, { cwd: emptyFolder() });
      expect([await running.ended, running.stderr()]).toEqual([0, ""]);
      expect(running.stdout().trim().split("\n")).toHaveLength(5000);
    }
  });
});
