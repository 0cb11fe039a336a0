import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { lock } from "../../system/lock.ts";

/** A folder that only this sandbox uses. */
export interface Claim {
  readonly release: () => Promise<void>;
}

/**
 * Claims an existing folder for the sandbox at a URL, until it is released or the process ends. Throws a Failure with
 * the URL of the sandbox that uses the folder: two would corrupt its data.
 */
export async function claimFolder(folder: string, url: string): Promise<Claim> {
  const file = join(folder, "serving");
  const held = await lock(`sandbox ${await realpath(folder)}`);
  if (held === undefined) {
    const other = await readFile(file, "utf8").catch(() => undefined);
    const where = other === undefined ? "" : `, at ${other}`;
    throw new Failure("folder_in_use", `Another sandbox is using ${folder}${where}`, {
      hint: "Use that one, stop it first, or choose another folder with --dir.",
    });
  }
  await writeFile(file, url);
  return {
    async release() {
      await rm(file, { force: true });
      held.release();
    },
  };
}
