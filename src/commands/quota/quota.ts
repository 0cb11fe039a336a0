import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import type { Group, Table } from "../../command/table.ts";
import { call } from "../../forge/operation.ts";
import {
  type QuotaItem,
  quotaArtifactList,
  quotaAttachmentList,
  quotaItem,
  quotaPackageList,
} from "../../forge/quotas.ts";
import { column } from "../../output/table.ts";
import { orgFlag, quotaLevel, storagePage } from "./level.ts";

/** The group of a kind of what is stored: its list. */
function storedBy(
  one: string,
  needs: typeof quotaArtifactList | typeof quotaAttachmentList | typeof quotaPackageList,
): Group<Command> {
  const list = listCommand({
    summary: `List the ${one}s that use the quota`,
    on: "server",
    lists: [one, `${one}s`],
    needs: [needs],
    record: quotaItem,
    flags: { org: orgFlag },
    page: storagePage,
    pageUses: ["org"],
    columns: [
      column<QuotaItem>("NAME", "name", { style: "strong", flexible: true }),
      column<QuotaItem>("SIZE", "size", { as: "size" }),
    ],
    fetch: ({ flags: { org }, http }) => call(http, needs, { level: quotaLevel(org) }),
    examples: [[`List your ${one}s`, `tongs quota ${one} list`]],
  });
  return { summary: `See which ${one}s use the quota`, verbs: async () => ({ list }) };
}

/** The verbs of `tongs quota`. */
export const verbs: Table<Command> = {
  view: () => import("./view.ts").then((file) => file.view),
  check: () => import("./check.ts").then((file) => file.check),
  artifact: storedBy("artifact", quotaArtifactList),
  attachment: storedBy("attachment", quotaAttachmentList),
  package: storedBy("package", quotaPackageList),
  group: { summary: "Manage quota groups", verbs: () => import("./group.ts").then((file) => file.verbs) },
  rule: { summary: "Manage quota rules", verbs: () => import("./rule.ts").then((file) => file.verbs) },
};
