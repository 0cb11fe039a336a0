// Builds standalone programs, one file per target, with the compiler of bun: npm run build:standalone [-- --target T …].
// bun and its runtimes for the other targets come from the package registry, into a folder that is deleted at the end.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { top } from "./setup.mjs";

const bunVersion = "1.4.5";

/**
 * The targets, with the package of their runtime and the options with which npm installs it on every system.
 * @type {Record<string, { runtime: string, npm: readonly [os: string, cpu: string, libc?: string] }>}
 */
const targets = {
  "linux-x64": { runtime: "bun-linux-x64", npm: ["linux", "x64", "glibc"] },
  "linux-arm64": { runtime: "bun-linux-aarch64", npm: ["linux", "arm64", "glibc"] },
  "linux-x64-musl": { runtime: "bun-linux-x64-musl", npm: ["linux", "x64", "musl"] },
  "linux-arm64-musl": { runtime: "bun-linux-aarch64-musl", npm: ["linux", "arm64", "musl"] },
  "darwin-x64": { runtime: "bun-darwin-x64", npm: ["darwin", "x64"] },
  "darwin-arm64": { runtime: "bun-darwin-aarch64", npm: ["darwin", "arm64"] },
  "windows-x64": { runtime: "bun-windows-x64", npm: ["win32", "x64"] },
};

/** The target of this machine, as far as it is known. */
export const hostTarget = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;

/** A program that could not be built because bun cannot be installed or run here. */
export class NoCompilerError extends Error {}

/** The path of bun if this version of it is installed. */
export function installedBun() {
  const { stdout } = spawnSync("bun", ["-p", "Bun.version + ' ' + process.execPath"], { encoding: "utf8" });
  return stdout?.startsWith(`${bunVersion} `) ? stdout.slice(bunVersion.length + 1).trim() : undefined;
}

/**
 * Builds the programs of the targets into a folder, with SHA256SUMS and manifest.json. dist must be built before. Returns
 * the paths of the programs. Throws a `NoCompilerError` if bun cannot be installed or run.
 * @param {readonly string[]} names
 * @param {string} folder
 */
export function buildStandalone(names, folder) {
  const scratch = mkdtempSync(join(tmpdir(), "tongs-standalone-"));
  try {
    const stage = staged(scratch);
    const compiler = runtimeOf(hostTarget, scratch);
    const version = spawnSync(compiler, ["--version"], { encoding: "utf8" });
    if (version.status !== 0)
      throw new NoCompilerError(`bun does not run here: ${version.error?.message ?? version.stderr}`);
    mkdirSync(folder, { recursive: true });
    const programs = names.map((name) => {
      const file = join(folder, `tongs-${name}${name.startsWith("windows") ? ".exe" : ""}`);
      compile({ compiler, runtime: runtimeOf(name, scratch), name, stage, file });
      return { target: name, file, ...describe(file) };
    });
    writeManifest(programs, folder);
    return programs.map(({ file }) => file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * A copy of dist with the files that the program reads, at the paths where it looks for them.
 * @param {string} scratch
 */
function staged(scratch) {
  const stage = join(scratch, "stage");
  cpSync(join(top, "dist"), stage, { recursive: true });
  cpSync(join(top, "completions"), join(stage, "completions"), { recursive: true });
  copyFileSync(join(top, "package.json"), join(stage, "package.json"));
  // The loader of jq looks for its WebAssembly in the root directory, which stands for the directory of every module.
  copyFileSync(join(stage, "workers", "jq.wasm"), join(stage, "jq.wasm"));
  return stage;
}

/**
 * The path of the program that is the runtime of a target, which is installed if necessary.
 * @param {string} name
 * @param {string} scratch
 */
function runtimeOf(name, scratch) {
  const installedHere = name === hostTarget ? installedBun() : undefined;
  if (installedHere !== undefined) return installedHere;
  const target = targets[name];
  if (target === undefined) throw new NoCompilerError(`bun has no runtime for ${name}`);
  const { runtime, npm } = target;
  const [os, cpu, libc] = npm;
  const prefix = join(scratch, name);
  const program = join(prefix, "node_modules", "@oven", runtime, "bin", os === "win32" ? "bun.exe" : "bun");
  if (statSync(program, { throwIfNoEntry: false }) !== undefined) return program;
  mkdirSync(prefix, { recursive: true });
  const platform = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
  // npm refuses packages of other systems without --force.
  const quiet = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--fetch-retries", "0"];
  const args = ["install", "--prefix", prefix, ...platform, ...quiet, `@oven/${runtime}@${bunVersion}`];
  const shell = process.platform === "win32";
  const installed = spawnSync("npm", args, { cwd: scratch, encoding: "utf8", shell, timeout: 300_000 });
  if (installed.status === 0 && statSync(program, { throwIfNoEntry: false }) !== undefined) return program;
  const [reason] = /^npm error (?!code|syscall|errno).*$/m.exec(installed.stderr ?? "") ?? [];
  throw new NoCompilerError(`bun cannot be installed: ${installed.error?.message ?? reason ?? "npm failed"}`);
}

/** @param {Record<"compiler" | "runtime" | "name" | "stage" | "file", string>} what */
function compile({ compiler, runtime, name, stage, file }) {
  const assets = ["help", "completions", "package.json", "jq.wasm"].flatMap((path) => ["--asset", `./${path}`]);
  const args = [
    ...["build", "--compile", `--target=bun-${name.replace("-musl", "")}${name.endsWith("-musl") ? "-musl" : ""}`],
    ...["--compile-executable-path", runtime],
    // Without bytecode, the program is parsed at each start. More levels would make the program larger than 130 MB; the
    // runtime for Windows is the largest.
    ...["--minify", "--bytecode", `--bytecode-depth=${name.startsWith("windows") ? 0 : 2}`],
    // Compile functions to machine code later: a short command ends before that pays off, a long one hardly notices.
    "--compile-jit-policy=10",
    // A checkout must not configure the program that is run in it.
    ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
    ...["--define", `__dirname=${JSON.stringify(rootOf(name))}`, "--root", "."],
    ...[...assets, "./main.js", "./workers/unbounded.js", "./workers/datagrams.js", "--outfile", file],
  ];
  const built = spawnSync(compiler, args, { cwd: stage, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`bun could not build ${name}: ${built.stderr}`);
}

/**
 * The root of the files in a standalone program.
 * @param {string} name
 */
function rootOf(name) {
  return name.startsWith("windows") ? "B:/~BUN/root" : "/$bunfs/root";
}

/** @param {string} file */
function describe(file) {
  return { bytes: statSync(file).size, sha256: createHash("sha256").update(readFileSync(file)).digest("hex") };
}

/**
 * SHA256SUMS as `sha256sum --check` reads it, and the same with sizes as JSON.
 * @param {readonly { target: string, file: string, bytes: number, sha256: string }[]} programs
 * @param {string} folder
 */
function writeManifest(programs, folder) {
  const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
  /** @param {string} file */
  const nameOf = (file) => file.slice(folder.length + 1);
  const listed = programs.map(({ target, file, bytes, sha256 }) => ({ target, file: nameOf(file), bytes, sha256 }));
  writeFileSync(join(folder, "SHA256SUMS"), listed.map(({ sha256, file }) => `${sha256}  ${file}\n`).join(""));
  const manifest = { version, runtime: `bun ${bunVersion}`, programs: listed };
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function isMusl() {
  /** @type {{ header?: { glibcVersionRuntime?: string } }} */
  const { header } = process.report.getReport();
  return process.platform === "linux" && header?.glibcVersionRuntime === undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { target: { type: "string", multiple: true } } });
  const names = values.target ?? Object.keys(targets);
  const unknown = names.find((name) => targets[name] === undefined);
  if (unknown !== undefined) {
    console.error(`Unknown target ${unknown}. Available: ${Object.keys(targets).join(", ")}`);
    process.exit(2);
  }
  spawnSync(process.execPath, [join(top, "scripts", "build.mjs")], { stdio: "inherit" });
  for (const file of buildStandalone(names, join(top, "standalone"))) {
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  }
}
