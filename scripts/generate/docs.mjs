// Generates man pages and the reference from the command table, and lists the pages in package.json for npm.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSources } from "../bundle.mjs";
import { top } from "../setup.mjs";

export async function generate() {
  const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
  mkdirSync(join(top, "node_modules", ".cache"), { recursive: true });
  const scratch = mkdtempSync(join(top, "node_modules", ".cache", "generate-"));
  const { docFiles, table } = await loadSources(["src/commands/index.ts", "src/docs/reference.ts"], scratch);
  const files = await docFiles(table, manifest.version);
  rmSync(scratch, { recursive: true });
  for (const folder of ["man", "docs/reference"]) {
    mkdirSync(join(top, folder), { recursive: true });
    for (const name of readdirSync(join(top, folder))) {
      if (!Object.hasOwn(files, `${folder}/${name}`)) rmSync(join(top, folder, name));
    }
  }
  for (const [path, content] of Object.entries(files)) writeFileSync(join(top, path), content);
  const man = Object.keys(files).filter((path) => path.startsWith("man/"));
  writeFileSync(join(top, "package.json"), `${JSON.stringify({ ...manifest, man }, null, 2)}\n`);
  console.log(`${Object.keys(files).length} files in man/ and docs/reference/`);
}
