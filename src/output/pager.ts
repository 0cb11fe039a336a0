import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Writable } from "node:stream";
import { Failure } from "../failure/failure.ts";
import { readSetting } from "../profiles/settings-keys.ts";
import { startDrawing } from "../system/drawing.ts";
import { drawingStream } from "../system/drawing-stream.ts";
import type { OutputStream } from "../system/output-stream.ts";
import { shellEnv, windowsProgram } from "../system/program.ts";
import type { System } from "../system/system.ts";
import { asciiGlyphs, isAsciiLocale } from "../text/safe.ts";
import { type Styled, shownText } from "../text/styled.ts";

/** Writes text for a terminal, with backpressure. Returns false if the pager was closed. */
export type Write = (piece: string | Styled) => Promise<boolean>;

/**
 * The pager: `$TONGS_PAGER`, the setting `pager`, `$PAGER`, or less if it is installed. Undefined if there is none (`cat`,
 * or an empty variable).
 */
export function pagerCommand(system: Pick<System, "env" | "platform">): string | undefined {
  const { env } = system;
  const chosen = env["TONGS_PAGER"] ?? readSetting(system, "pager") ?? env["PAGER"];
  const wanted = chosen?.trim() ?? (isInstalled("less", system) ? "less" : "");
  return wanted === "" || wanted === "cat" ? undefined : wanted;
}

/**
 * Shows what `produce` writes in the pager, with `LESS=FRX` unless LESS is set. Returns when the pager is closed. Throws
 * what `produce` throws, and a failure if the pager could not be started.
 */
export async function paged(system: System, produce: (write: Write) => Promise<void>): Promise<void> {
  const { env, stdout } = system;
  const command = pagerCommand(system);
  if (command === undefined) return produce(writeToTerminal(stdout));
  const glyphs = isAsciiLocale(env) ? asciiGlyphs : (text: string) => text;

  const endDrawing = startDrawing(system.stderr);
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", stdout.fd ?? "pipe", "inherit"],
    env: { ...shellEnv(env, system.platform), LESS: env["LESS"] ?? "FRX", LV: env["LV"] ?? "-c" },
  });
  child.stdout?.pipe(drawingStream(stdout));
  const closed = new Promise<number>((resolve) => {
    child.on("error", () => resolve(notFound));
    child.on("close", (code) => resolve(code ?? 0));
  });
  const { stdin } = child as { readonly stdin: Writable };
  let failed: unknown;
  await produce(writeTo(stdin, glyphs)).catch((error: unknown) => {
    failed = error;
  });
  // The pager owns the terminal until it is closed, even after a failure or Ctrl-C.
  const takeBack = system.leaveInterrupts?.();
  stdin.end();
  const code = await closed;
  takeBack?.();
  endDrawing();
  if (failed !== undefined) throw failed;
  if (code === notFound) {
    const hint = "Set another pager with: tongs config set pager less";
    throw new Failure("pager", `Could not start the pager '${command}'`, { hint });
  }
}

/** The exit code of the shell for a command that was not found. */
const notFound = 127;

function isInstalled(program: string, { env, platform }: Pick<System, "env" | "platform">): boolean {
  if (platform === "win32") return windowsProgram(program, env) !== undefined;
  return (env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function writeToTerminal(stdout: OutputStream): Write {
  return async (piece) => {
    if (!stdout.write(piece)) await stdout.flushed();
    return true;
  };
}

function writeTo(stream: Writable, glyphs: (text: string) => string): Write {
  let open = true;
  for (const event of ["error", "close"]) {
    stream.on(event, () => {
      open = false;
    });
  }
  return async (piece) => {
    if (open && !stream.write(glyphs(shownText(piece)))) await drained(stream);
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
