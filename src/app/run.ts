import { isHelp, route } from "../command/route.ts";
import { version } from "../system/files.ts";
import type { System } from "../system/system.ts";
import type { CommandTable, RunLine } from "./context.ts";
import type { Command } from "./define.ts";
import type { BuiltHelp } from "./help.ts";

/**
 * Runs a command line and returns its exit code. Only the code of the command is loaded. `isExpanded`: the line comes from
 * an alias; aliases in it are not expanded.
 */
export async function run(
  argv: readonly string[],
  system: System,
  commands: CommandTable<Command>,
  built: BuiltHelp = () => undefined,
  isExpanded = false,
): Promise<number> {
  const first = argv[0];
  if (first === "--version" || (first === "version" && argv.length === 1)) {
    system.stdout.write(`tongs ${version}\n`);
    return 0;
  }
  const internal = await commands.internal?.get(first ?? "")?.();
  if (internal !== undefined) return internal(argv.slice(1), system, commands);
  const helping = first === "help";
  const found = await route(helping ? argv.slice(1) : argv, commands.table, commands.aliases);
  if (found.to === "command" && !helping && !asksOnlyForHelp(found.rest)) {
    const command = await found.load();
    const { execute } = await import("./execute.ts");
    const runLine: RunLine = (line, other) => run(line, other, commands, built);
    return execute({ command, words: found.words, typed: found.rest }, system, { ...commands, run: runLine });
  }
  if (found.to === "group" && found.flags.includes("--version") && !found.flags.some(isHelp)) {
    return run(["--version"], system, commands);
  }
  if (found.to === "unknown" && !helping) {
    if (found.words.length === 0 && !isExpanded) {
      const { runOwn } = await import("./own-commands.ts");
      const code = await runOwn(found, system, (line) => run(line, system, commands, built, true));
      if (code !== undefined) return code;
    }
    // `tongs pr help merge`, as in other tools.
    if (found.typed === "help") {
      const line = found.rest.length > 0 ? ["help", ...found.words, ...found.rest] : [...found.words, "--help"];
      return run(line, system, commands, built);
    }
  }
  const { help } = await import("./help.ts");
  return help(found, { argv, helping, system, commands, built });
}

function asksOnlyForHelp([only, ...more]: readonly string[]): boolean {
  return only !== undefined && isHelp(only) && more.length === 0;
}
