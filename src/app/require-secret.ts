import { UsageError } from "../failure/failure.ts";
import { fieldPaths } from "../shape/select.ts";
import type { BaseContext } from "./context.ts";

/** Throws a usage error if `--json FIELDS` leaves out the field of a secret that is shown only once. Sends nothing. */
export function requireSecret(field: string, { options }: Pick<BaseContext, "options">): void {
  const fields = fieldPaths(options.json ?? "");
  if (fields.length === 0 || fields.includes(field)) return;
  throw new UsageError(
    `--json must include ${field}, which cannot be shown again`,
    `Use --json ${[...fields, field].join(",")}`,
  );
}
