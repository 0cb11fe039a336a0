import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolders } from "../../system/files.ts";

const ownerOnly = 0o700;

/** Creates a temporary folder that only its owner can use, whatever the umask, and returns its path. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tongs-sandbox-"));
  await chmod(folder, ownerOnly);
  return folder;
}

/** Creates a folder like `temporaryFolder` does. One that exists keeps its permissions: it was made by the user. */
export async function dataFolder(folder: string): Promise<void> {
  const made = createFolders(folder, ownerOnly);
  if (made !== undefined) await chmod(folder, ownerOnly);
}

/** Creates a folder of the sandbox inside its data folder, or takes the permissions of others away from an existing one. */
export async function privateFolder(folder: string): Promise<void> {
  createFolders(folder, ownerOnly);
  await chmod(folder, ownerOnly);
}
