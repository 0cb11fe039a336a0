import type { BaseContext } from "../context.ts";

/** Under `--dry-run` says what would be stored, and is true; nothing may be stored then. */
export async function heldBack({ options, out }: Pick<BaseContext, "options" | "out">, what: string): Promise<boolean> {
  if (!options.dryRun) return false;
  if (out.records) await out.raw(`${JSON.stringify({ dry_run: { would: what } })}\n`);
  out.note(`Dry run: would ${what}. Nothing was stored.`);
  return true;
}
