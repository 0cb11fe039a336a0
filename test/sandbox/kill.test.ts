import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/options.ts";
import { bundleFile } from "../support/bundle.ts";

/** Starts a sandbox in a separate process, which a test can end. */
interface Child extends Pick<Sandbox, "url" | "users"> {
  end(signal: NodeJS.Signals): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), "tongs-kill-"));
const program = join(folder, "run.mjs");

beforeAll(async () => {
  const source = fileURLToPath(new URL("../../src/sandbox/serve.ts", import.meta.url));
  const outfile = join(folder, "serve.mjs");
  await bundleFile(source, { file: outfile, format: "esm", codeSplitting: false });
  const lines = [
    'import { startSandbox } from "./serve.mjs";',
    "const delays = { save: Number(process.argv[3]) };",
    "const options = { port: 0, dir: process.argv[2], now: () => new Date(), env: process.env, delays };",
    "const { url, users, close } = await startSandbox(options);",
    'process.once("SIGTERM", () => close().then(() => process.exit()));',
    "console.log(JSON.stringify({ url, users }));",
  ];
  writeFileSync(program, lines.join("\n"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const never = 2 ** 31 - 1;

function spawnOn(dir: string, save = never): ChildProcess {
  return spawn(process.execPath, [program, dir, String(save)], { stdio: ["ignore", "pipe", "inherit"] });
}

async function start(dir: string, save = never): Promise<Child> {
  const child = spawnOn(dir, save);
  if (child.stdout === null) throw new Error("no output to read");
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")])) as [unknown];
  if (typeof line !== "string") throw new Error(`the sandbox ended with ${String(line)}`);
  return { ...(JSON.parse(line) as Sandbox), end: (signal) => ended(child, signal) };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
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

const label = (name: string) => ["POST", "/labels", { name, color: "#123456" }] as const;

test("SIGTERM keeps everything", async () => {
  const dir = join(folder, "term");
  const first = await start(dir);
  const ask = asker(first);
  expect(await ask(...label("kept"))).toMatchObject({ status: 201 });
  const file = { new_branch: "kept", branch: "main", content: "eA==" };
  expect(await ask("POST", "/contents/log.md", file)).toMatchObject({ status: 201 });
  await first.end("SIGTERM");
  const second = await start(dir);
  expect(names((await asker(second)("GET", "/labels")).body)).toContain("kept");
  expect(await asker(second)("GET", "/contents/log.md?ref=kept")).toMatchObject({ body: { content: "eA==" } });
  await second.end("SIGKILL");
});

test("kill -9 loses at most what came since the last write of the file", async () => {
  const dir = join(folder, "state");
  const saved = () => readFileSync(join(dir, "state.json"), "utf8");
  const first = await start(dir, 20);
  expect(await asker(first)(...label("written"))).toMatchObject({ status: 201 });
  await expect.poll(saved).toContain('"written"');
  await first.end("SIGKILL");
  const second = await start(dir);
  expect(await asker(second)(...label("lost"))).toMatchObject({ status: 201 });
  await second.end("SIGKILL");
  const third = await start(dir);
  const found = names((await asker(third)("GET", "/labels")).body);
  expect(found).toContain("written");
  expect(found).not.toContain("lost");
  await third.end("SIGKILL");
});

test("a sandbox killed while it creates its demo project restarts with a complete one", async () => {
  const filesIn = (dir: string) => (existsSync(dir) ? readdirSync(dir, { recursive: true }).length : 0);
  const complete = join(folder, "seed");
  await (await start(complete)).end("SIGKILL");
  for (const part of [0, 0.2, 0.4, 0.6, 0.8]) {
    const dir = join(folder, `seed-${part}`);
    const child = spawnOn(dir);
    while (filesIn(dir) < part * filesIn(complete)) await setImmediate();
    await ended(child, "SIGKILL");
    const again = await start(dir);
    const { status, body } = await asker(again)("GET", "/branches");
    expect(status).toBe(200);
    expect(names(body)).toHaveLength(5);
    await again.end("SIGKILL");
  }
});
