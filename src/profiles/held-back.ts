import type { BaseContext } from "../context.ts";

/** Under `--dry-run` says what would be stored, and is true; nothing may be stored then. */
export function heldBack({ options, out }: Pick<BaseContext, "options" | "out">, what: string): boolean {
  if (options.dryRun) out.note(`Dry run: would ${what}. Nothing was stored.`);
  return options.dryRun;
}
