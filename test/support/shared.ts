import { existsSync, mkdirSync, mkdtempSync, renameSync } from "node:fs";
import { join } from "node:path";

/** A folder that is made once per run of the tests, by the process that needs it first; `make` gets a path to make it at. */
export async function shared(name: string, make: (path: string) => Promise<unknown>): Promise<string> {
  const parent = process.env["TONGS_TEST_SHARED"] ?? "";
  const folder = join(parent, name);
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true });
  const made = join(mkdtempSync(join(parent, "new-")), name);
  await make(made);
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another process made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
