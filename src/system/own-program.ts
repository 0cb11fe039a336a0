import { existsSync } from "node:fs";
import { join } from "node:path";

/** The program and the first arguments that run tongs itself; undefined from the sources, which Node cannot run. */
export function ownProgram(): readonly [string, ...string[]] | undefined {
  // A standalone program takes its arguments as tongs does.
  if (process.versions.bun !== undefined) return [process.execPath];
  const main = join(__dirname, "main.js");
  return existsSync(main) ? [process.execPath, main] : undefined;
}
