import type { System } from "../context.ts";
import type { DryRun } from "../http/dry-run.ts";
import { jsonText } from "../http/json.ts";
import { maskUrl, maskValue } from "../http/mask.ts";

/** Prints the write that `--dry-run` held back: method, path, body; secrets masked. */
export async function showDryRun(held: DryRun, system: System, asJson: boolean): Promise<void> {
  const address = maskUrl(held.url);
  const body = held.body === undefined ? undefined : maskValue(held.body);
  if (asJson) {
    system.stdout.write(`${jsonText({ dry_run: { method: held.method, url: address, body } })}\n`);
    return;
  }
  const content = body === undefined ? "" : `\n${jsonText(body, 2)}`;
  system.stdout.write(`${held.method} ${address}${content}\n`);
  system.stderr.write("Dry run: this was not sent.\n");
}
