import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

/** Loads a file of dist by its name, and what that needs in turn. */
export type Load = (name: string) => unknown;

interface Exports {
  exports: unknown;
}

/** Where what V8 made of the files is kept for the next start. */
export interface Cache {
  /** A folder for this build alone: V8 itself compares little more than the length of a file. Beside it lie others. */
  readonly place: string;
  /** The user's id: what belongs to others is not run. */
  readonly user: number | undefined;
  /** Another one for every process. */
  readonly process: number;
}

/**
 * The loader of the program's own files, but for those that are `loaded` already. They lie beside each other and import each other and Node's modules only, so
 * that nothing is looked for; and they are not compiled again at each start. Together that is a fifth of the time of a
 * short command. Node's own cache comes with Node 22 and saves half as much.
 */
export function fileLoader(
  dist: string,
  { require, loaded, cache }: { require: NodeJS.Require; loaded: Readonly<Record<string, Exports>>; cache?: Cache },
): { load: Load; keep: () => void } {
  const modules = new Map<string, Exports>(Object.entries(loaded));
  const scripts = new Map<string, Script>();
  let fresh = false;

  const load: Load = (name) => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const file = join(dist, name);
    const run = compile(name, file).runInThisContext() as (...values: unknown[]) => void;
    run(module.exports, (id: string) => (id.startsWith("./") ? load(id.slice(2)) : require(id)), module, file, dist);
    return module.exports;
  };

  function compile(name: string, filename: string): Script {
    const content = readFileSync(filename, "utf8");
    const source = `(function (exports, require, module, __filename, __dirname) {${content}\n})`;
    if (cache === undefined) return new Script(source, { filename });
    const kept = join(cache.place, `${name}.bin`);
    const cachedData = readOwn(kept, cache.user);
    const script = new Script(source, { filename, ...(cachedData ? { cachedData } : {}) });
    if (cachedData === undefined || script.cachedDataRejected) fresh = true;
    scripts.set(kept, script);
    return script;
  }

  return {
    load,
    /** To be called at the end. When a file is new, a command runs for the first time and needs more of the others, too. */
    keep() {
      if (cache !== undefined && fresh) write(cache, scripts);
    },
  };
}

function readOwn(file: string, user: number | undefined): Buffer | undefined {
  try {
    const opened = openSync(file, "r");
    try {
      return user === undefined || fstatSync(opened).uid === user ? readFileSync(opened) : undefined;
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}

/** Writes beside and renames, so that no other start reads half a file. Other builds' folders go. */
function write({ place, process }: Cache, scripts: ReadonlyMap<string, Script>): void {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    for (const [file, script] of scripts) {
      const own = `${file}.${process}`;
      writeFileSync(own, script.createCachedData(), { mode: 0o600 });
      renameSync(own, file);
    }
    const all = dirname(place);
    for (const other of readdirSync(all)) if (other !== basename(place)) rmSync(join(all, other), { recursive: true });
  } catch {
    // A folder that cannot be written costs time at the next start, and nothing else.
  }
}
