import type { BaseContext } from "../context.ts";

/** Prints the git command that `--dry-run` held back, in place of the first write that others print. */
export async function showHeldBack(args: readonly string[], { out }: Pick<BaseContext, "out">): Promise<void> {
  if (out.records) await out.raw(`${JSON.stringify({ dry_run: { git: args } })}\n`);
  else await out.text(`git ${args.join(" ")}\n`);
  out.note("Dry run: git was not started.");
}
