import { program, surroundings, type World } from "./built.ts";

/** Why no pseudo-terminal is available; empty if one is. */
export const missing: string = await import("@lydell/node-pty").then(
  () => "",
  (error: unknown) => ` (skipped: no pseudo-terminal here: ${error instanceof Error ? error.message : String(error)})`,
);

/** The built program on a terminal. */
export interface Terminal {
  /** The output so far, with escape codes. */
  readonly written: () => string;
  /** The output so far, without escape codes. */
  readonly read: () => string;
  /** Waits until the output contains a text. */
  until(text: string): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** The exit code. */
  readonly ended: Promise<number>;
}

export const keys = { enter: "\r", interrupt: "\u0003", down: "\u001b[B" } as const;

/**
 * Runs a program, reports its exit code in the output, and waits to be killed: the library drops what it has not read
 * 200 ms after a process has ended.
 */
const reporting = String.raw`trap : INT QUIT; "$@"; printf '\033]exit;%d\a' $?; exec sleep 600`;

/** Starts the built program on a terminal. */
export async function onTerminal(
  argv: readonly string[],
  world: World & { readonly columns?: number } = {},
): Promise<Terminal> {
  const { spawn } = await import("@lydell/node-pty");
  const { env, cwd } = surroundings(world);
  const shown = { env, cwd, cols: world.columns ?? 80, rows: 30 };
  const terminal = spawn("sh", ["-c", reporting, "sh", ...program, ...argv], shown);
  let written = "";
  const listeners = new Set<() => void>();
  const ended = new Promise<number>((resolve) => {
    terminal.onData((data) => {
      written += data;
      const end = /\u001b\]exit;(\d+)\u0007/.exec(written);
      if (end !== null) {
        written = written.slice(0, end.index);
        resolve(Number(end[1]));
        terminal.kill("SIGKILL");
      }
      for (const listener of [...listeners]) listener();
    });
  });
  const read = () => plain(written);
  return {
    written: () => written,
    read,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!read().includes(text)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        ended.then(() => reject(new Error(`It ended without '${text}': ${read()}`)), reject);
        look();
      }),
    type: (typed) => terminal.write(typed),
    resize: (columns, rows) => terminal.resize(columns, rows),
    ended,
  };
}

/** Text without escape codes, and without the sign that a request takes long. */
export function plain(text: string): string {
  return text
    .replace(/\r[⠀-⣿] Waiting for the server/g, "")
    .replace(/\r\u001b\[K/g, "")
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")
    .replace(/\r\n/g, "\n");
}
