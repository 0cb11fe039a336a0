import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** What V8 made of the program's files when a command ran, kept for its next start. */
export interface CodeCache {
  /** The code of a file of dist, if it is there. */
  readonly of: (file: string) => Buffer | undefined;
  /** Keeps that of all files together. Where this fails the next start takes longer, and nothing else. */
  readonly write: (code: ReadonlyMap<string, Buffer>) => void;
}

/** A week, in milliseconds: after it the code of another build counts as left behind. */
const old = 7 * 24 * 60 * 60 * 1000;

/**
 * The cache of one build, in `XDG_CACHE_HOME` or in `.cache` at home. Undefined where neither is the user's own, since
 * code that others may write must not be run, and where `NODE_DISABLE_COMPILE_CACHE` switches it off. The folder is one
 * build's alone, as V8 itself compares little more than the length of a file. Each command has a file of its own: what
 * other commands make V8 compile would only have to be read, too.
 */
export function openCodeCache(dist: string, build: string, process: NodeJS.Process): CodeCache | undefined {
  const { env, version, arch, pid, getuid } = process;
  const { XDG_CACHE_HOME: xdg, HOME: home } = env;
  const base = xdg?.startsWith("/") ? xdg : home?.startsWith("/") ? home : undefined;
  if (base === undefined || env["NODE_DISABLE_COMPILE_CACHE"] !== undefined || !isOwn(base, getuid?.()))
    return undefined;
  const all = join(base, base === xdg ? "" : ".cache", "tongs", `${version}-${arch}`);
  const place = join(all, build);
  const file = join(place, `${commandOf(process.argv.slice(2), dist)}.bin`);
  const known = read(file);
  return {
    of: (name) => known.get(name),
    write(code) {
      try {
        mkdirSync(place, { recursive: true, mode: 0o700 });
        // Written beside and renamed, so that no other start reads half a file.
        writeFileSync(`${file}.${pid}`, packed(code), { mode: 0o600 });
        renameSync(`${file}.${pid}`, file);
        for (const other of readdirSync(all)) {
          if (other !== basename(place) && Date.now() - statSync(join(all, other)).mtimeMs > old) {
            rmSync(join(all, other), { recursive: true });
          }
        }
      } catch {}
    },
  };
}

function isOwn(folder: string, user: number | undefined): boolean {
  try {
    const { uid, mode } = statSync(folder);
    return uid === user && (mode & 0o002) === 0;
  } catch {
    return false;
  }
}

/** The command as its file in dist is called, as far as the first words tell. */
function commandOf(argv: readonly string[], dist: string): string {
  const end = argv.findIndex((word, index) => index > 2 || !/^[a-z]+$/.test(word));
  for (let count = end < 0 ? argv.length : end; count > 0; count -= 1) {
    const name = argv.slice(0, count).join("-");
    if (existsSync(`${dist}/${name}.js`)) return name;
  }
  return "other";
}

/** V8 wants its code to begin at a multiple of the size of a pointer, or copies it. */
const step = 8;
const aligned = (size: number) => Math.ceil(size / step) * step;

/** The length of a list of names and lengths, that list as JSON, and the code of each. */
function packed(code: ReadonlyMap<string, Buffer>): Buffer {
  const list = Buffer.from(JSON.stringify([...code].map(([name, { length }]) => [name, length])));
  const head = Buffer.alloc(aligned(step + list.length));
  head.writeUInt32LE(list.length);
  list.copy(head, step);
  return Buffer.concat([
    head,
    ...[...code.values()].flatMap((one) => [one, Buffer.alloc(aligned(one.length) - one.length)]),
  ]);
}

function read(file: string): ReadonlyMap<string, Buffer> {
  const code = new Map<string, Buffer>();
  try {
    const bytes = readFileSync(file);
    const size = bytes.readUInt32LE();
    const list = JSON.parse(bytes.toString("utf8", step, step + size)) as [name: string, length: number][];
    let at = aligned(step + size);
    for (const [name, length] of list) {
      code.set(name, bytes.subarray(at, at + length));
      at += aligned(length);
    }
  } catch {
    // There is none yet, or none that can be used: it is made anew.
  }
  return code;
}
