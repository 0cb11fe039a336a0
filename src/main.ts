import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "./system/files.ts";
import { openSystem } from "./system/open-system.ts";

/** The help text that the build wrote; showing it loads no other file. */
function builtHelp(name: string): string | undefined {
  try {
    return readFileSync(join(__dirname, "help", `${name}.txt`), "utf8");
  } catch {
    return undefined;
  }
}

/** The output for `--version` and for the help of tongs, which need no other file. */
function quickOutput(argv: readonly string[]): string | undefined {
  if (argv.length > 1) return undefined;
  if (argv[0] === "--version") return `tongs ${version}\n`;
  return argv[0] === undefined || argv[0] === "--help" || argv[0] === "-h" ? builtHelp("root") : undefined;
}

/** Loads the command table and runs the command line. */
async function start(argv: readonly string[]): Promise<void> {
  const [{ run }, commands] = await Promise.all([import("./app/run.ts"), import("./commands/index.ts")]);
  process.exitCode = await run(argv, system, commands, builtHelp);
  // After Ctrl-C, a thread in an endless loop must not keep the process.
  if (system.signal.aborted) process.exit();
}

const system = openSystem(process);
const argv = process.argv.slice(2);
const text = system.stdout.isTTY === true ? undefined : quickOutput(argv);
if (text === undefined) void start(argv);
else system.stdout.write(text);
