import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Interruption } from "./command/interruption.ts";
import { run } from "./command/run.ts";
import type { System } from "./context.ts";

const interruption = new AbortController();
// Each request and wait under way listens; Node would take more than ten of them for a leak and say so.
setMaxListeners(0, interruption.signal);
let signalled = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second signal means it: leave at once.
    if (signalled) process.exit(signal === "SIGINT" ? 130 : 143);
    signalled = true;
    interruption.abort(new Interruption(signal));
  });
}
// A reader that has seen enough (`| head`) is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
}

const system: System = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  now: () => new Date(),
  random: Math.random,
  signal: interruption.signal,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Help that was made at build time, so that showing it loads nothing. */
function builtHelp(name: string): string | undefined {
  try {
    return readFileSync(join(__dirname, "help", `${name}.txt`), "utf8");
  } catch {
    return undefined;
  }
}

void run(process.argv.slice(2), system, builtHelp).then((code) => {
  process.exitCode = code;
});
