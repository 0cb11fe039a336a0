import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Writable } from "node:stream";
import { Failure } from "../failure/failure.ts";
import type { System } from "../system/system.ts";

/** Writes a piece and waits while the reader is behind; false means that nobody reads on. */
export type Write = (piece: string) => Promise<boolean>;

/** What shows long output here: `$PAGER`, else less where it is installed. Undefined: print (`PAGER=cat`, or empty). */
export function pagerCommand(env: System["env"]): string | undefined {
  const wanted = env["PAGER"]?.trim() ?? (isOnPath("less", env) ? "less" : "");
  return wanted === "" || wanted === "cat" ? undefined : wanted;
}

/**
 * Shows on the terminal what `produce` writes, through the pager; less gets `LESS=FRX` unless that is set. Returns when
 * the reader has left. Throws what `produce` throws, and a failure when `$PAGER` cannot be started.
 */
export async function paged(system: System, produce: (write: Write) => Promise<void>): Promise<void> {
  const { env, stdout } = system;
  const command = pagerCommand(env);
  if (command === undefined) return produce(writeTo(stdout.stream()));

  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", stdout.fd ?? "pipe", "inherit"],
    env: { ...env, LESS: env["LESS"] ?? "FRX", LV: env["LV"] ?? "-c" },
  });
  child.stdout?.on("data", (chunk: Buffer) => stdout.write(chunk));
  const left = new Promise<number>((resolve) => {
    child.on("error", () => resolve(notFound));
    child.on("close", (code) => resolve(code ?? 0));
  });
  const { stdin } = child as { readonly stdin: Writable };
  let failed: unknown;
  await produce(writeTo(stdin)).catch((error: unknown) => {
    failed = error;
  });
  // Even after a failure or Ctrl-C the terminal stays the pager's until the reader leaves it.
  stdin.end();
  const code = await left;
  if (failed !== undefined) throw failed;
  if (code === notFound) {
    const hint = "Set PAGER to a program that is there, or to cat.";
    throw new Failure("pager", "failure", `The pager '${command}' could not be started`, { hint });
  }
}

/** The shell's word for a program that it cannot find. */
const notFound = 127;

function isOnPath(program: string, env: System["env"]): boolean {
  return (env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function writeTo(stream: Writable): Write {
  let open = true;
  for (const event of ["error", "close"]) {
    stream.on(event, () => {
      open = false;
    });
  }
  return async (piece) => {
    if (open && !stream.write(piece)) await drained(stream);
    return open;
  };
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const events = ["drain", "close", "error"];
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}
