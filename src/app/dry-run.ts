import type { DryRun } from "../http/debug.ts";
import { maskUrl, maskValue } from "../http/mask.ts";
import { actorLabel } from "../profiles/server.ts";
import type { System } from "../system/system.ts";
import { capitalized } from "../text/format.ts";
import { jsonText } from "../text/json.ts";
import { Styled } from "../text/styled.ts";
import type { BaseContext } from "./context.ts";

/**
 * Prints the write request that `--dry-run` did not send: method, address and body, with secrets masked, and what of it
 * could not be undone.
 */
export async function showDryRun(held: DryRun, system: System, asJson: boolean): Promise<void> {
  const address = maskUrl(held.url);
  const body = held.body === undefined ? undefined : maskValue(held.body);
  const { cannot, remaining = [] } = held.forecast;
  if (asJson) {
    const undo = { cannot_undo: cannot, undo_remaining: remaining.length === 0 ? undefined : remaining };
    const shown = { method: held.method, url: address, body, ...undo, sudo: held.sudo?.user, uploads: held.uploads };
    system.stdout.write(Styled.json(`${jsonText({ dry_run: shown })}\n`));
    return;
  }
  const content = body === undefined ? "" : `\n${jsonText(body, 2)}`;
  system.stdout.write(Styled.json(`${held.method} ${address}${content}\n`));
  const final = cannot === undefined ? [] : [`It could not be undone: ${cannot}.`];
  const undo = [...final, ...remaining.map((left) => `${capitalized(left)}.`)]
    .map((sentence) => ` ${sentence}`)
    .join("");
  const as = held.sudo === undefined ? "" : ` as ${actorLabel({ ...held.sudo })}`;
  system.stderr.write(`Dry run: the request${as} was not sent.${undo}\n`);
}

/** Under `--dry-run`, prints what would be stored and returns true. */
export async function reportDryRun(
  { options, out }: Pick<BaseContext, "options" | "out">,
  what: string,
): Promise<boolean> {
  if (!options.dryRun) return false;
  if (out.records) await out.raw(Styled.json(`${JSON.stringify({ dry_run: { would: what } })}\n`));
  out.note(`Dry run: would ${what}. Nothing was stored.`);
  return true;
}

/** Says under `--dry-run` why a write that follows the first one, which alone is shown, could not be undone. */
export function foreseeLater(
  { options, out }: Pick<BaseContext, "options" | "out">,
  what: string,
  why: string | undefined,
): void {
  if (options.dryRun && why !== undefined) out.note(`${what} could not be undone: ${why}.`);
}

/** Prints the git command that `--dry-run` did not run. */
export async function printGitDryRun(args: readonly string[], { out }: Pick<BaseContext, "out">): Promise<void> {
  if (out.records) await out.raw(Styled.json(`${JSON.stringify({ dry_run: { git: args } })}\n`));
  else await out.raw(`git ${args.join(" ")}\n`);
  out.note("Dry run: git was not run.");
}
