import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { constants as osConstants } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { Route } from "../command/route.ts";
import { namesJson } from "../command/route.ts";
import { exitCodes } from "../failure/exit-codes.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { Interruption } from "../failure/interruption.ts";
import { asFailure, reportFailure } from "../output/report-failure.ts";
import { openAliases } from "../profiles/aliases.ts";
import { addressText } from "../profiles/server.ts";
import { fullName } from "../repo/repo-name.ts";
import { windowsShell } from "../system/program.ts";
import type { System } from "../system/system.ts";
import { expandAlias, refuseSudoIn } from "./expand-alias.ts";
import { openQuietContext } from "./quiet-context.ts";

type Unknown = Route & { readonly to: "unknown" };

/**
 * Runs the alias of this name, or else the program `tongs-NAME` on the PATH, and returns the exit code; undefined if there
 * is neither. `run` runs a command line of tongs.
 */
export async function runOwn(
  found: Unknown,
  system: System,
  run: (line: readonly string[]) => Promise<number>,
): Promise<number | undefined> {
  const { typed, flags, rest } = found;
  try {
    const aliases = openAliases(system).read();
    const expansion = Object.hasOwn(aliases, typed) ? aliases[typed] : undefined;
    if (expansion?.startsWith("!")) {
      const words = ["-c", expansion.slice(1), "tongs", ...rest];
      return await runProgram(shell(system), words, system, await programEnv(typed, flags, system));
    }
    if (expansion !== undefined) refuseSudoIn(expansion);
    if (expansion !== undefined) return await run([...expandAlias(typed, expansion, rest), ...flags]);
    const program = extension(typed, system);
    if (program === undefined) return undefined;
    return await runProgram(program, rest, system, await programEnv(typed, flags, system));
  } catch (error) {
    const failure = asFailure(error);
    await reportFailure(failure, system, { json: namesJson([...flags, ...rest]) });
    return exitCodes[failure.exit].code;
  }
}

/** The shell of an alias. */
function shell({ env, platform }: Pick<System, "env" | "platform">): string {
  const program = platform === "win32" ? windowsShell(env) : "sh";
  if (program !== undefined) return program;
  throw new Failure("program", "Shell aliases (!) need sh, which was not found", {
    hint: "Install Git for Windows, which includes sh.",
  });
}

/** The program `tongs-NAME` on the PATH. A folder that depends on the current one is left out. */
export function extension(name: string, { env, platform }: Pick<System, "env" | "platform">): string | undefined {
  if (!/^[A-Za-z0-9][\w-]*$/.test(name)) return undefined;
  const file = `tongs-${name}${platform === "win32" ? ".exe" : ""}`;
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, file)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The environment with the selected server and repository, as far as they are known, and without a token. What flags select
 * must be known: a program must not work on another server or repository. Throws a usage error for other flags, such as
 * `--dry-run`, which a program would not get.
 */
async function programEnv(name: string, flags: readonly string[], system: System): Promise<System["env"]> {
  const other = otherFlag(flags);
  if (other !== undefined) {
    const hint = `Only --repo, --profile and --host can precede the name. To pass ${other} to it: tongs ${name} ${other}`;
    throw new UsageError(`Flag '${other}' has no effect before '${name}', which is not a command of tongs`, hint);
  }
  const given = (name: string, short?: string) => {
    const at = flags.findLastIndex((flag) => flag.split("=")[0] === name || (short && flag.startsWith(short)));
    const [flag, next] = flags.slice(at);
    if (at < 0 || flag === name || flag === short) return at < 0 ? undefined : next;
    return flag?.startsWith("--") ? flag.slice(name.length + 1) : flag?.slice(2);
  };
  const selected = { repo: given("--repo", "-R"), profile: given("--profile"), host: given("--host") };
  const context = openQuietContext(system, selected, 5000);
  const unlessGiven = (isGiven: boolean) => (error: unknown) => {
    if (isGiven) throw error;
    return undefined;
  };
  try {
    const server = await context.choose().catch(unlessGiven(flags.length > 0));
    const repo = server && (await context.locate().catch(unlessGiven(selected.repo !== undefined)));
    const { TONGS_TOKEN: _token, ...env } = system.env;
    return {
      ...env,
      ...(server === undefined ? {} : { TONGS_HOST: addressText(server.base) }),
      ...(server?.profile === undefined ? {} : { TONGS_PROFILE: server.profile }),
      ...(repo === undefined ? {} : { TONGS_REPO: fullName(repo) }),
    };
  } finally {
    context.close();
  }
}

/** The first flag that does not select a server or a repository. */
function otherFlag(flags: readonly string[]): string | undefined {
  for (let index = 0; index < flags.length; index += 1) {
    const flag = flags[index] ?? "";
    if (["--repo", "-R", "--profile", "--host"].includes(flag)) index += 1;
    else if (!/^(-R|--(repo|profile|host)=)/.test(flag)) return flag.split("=")[0];
  }
  return undefined;
}

/**
 * Runs a program on the streams of tongs and returns its exit code, or 128 and the number of the signal that ended it. Ctrl-C
 * on a terminal reaches the program itself; other signals are passed on.
 */
async function runProgram(
  program: string,
  args: readonly string[],
  system: System,
  env: System["env"],
): Promise<number> {
  const takeBack = system.leaveInterrupts?.();
  const { signal: stop } = system;
  try {
    if (stop.aborted) throw stop.reason;
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(program, [...args], { stdio: "inherit", cwd: system.cwd, env: { ...env } });
      stop.addEventListener("abort", () => child.kill(signalOf(stop.reason)), { once: true });
      child.on("error", ({ message }) => {
        reject(new Failure("program", `Could not start ${program}: ${message}`));
      });
      child.on("close", (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : osConstants.signals[signal]));
      });
    });
  } finally {
    takeBack?.();
  }
}

function signalOf(reason: unknown): NodeJS.Signals {
  return reason instanceof Interruption ? reason.signal : "SIGTERM";
}
