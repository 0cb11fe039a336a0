import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const top = join(import.meta.dirname, "..", "..");
const cache = join(top, "node_modules", ".cache");
const folders = () => (existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith("dev-")) : []);

it("npm run dev runs a command from source, again after a change, and removes its files at the end", async () => {
  const before = folders();
  const dev = spawn(process.execPath, [join(top, "scripts", "dev.mjs"), "--version"], { cwd: top });
  let output = "";
  const collect = (chunk: Buffer) => (output += chunk.toString());
  dev.stdout.on("data", collect);
  dev.stderr.on("data", collect);
  const runs = () => output.match(/Exit code 0\. Waiting for changes in src\n/g)?.length ?? 0;
  try {
    await expect.poll(runs, { interval: 100 }).toBe(1);
    const now = new Date();
    utimesSync(join(top, "src", "main.ts"), now, now);
    await expect.poll(runs, { interval: 100 }).toBeGreaterThan(1);
  } finally {
    dev.kill("SIGTERM");
    await once(dev, "exit");
  }
  expect(output).toMatch(/^tongs \d+\.\d+\.\d+$/m);
  expect(folders()).toEqual(before);
});
