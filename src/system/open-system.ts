import { setMaxListeners } from "node:events";
import { diskFailure } from "../failure/disk.ts";
import { Interruption } from "../failure/interruption.ts";
import { asciiGlyphs, isAsciiLocale } from "../text/safe.ts";
import { lostOutput, type OutputStream, standardStream, streamed } from "./output-stream.ts";
import type { System } from "./system.ts";

/** The process and its environment. Each stream is opened on first use. */
export function openSystem(process: NodeJS.Process): System {
  let stdout: OutputStream | undefined;
  let stderr: OutputStream | undefined;
  let interruption: AbortSignal | undefined;
  /** How many programs on the terminal Ctrl-C is left to. */
  let left = 0;

  function output(fd: 1 | 2, name: "stdout" | "stderr"): OutputStream {
    /** Exits quietly if the reader of stdout closes the pipe (`| head`); any other write error is a failure. */
    const onBroken = (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      process.stderr.write(`✗ ${lostOutput(error).message}\n`);
      process.exit(1);
    };
    const open = () => process[name];
    const glyphs = isAsciiLocale(process.env) ? asciiGlyphs : undefined;
    const stream =
      process.platform === "win32" ? streamed(open(), onBroken, glyphs) : standardStream(fd, open, onBroken, glyphs);
    // A command does not end halfway because nobody reads its notes.
    if (name === "stderr") stream.keepGoing();
    return stream;
  }

  /** Aborts on the first Ctrl-C or SIGTERM. The second one exits at once. */
  function listen(): AbortSignal {
    const stop = new AbortController();
    // Each pending request and wait adds a listener; Node warns of a leak after ten.
    setMaxListeners(0, stop.signal);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (signal === "SIGINT" && left > 0) return;
        if (stop.signal.aborted) process.exit(signal === "SIGINT" ? 130 : 143);
        stop.abort(new Interruption(signal));
      });
    }
    return stop.signal;
  }

  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= output(1, "stdout");
      return stdout;
    },
    get stderr() {
      stderr ??= output(2, "stderr");
      return stderr;
    },
    get signal() {
      interruption ??= listen();
      return interruption;
    },
    leaveInterrupts() {
      const { stdin, stdout: out, stderr: errors } = process;
      if (!out.isTTY && !errors.isTTY && !stdin.isTTY) return () => undefined;
      interruption ??= listen();
      left += 1;
      let isBack = false;
      return () => {
        if (!isBack) left -= 1;
        isBack = true;
      };
    },
    env: process.env,
    platform: process.platform,
    get cwd() {
      return currentFolder(process);
    },
    keyring: async (options) => (await import("./keyring.ts")).openKeyring(options),
    animates: true,
    now: () => new Date(),
    random: Math.random,
    onHangup: (work) => {
      process.on("SIGHUP", work);
      return () => void process.off("SIGHUP", work);
    },
    sleep,
  };
}

function currentFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch (error) {
    throw diskFailure(error) ?? error;
  }
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
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
  });
}
