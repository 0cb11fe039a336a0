import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What tongs keeps in a folder while a download is not finished. */
export interface FoundScratch {
  readonly folder: string;
  readonly part: string;
  readonly note: string;
  readonly mark: string;
  /** The names in it. */
  readonly names: readonly string[];
}

/** The scratch folders in a folder. */
export function scratchesIn(folder: string): FoundScratch[] {
  return readdirSync(folder)
    .filter((name) => /^\.tongs-[A-Za-z0-9]{6}$/.test(name))
    .map((name) => scratchAt(join(folder, name)));
}

/** The one scratch folder in a folder; throws when there is none, or more than one. */
export function scratchIn(folder: string): FoundScratch {
  const [one, ...others] = scratchesIn(folder);
  if (one === undefined || others.length > 0) throw new Error(`Not one scratch folder: ${readdirSync(folder).join()}`);
  return one;
}

function scratchAt(folder: string): FoundScratch {
  const at = (name: string) => join(folder, name);
  const names = readdirSync(folder).sort();
  return { folder, part: at("archive.part"), note: at("archive.part.json"), mark: at("scratch.json"), names };
}
