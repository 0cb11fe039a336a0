import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The path of a file that is shipped beside the program: from `dist` as well as from `src`. */
export function packageFile(...parts: readonly string[]): string {
  let top = __dirname;
  while (!existsSync(join(top, "package.json")) && top !== dirname(top)) top = dirname(top);
  return join(top, ...parts);
}
