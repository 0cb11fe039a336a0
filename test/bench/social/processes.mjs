// Whole programs as they are measured: time, processor time, memory.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const usage = join(dirname(fileURLToPath(import.meta.url)), "..", "peak.cjs");
const { PATH } = process.env;

export const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Runs a script of Node to its end; seconds, milliseconds of processor time, MiB. Throws when it fails. */
export function program(node, words, { cwd, env = {} }) {
  const begun = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    // A password is printed only where it is not lost.
    const stdio = ["ignore", "pipe", "pipe"];
    const child = spawn(node, ["-r", usage, ...words], { cwd, env: { PATH, XDG_CACHE_HOME: cwd, ...env }, stdio });
    child.stdout.resume();
    let stderr = "";
    child.stderr.on("data", (piece) => {
      stderr += piece;
    });
    child.on("close", (code) => {
      const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
      const [, peak, cpu] = /peak (\d+)\ncpu (\d+)\n$/.exec(stderr) ?? [];
      if (code === 0) resolve({ seconds, cpu: Number(cpu), megabytes: Number(peak) / 1024 });
      else reject(new Error(`${words.join(" ")}: ${code}\n${stderr.slice(0, 2000)}`));
    });
  });
}

/** A sandbox in a process of its own. */
export async function sandbox(node, tongs) {
  const words = [tongs, "sandbox", "--empty", "--json", "--port", "0"];
  const child = spawn(node, words, { env: { PATH }, stdio: ["ignore", "pipe", "ignore"] });
  const line = await new Promise((resolve) => child.stdout.once("data", resolve));
  const { url, users } = JSON.parse(String(line).split("\n")[0]);
  const stop = () =>
    new Promise((resolve) => {
      child.once("close", resolve);
      child.kill("SIGTERM");
    });
  return { url, token: users.find((user) => user.is_admin).token, stop };
}

let files = 0;
const run = Date.now().toString(36);
/** A CSV of `count` people whose names nobody has yet. */
export function people(folder, count) {
  files += 1;
  const prefix = `b${run}x${files}n`;
  const file = join(folder, `${prefix}.csv`);
  const rows = Array.from({ length: count }, (_, at) => `${prefix}${at},${prefix}${at}@example.org,not-a-secret`);
  writeFileSync(file, `username,email,password\n${rows.join("\n")}\n`);
  return { file, prefix };
}
