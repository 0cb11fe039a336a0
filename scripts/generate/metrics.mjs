// Generates files from proto/: the TypeScript of ts-proto in src/metrics/generated, and the descriptor set for the
// independent decoder of the tests. With `--check`, writes nothing and fails if a file is out of date.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { run, top } from "../setup.mjs";

const generated = join(top, "src", "metrics", "generated");
const oracle = join(top, "test", "data", "metrics", "oracle.binpb");
const options = [
  "forceLong=long",
  "oneof=unions",
  "useMapType=true",
  "snakeToCamel=false",
  "useDate=false",
  "esModuleInterop=true",
  "importSuffix=.ts",
  "outputJsonMethods=false",
  "outputPartialMethods=false",
  "outputServices=none",
  "annotateFilesWithVersion=false",
];

const bin = join(top, "node_modules", ".bin");

/** @param {readonly string[]} args */
function buf(...args) {
  const env = {
    ...process.env,
    PATH: bin + delimiter + process.env["PATH"],
    BUF_CACHE_DIR: join(tmpdir(), "tongs-buf"),
  };
  run(join(bin, "buf"), args, { env, stdio: ["ignore", 2, 2] });
}

/**
 * @param {string} folder
 * @param {string} set
 */
function make(folder, set) {
  const plugin = {
    local: ["protoc-gen-ts_proto"],
    out: folder,
    opt: options,
    include_imports: true,
    include_wkt: true,
  };
  buf("generate", "proto", "--template", JSON.stringify({ version: "v2", plugins: [plugin] }));
  buf("build", "proto", "-o", set);
}

/** @param {string} folder */
function files(folder) {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** Generates all files. */
export function generate() {
  rmSync(generated, { recursive: true, force: true });
  make(generated, oracle);
}

/** The names of the files that are out of date. */
function stale() {
  const scratch = mkdtempSync(join(tmpdir(), "tongs-generate-"));
  make(join(scratch, "generated"), join(scratch, "oracle.binpb"));
  const fresh = files(join(scratch, "generated"));
  const kept = files(generated);
  const names = [...new Set([...fresh.keys(), ...kept.keys()])].filter((name) => fresh.get(name) !== kept.get(name));
  if (!readFileSync(join(scratch, "oracle.binpb")).equals(readFileSync(oracle))) names.push("oracle.binpb");
  rmSync(scratch, { recursive: true, force: true });
  return names;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes("--check")) {
  const names = stale();
  if (names.length > 0) {
    console.error(`Out of date: ${names.join(", ")}. Run 'npm run generate'.`);
    process.exit(1);
  }
}
