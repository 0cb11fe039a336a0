import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** What V8 made of the program's files, kept for the next start. */
export interface CodeCache {
  read(file: string): Buffer | undefined;
  /** Keeps them all. Where that fails the next start takes longer, and nothing else. */
  write(code: Iterable<readonly [file: string, code: Buffer]>): void;
}

/** A week, in milliseconds: after it the code of another build counts as left behind. */
const old = 7 * 24 * 60 * 60 * 1000;

/**
 * The cache of one build, in `XDG_CACHE_HOME` or in `.cache` at home. Undefined where neither is the user's own, since
 * code that others may write must not be run, and where `NODE_DISABLE_COMPILE_CACHE` switches it off. The folder is one
 * build's alone, as V8 itself compares little more than the length of a file.
 */
export function openCodeCache(
  build: string,
  { env, version, arch, pid, getuid }: NodeJS.Process,
): CodeCache | undefined {
  const { XDG_CACHE_HOME: xdg, HOME: home } = env;
  const base = xdg?.startsWith("/") ? xdg : home?.startsWith("/") ? home : undefined;
  if (base === undefined || env["NODE_DISABLE_COMPILE_CACHE"] !== undefined || !isOwn(base, getuid?.()))
    return undefined;
  const all = join(base, base === xdg ? "" : ".cache", "tongs", `${version}-${arch}`);
  const place = join(all, build);
  return {
    read(file) {
      try {
        return readFileSync(`${place}/${file}`);
      } catch {
        return undefined;
      }
    },
    write(code) {
      try {
        mkdirSync(place, { recursive: true, mode: 0o700 });
        for (const [file, content] of code) {
          // Written beside and renamed, so that no other start reads half a file.
          const own = join(place, `${file}.${pid}`);
          writeFileSync(own, content, { mode: 0o600 });
          renameSync(own, join(place, file));
        }
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
