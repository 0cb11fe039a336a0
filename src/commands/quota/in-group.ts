import pMap from "p-map";
import type { ServerContext } from "../../app/context.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { type QuotaGroup, quotaGroupGet, quotaRuleGet } from "../../forge/quotas.ts";

/** Where the users and rules of a group are: its name is the first argument of every verb. */
export const inGroup = {
  on: "server",
  args: { group: one("name of the group") },
  place: ({ args: { group }, http }: Pick<ServerContext, "http"> & { readonly args: { readonly group: string } }) =>
    call(http, quotaGroupGet, { quotagroup: group }),
  where: ({ name }: QuotaGroup) => `quota group ${name}`,
} as const;

/** Servers take a rule that does not exist, with a limit of 0: throws if one does not. */
export async function requireRules(rules: readonly string[], http: ServerContext["http"]): Promise<void> {
  await pMap(rules, (quotarule) => call(http, quotaRuleGet, { quotarule }), { concurrency: 4 });
}
