import { sizeOf } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { QuotaRule } from "../../forge/quotas.ts";
import { sizeText } from "../../text/format.ts";

/** The limit of a rule: `2.0 GiB`, `unlimited`. */
export function limitText({ limit }: Pick<QuotaRule, "limit">): string {
  return limit === -1 ? "unlimited" : sizeText(Number(limit));
}

/** The bytes of a size that is typed. Throws a usage error from 2^53 on, where numbers are no longer exact. */
export function exactSize(raw: string, spelling: string): number {
  const size = sizeOf(raw, spelling);
  if (size <= Number.MAX_SAFE_INTEGER) return size;
  throw new UsageError(`${spelling} must be less than 8192T, not '${raw}'`);
}
