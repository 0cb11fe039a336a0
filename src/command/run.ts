import { aliases, table } from "../commands/index.ts";
import type { System } from "../context.ts";
import { version } from "../version.ts";
import { exitCodes } from "./exit-codes.ts";
import { route } from "./route.ts";

/** Help text by name (`root`, `pr`, `topic-json`), where it was made at build time. */
export type BuiltHelp = (name: string) => string | undefined;

/** Runs a command line and returns its exit code. Nothing but the command's own code is loaded. */
export async function run(
  argv: readonly string[],
  system: System,
  built: BuiltHelp = () => undefined,
): Promise<number> {
  const first = argv[0];
  if (first === "--version" || (first === "version" && argv.length === 1)) {
    system.stdout.write(`tongs ${version}\n`);
    return 0;
  }
  const asked = first === "help" ? [...argv.slice(1)] : argv;
  const found = route(asked, table, aliases);
  const wantsHelp = first === "help" || argv.includes("--help") || argv.includes("-h");
  switch (found.to) {
    case "root":
      return show("root", system, built, argv.length === 0 || wantsHelp);
    case "group":
      return show(found.words.join("-"), system, built, true);
    case "command": {
      const command = await found.load();
      const { execute } = await import("./execute.ts");
      return execute(command, found.words, first === "help" ? ["--help"] : found.rest, system);
    }
    case "unknown": {
      if (first === "help") {
        const topic = built(`topic-${found.typed}`) ?? (await import("./help.ts")).topics[found.typed]?.();
        if (topic !== undefined) return write(system, topic);
      }
      const { sayUnknown } = await import("./say-unknown.ts");
      return sayUnknown(found, argv, system);
    }
  }
}

async function show(name: string, system: System, built: BuiltHelp, asked: boolean): Promise<number> {
  const text = built(name) ?? (await (await import("./write-help.ts")).helpTexts(table))[name] ?? "";
  if (asked) return write(system, text);
  system.stderr.write(text);
  return exitCodes.usage.code;
}

/** Headings stand out on a terminal; the text itself is the same everywhere. */
function write(system: System, text: string): number {
  const bold = system.stdout.isTTY === true && !system.env["NO_COLOR"];
  system.stdout.write(bold ? text.replace(/^[A-Z][A-Z ]+$/gm, "\u001b[1m$&\u001b[22m") : text);
  return 0;
}
