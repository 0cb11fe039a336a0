import { accessSync, constants } from "node:fs";
import { win32 } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What is started for the name of a program. On Windows a full path, because the name alone could be that of a program in
 * the current folder, which can be somebody else's repository; undefined if PATH has none.
 */
export function startable(
  name: string,
  { env, platform }: { readonly env: Env; readonly platform: NodeJS.Platform },
  exists?: (path: string) => boolean,
): string | undefined {
  return platform === "win32" && !/[\\/]/.test(name) ? windowsProgram(name, env, exists) : name;
}

/**
 * The full path of `NAME.exe` in a folder of PATH on Windows; undefined if there is none. A folder of PATH that depends on
 * the current one is left out.
 */
export function windowsProgram(name: string, env: Env, exists = isFile): string | undefined {
  for (const folder of (pathOf(env) ?? "").split(";")) {
    const program = win32.join(folder.replace(/^"(.*)"$/, "$1"), /\.exe$/i.test(name) ? name : `${name}.exe`);
    if (/^([A-Za-z]:[\\/]|\\\\)/.test(program) && exists(program)) return program;
  }
  return undefined;
}

/**
 * The `sh` of Git for Windows, which has it in folders that are usually not in PATH, or another one in PATH; undefined if
 * there is none.
 */
export function windowsShell(env: Env, exists = isFile): string | undefined {
  const git = windowsProgram("git", env, exists);
  const top = git === undefined ? [] : [win32.dirname(win32.dirname(git))];
  const beside = top.flatMap((folder) => [win32.join(folder, "bin", "sh.exe"), win32.join(folder, "usr/bin/sh.exe")]);
  return windowsProgram("sh", env, exists) ?? beside.find(exists);
}

/** The environment for a command that a shell runs. On Windows the shell then does not look in the current folder. */
export function shellEnv(env: Env, platform: NodeJS.Platform): Record<string, string | undefined> {
  return { ...env, ...(platform === "win32" ? { NoDefaultCurrentDirectoryInExePath: "1" } : {}) };
}

/** Windows spells the variable `Path`. */
function pathOf(env: Env): string | undefined {
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH");
  return name === undefined ? undefined : env[name];
}

function isFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
