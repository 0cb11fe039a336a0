import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const program = `
  import { run } from "./app/run.ts";
  import { aliases, table } from "./commands/index.ts";
  import { openSystem } from "./system/open-system.ts";
  run(process.argv.slice(2), openSystem(process), { table, aliases }).then((code) => {
    process.exitCode = code;
  });
`;

/** Makes one file of the whole program, for tests and measurements that need a process of its own; returns its path. */
export async function bundle(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "tongs-bundle-")), "tongs.cjs");
  await build({
    stdin: { contents: program, resolveDir: "src" },
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    logLevel: "error",
    define: { TONGS_VERSION: '"0.0.0"' },
  });
  return outfile;
}
