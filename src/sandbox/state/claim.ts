import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../failure/failure.ts";

const nameOf = (folder: string) => join(folder, "serving");

/**
 * Throws a Failure when another sandbox serves the folder, because two would corrupt its data. The claim of a killed
 * sandbox is ignored: nothing responds at its URL.
 */
export async function checkClaim(folder: string): Promise<void> {
  const url = await readFile(nameOf(folder), "utf8").catch(() => undefined);
  if (url === undefined || !(await answers(url, folder))) return;
  throw new Failure("folder_in_use", "refused", `Another sandbox is using ${folder}, at ${url}`, {
    hint: "Use that one, stop it first, or choose another folder with --dir.",
  });
}

/** Claims a folder for the sandbox at a URL. */
export async function claimFolder(folder: string, url: string): Promise<void> {
  await writeFile(nameOf(folder), url);
}

/** Releases the claim of a folder. */
export async function releaseClaim(folder: string): Promise<void> {
  await rm(nameOf(folder), { force: true });
}

/** Whether a sandbox responds at the URL and serves this folder. Another program may use the port by now. */
async function answers(url: string, folder: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/sandbox`, { signal: AbortSignal.timeout(2_000) });
    return (await response.text()) === folder;
  } catch {
    return false;
  }
}
