import { UsageError } from "../failure/failure.ts";
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
