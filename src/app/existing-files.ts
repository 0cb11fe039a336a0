import type { OnExisting } from "../archive/move-into-place.ts";
import { type FlagValues, toggle } from "../command/flags.ts";

/** The flags of downloads for files that exist; they exclude each other. */
export const existingFlags = {
  clobber: toggle("replace existing files", { aliases: [{ name: "overwrite" }] }),
  skipExisting: toggle("skip files that exist"),
};

/** What is done with files that exist; without a flag, only a complete one is no error. */
export function onExistingOf({ clobber, skipExisting }: FlagValues<typeof existingFlags>): OnExisting {
  return clobber ? "overwrite" : skipExisting ? "keep" : "refuse";
}
