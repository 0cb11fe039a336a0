import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openCodeCache } from "./code-cache.ts";
import { fileLoader } from "./loader.ts";
import { openSystem } from "./system.ts";
import { build, version } from "./version.ts";

/** Help that was made at build time, so that showing it loads nothing. */
function builtHelp(name: string): string | undefined {
  try {
    return readFileSync(join(__dirname, "help", `${name}.txt`), "utf8");
  } catch {
    return undefined;
  }
}

/** What is asked for most by far while nothing is asked of a server. */
function atHand(argv: readonly string[]): string | undefined {
  if (argv.length > 1) return undefined;
  if (argv[0] === "--version") return `tongs ${version}\n`;
  return argv[0] === undefined || argv[0] === "--help" || argv[0] === "-h" ? builtHelp("root") : undefined;
}

/** What the rest of the program begins with; it is loaded by our own loader, for which this file is there already. */
interface Run {
  readonly default: { readonly "command/run": typeof import("./command/run.ts") };
}

/** Loads the rest and runs it. Begins when this file is whole: the rest uses parts of it. */
async function start(argv: readonly string[]): Promise<void> {
  const { Script } = await import("node:vm");
  const loaded = { "main.js": require.cache[__filename] ?? { exports: {} } };
  const { load, keep } = fileLoader(__dirname, {
    Script,
    require,
    loaded,
    cache: openCodeCache(__dirname, build, process),
  });
  process.on("exit", keep);
  const { run } = (load("run.js") as Run).default["command/run"];
  process.exitCode = await run(argv, system, builtHelp);
}

const system = openSystem(process);
const argv = process.argv.slice(2);
const text = atHand(argv);
if (text === undefined) void start(argv);
else system.stdout.write(text);
