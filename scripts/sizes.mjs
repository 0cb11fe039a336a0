// Compares the sizes in the README with what was built: `node scripts/sizes.mjs`, after the build, with the standalone
// programs that are in standalone/manifest.json. Prints what the README should say; the exit code is 1 if there is anything.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { top } from "./setup.mjs";

/** The columns of the README's table, by the target of the program. */
const columns = {
  "linux-x64": "Linux x64",
  "linux-arm64": "Linux arm64",
  "linux-x64-musl": "Linux x64, musl",
  "linux-arm64-musl": "Linux arm64, musl",
  "darwin-x64": "macOS x64",
  "darwin-arm64": "macOS arm64",
  "windows-x64": "Windows x64",
};

/**
 * What the README says otherwise, in bytes: of the package, and of programs, as manifest.json has them. A package may differ by 0.1 MB, because
 * compression does, and a program by 1 MB.
 * @param {string} readme
 * @param {{ readonly size: number, readonly unpackedSize: number }} pack
 * @param {readonly { readonly target: string, readonly bytes: number }[]} programs
 * @returns {string[]}
 */
export function wrongSizes(readme, pack, programs) {
  const [, ...said] = /The package takes ([\d.]+) MB, or ([\d.]+) MB unpacked/.exec(readme) ?? [];
  const cells = (/** @type {string} */ line) => line.split("|").map((cell) => cell.trim());
  const lines = readme.split("\n");
  const head = lines.findIndex((line) => line.startsWith("| Linux x64 "));
  const [names, sizes] = [cells(lines[head] ?? ""), cells(lines[head + 2] ?? "")];
  const table = programs.map(({ target, bytes }) => {
    const column = columns[/** @type {keyof typeof columns} */ (target)] ?? target;
    return check(column, { said: sizes[names.indexOf(column)], bytes, digits: 0 });
  });
  return [
    ...check("the package", { said: said[0], bytes: pack.size, digits: 1 }),
    ...check("the package, unpacked", { said: said[1], bytes: pack.unpackedSize, digits: 1 }),
    ...table.flat(),
  ];
}

/**
 * @param {string} what
 * @param {{ readonly said: string | undefined, readonly bytes: number, readonly digits: number }} size
 */
function check(what, { said = "nothing", bytes, digits }) {
  const is = (bytes / 1e6).toFixed(digits);
  const unit = 10 ** digits;
  const isNear = Math.abs(Math.round(Number(said) * unit) - Math.round(Number(is) * unit)) <= 1;
  return isNear ? [] : [`README.md: ${what}: ${is} MB, not ${said}`];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const shell = process.platform === "win32";
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [pack] = JSON.parse(spawnSync("npm", args, { cwd: top, encoding: "utf8", shell }).stdout);
  const manifest = join(top, "standalone", "manifest.json");
  const { programs } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : { programs: [] };
  const wrong = wrongSizes(readFileSync(join(top, "README.md"), "utf8"), pack, programs);
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
