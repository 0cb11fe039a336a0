import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { type Load, noun, type Table } from "../../command/table.ts";
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

/** The list of a kind of what is stored. */
function storedList(
  one: string,
  needs: typeof quotaArtifactList | typeof quotaAttachmentList | typeof quotaPackageList,
): Load<Command> {
  return listCommand({
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
}

/** The verbs of `tongs quota`. */
export const verbs: Table<Command> = {
  view: () => import("./view.ts").then((file) => file.view),
  check: () => import("./check.ts").then((file) => file.check),
  artifact: {
    summary: "See which artifacts use the quota",
    verbs: async () => ({ list: storedList("artifact", quotaArtifactList) }),
  },
  attachment: {
    summary: "See which attachments use the quota",
    verbs: async () => ({ list: storedList("attachment", quotaAttachmentList) }),
  },
  package: {
    summary: "See which packages use the quota",
    verbs: async () => ({ list: storedList("package", quotaPackageList) }),
  },
  group: noun("Manage quota groups", () => import("./group.ts")),
  rule: noun("Manage quota rules", () => import("./rule.ts")),
};
