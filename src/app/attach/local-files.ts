import { realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../failure/failure.ts";
import { fullPath, type Place } from "../../system/files.ts";
import { decoded } from "../../text/percent.ts";
import { quoted } from "../../text/words.ts";
import { imageTypeOf } from "../image-type.ts";
import type { AttachFile } from "./limits.ts";

/** The real path of what a link names, in the first folder that has it; undefined if there is no such file. */
export async function followLink(href: string, folders: readonly string[], system: Place): Promise<string | undefined> {
  const names = /^file:/i.test(href) ? pathOfUrl(href) : [href, decoded(href)];
  for (const name of new Set(names)) {
    for (const path of isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))) {
      const real = await realPath(path, system);
      if (real !== undefined) return real;
    }
  }
  return undefined;
}

/** The real path of a file that tongs may use; undefined if there is none. */
export async function realPath(path: string, system: Place): Promise<string | undefined> {
  try {
    return await realpath(fullPath(path, system));
  } catch (error) {
    // A path with NUL is no path.
    if (error instanceof UsageError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

/**
 * The image at a real path, if a text may name it without `--attach`; else why not, and how it can be uploaded (`shown`: its path
 * there). Only images by their content, below one of
 * the folders without passing a hidden directory: a text must not send a key that is called `id.png`.
 */
export async function imageAt(path: string, shown: string, folders: readonly string[]): Promise<AttachFile | string> {
  const isBelow = folders.some((folder) => {
    const between = relative(folder, path);
    return !isAbsolute(between) && between.split(sep).every((part) => !part.startsWith("."));
  });
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return `it is ${found?.isDirectory() ? "a directory" : "not a regular file"}`;
  const instead = `To upload it, pass --attach ${quoted(shown)}`;
  if (!isBelow) return `it is hidden, or outside of the directory of the text and the current one. ${instead}`;
  const image = await imageTypeOf(path).catch(() => undefined);
  if (image === undefined) return `it is not a PNG, JPEG, GIF or WebP image. ${instead}`;
  return { typed: path, path, name: basename(path), size: found.size, image };
}

/** The path of a `file:` URL; none for that of another machine. */
function pathOfUrl(url: string): readonly string[] {
  try {
    return [fileURLToPath(url)];
  } catch {
    return [];
  }
}
