import type { ChangedFile } from "../../forge/commits.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

/** The table of changed files. */
export const fileColumns = [
  column<ChangedFile>("STATUS", (file) => file.status),
  column<ChangedFile>("ADDED", (file) => styled("good", `+${file.additions}`)),
  column<ChangedFile>("DELETED", (file) => styled("bad", `-${file.deletions}`)),
  column<ChangedFile>("FILE", fileName, true),
];

/** `old → new` for a renamed file. */
export function fileName(file: ChangedFile): string {
  const { filename, previous_filename: before } = file;
  return before === undefined || before === "" || before === filename ? filename : `${before} → ${filename}`;
}
