import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/options.ts";
import { bundleFile } from "../support/bundle.ts";

/** Starts a sandbox in a separate process, which a test can kill. */
interface Child extends Pick<Sandbox, "url" | "users"> {
  kill(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), "tongs-kill-"));
const program = join(folder, "run.mjs");

beforeAll(async () => {
  const source = fileURLToPath(new URL("../../src/sandbox/serve.ts", import.meta.url));
  const outfile = join(folder, "serve.mjs");
  await bundleFile(source, { file: outfile, format: "esm", codeSplitting: false });
  const lines = [
    'import { startSandbox } from "./serve.mjs";',
    "const options = { port: 0, dir: process.argv[2], now: () => new Date(), env: process.env };",
    "const { url, users } = await startSandbox(options);",
    "console.log(JSON.stringify({ url, users }));",
  ];
  writeFileSync(program, lines.join("\n"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function spawnOn(dir: string): ChildProcess {
  return spawn(process.execPath, [program, dir], { stdio: ["ignore", "pipe", "inherit"] });
}

async function start(dir: string): Promise<Child> {
  const child = spawnOn(dir);
  if (child.stdout === null) throw new Error("no output to read");
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")])) as [unknown];
  if (typeof line !== "string") throw new Error(`the sandbox ended with ${String(line)}`);
  return { ...(JSON.parse(line) as Sandbox), kill: () => killed(child) };
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function asker({ url, users }: Child) {
  const token = users.find(({ login }) => login === "mara")?.token ?? "";
  return async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${url}/api/v1/repos/mara/harbor${path}`, {
      method,
      headers: { Authorization: `token ${token}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

test("acknowledged writes survive kill -9, and the sandbox restarts immediately", async () => {
  const dir = join(folder, "state");
  const labels: string[] = [];
  const branches: string[] = [];
  for (const [round, until] of [3, 8, 5, 11].entries()) {
    const child = await start(dir);
    const ask = asker(child);
    let acknowledged = 0;
    let death: Promise<void> | undefined;
    const work = async (lane: number) => {
      for (let step = 0; death === undefined; step += 1) {
        const name = `r${round}-${lane}-${step}`;
        const isLabel = lane % 2 === 0;
        const { status } = isLabel
          ? await ask("POST", "/labels", { name, color: "#123456" })
          : await ask("POST", "/contents/log.md", { new_branch: name, branch: "main", content: "eA==" });
        expect(status).toBe(201);
        (isLabel ? labels : branches).push(name);
        acknowledged += 1;
        if (acknowledged >= until) death ??= child.kill();
      }
    };
    await Promise.allSettled([0, 1, 2, 3].map(work));
    await death;
  }
  const child = await start(dir);
  const ask = asker(child);
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await ask("GET", `/labels?limit=50&page=${page}`);
    found.push(...names(body));
    if (names(body).length < 50) break;
  }
  expect(found).toEqual(expect.arrayContaining(labels));
  for (const branch of branches) {
    expect(await ask("GET", `/contents/log.md?ref=${branch}`)).toMatchObject({
      status: 200,
      body: { content: "eA==" },
    });
  }
  expect(labels.length + branches.length).toBeGreaterThanOrEqual(27);
  await child.kill();
});

test("a sandbox killed while it creates its demo project restarts with a complete one", async () => {
  const filesIn = (dir: string) => (existsSync(dir) ? readdirSync(dir, { recursive: true }).length : 0);
  const complete = join(folder, "seed");
  await (await start(complete)).kill();
  for (const part of [0, 0.2, 0.4, 0.6, 0.8]) {
    const dir = join(folder, `seed-${part}`);
    const child = spawnOn(dir);
    while (filesIn(dir) < part * filesIn(complete)) await setImmediate();
    await killed(child);
    const again = await start(dir);
    const { status, body } = await asker(again)("GET", "/branches");
    expect(status).toBe(200);
    expect(names(body)).toHaveLength(5);
    await again.kill();
  }
});

test("users keep their tokens after a restart", async () => {
  const dir = join(folder, "tokens");
  const first = await start(dir);
  await first.kill();
  const second = await start(dir);
  expect(second.users).toEqual(first.users);
  await second.kill();
});
