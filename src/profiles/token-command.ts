import { Failure } from "../failure/failure.ts";
import { homeFolder } from "../system/base-folders.ts";
import type { System } from "../system/system.ts";
import { utf8Text } from "../text/utf8.ts";
import { joinWords } from "../text/words.ts";

/** How long the program may take, in milliseconds: the user may have to type a passphrase. */
const defaultLimit = 60_000;

/** The most that the program may print, in bytes. */
const mostOutput = 64 * 1024;

/** What runs the program of a profile. */
interface Needs {
  /** The name of the profile, for messages. */
  readonly profile: string;
  readonly env: System["env"];
  readonly signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds. */
  readonly limit?: number;
}

/**
 * Runs the `token_command` of a profile and returns the first line of its output. The program is started directly, not by a
 * shell, and in the home directory, because the current one can be somebody else's repository. Throws a `Failure`, which
 * never contains the output, if the program cannot be started, fails, takes too long, or prints no token.
 */
export async function tokenFromCommand(command: readonly string[], needs: Needs): Promise<string> {
  const { profile } = needs;
  const shown = joinWords(command);
  const { code, stdout, stderr } = await runProgram(command, needs);
  if (code !== 0) {
    const said = stderr.trim().split("\n").slice(-3).join("\n");
    const why = code === undefined ? "it was ended by a signal" : `exit code ${code}`;
    throw failure(profile, `The token command of profile '${profile}' failed (${why}): ${shown}`, said);
  }
  const [first = ""] = stdout.split(/\r?\n/, 1);
  const token = first.trim();
  if (token === "") throw failure(profile, `The token command of profile '${profile}' printed no token: ${shown}`);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const what = "The first line that it prints has spaces or characters outside ASCII.";
    throw failure(profile, `The token command of profile '${profile}' did not print a token: ${shown}`, what);
  }
  return token;
}

interface Ended {
  /** Undefined if a signal ended the program. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

async function runProgram(
  [program = "", ...args]: readonly string[],
  { profile, env, signal, limit = defaultLimit }: Needs,
): Promise<Ended> {
  // Most commands do not run a program.
  const { execFile } = await import("node:child_process");
  const ends = { timeout: limit, maxBuffer: mostOutput, killSignal: "SIGKILL", ...(signal && { signal }) } as const;
  const options = { cwd: homeFolder(env), env: { ...env }, encoding: "buffer", windowsHide: true, ...ends } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const { code = 0, killed, message = "" } = error ?? {};
      if (signal?.aborted) reject(signal.reason);
      else if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
        const most = `more than ${mostOutput / 1024} KiB`;
        reject(failure(profile, `The token command of profile '${profile}' prints ${most}`));
      } else if (typeof code === "string") {
        const why = code === "ENOENT" ? "program not found" : message;
        reject(failure(profile, `Could not start the token command of profile '${profile}': ${program}: ${why}`));
      } else if (killed === true) {
        reject(failure(profile, `The token command of profile '${profile}' took longer than ${limit / 1000} s`));
      } else resolve({ code: code ?? undefined, stdout: utf8Text(stdout), stderr: utf8Text(stderr) });
    });
    child.stdin?.end();
  });
}

function failure(profile: string, message: string, said = ""): Failure {
  const change = `To change the command, run: tongs profile set ${profile} token_command COMMAND`;
  return new Failure("token_command", message, { hint: said === "" ? change : `${said}\n${change}` });
}
