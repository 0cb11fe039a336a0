import type { QuotaRule } from "../../forge/quotas.ts";
import { sizeText } from "../../text/format.ts";

/** The limit of a rule: `2.0 GiB`, `unlimited`. */
export function limitText({ limit }: Pick<QuotaRule, "limit">): string {
  return limit === -1 ? "unlimited" : sizeText(limit);
}
