import { Failure, UsageError } from "../failure/failure.ts";
import { showOnce } from "../output/show-once.ts";
import { fieldPaths } from "../shape/select.ts";
import { isNull } from "../system/output-stream.ts";
import type { BaseContext } from "./context.ts";

/**
 * Throws a usage error if a secret that is shown only once would be lost: `--json FIELDS` leaves out its field, or nobody
 * reads stdout. Sends nothing.
 */
export function requireSecret(field: string, { options, system }: Pick<BaseContext, "options" | "system">): void {
  const fields = fieldPaths(options.json ?? "");
  if (fields.length > 0 && !fields.includes(field)) {
    throw new UsageError(
      `--json must include ${field}, which cannot be shown again`,
      `Use --json ${[...fields, field].join(",")}`,
    );
  }
  if (options.dryRun || !isNull(system.stdout)) return;
  const secret = field === "sha1" ? "token" : field.replaceAll("_", " ");
  throw new UsageError(`stdout is closed or /dev/null: the ${secret} would be lost`, "Write it to a file: > FILE");
}

/**
 * Prints a secret that cannot be shown again as `text`, or the record with it in a JSON format. Throws a failure with `hint`, how
 * to get another one, if it could not be printed.
 */
export function printSecret(
  record: unknown,
  { what, text, hint }: { readonly what: string; readonly text: string; readonly hint: string },
  { out, system }: Pick<BaseContext, "out" | "system">,
): Promise<void> {
  const show = () => (out.records ? out.record(record, () => ({ fields: [] })) : out.raw(`${text}\n`));
  const lost = (reason: string) => new Failure("output_lost", `The ${what} could not be printed: ${reason}`, { hint });
  return showOnce(system.stdout, show, lost);
}
