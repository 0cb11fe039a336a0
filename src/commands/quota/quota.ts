import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import type { Table } from "../../command/table.ts";
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

const list = {
  on: "server",
  record: quotaItem,
  flags: { org: orgFlag },
  page: storagePage,
  pageUses: ["org"],
  columns: [
    column<QuotaItem>("NAME", "name", { style: "strong", flexible: true }),
    column<QuotaItem>("SIZE", "size", { as: "size" }),
  ],
} as const;

/** The verbs of `tongs quota`. */
export const verbs: Table<Command> = {
  view: () => import("./view.ts").then((file) => file.view),
  check: () => import("./check.ts").then((file) => file.check),
  artifact: {
    summary: "See which artifacts use the quota",
    verbs: async () => ({
      list: listCommand({
        ...list,
        summary: "List the artifacts that use the quota",
        lists: ["artifact", "artifacts"],
        needs: [quotaArtifactList],
        fetch: ({ flags: { org }, http }) => call(http, quotaArtifactList, { level: quotaLevel(org) }),
        examples: [["List your artifacts", "tongs quota artifact list"]],
      }),
    }),
  },
  attachment: {
    summary: "See which attachments use the quota",
    verbs: async () => ({
      list: listCommand({
        ...list,
        summary: "List the attachments that use the quota",
        lists: ["attachment", "attachments"],
        needs: [quotaAttachmentList],
        fetch: ({ flags: { org }, http }) => call(http, quotaAttachmentList, { level: quotaLevel(org) }),
        examples: [["List your attachments", "tongs quota attachment list"]],
      }),
    }),
  },
  package: {
    summary: "See which packages use the quota",
    verbs: async () => ({
      list: listCommand({
        ...list,
        summary: "List the packages that use the quota",
        lists: ["package", "packages"],
        needs: [quotaPackageList],
        fetch: ({ flags: { org }, http }) => call(http, quotaPackageList, { level: quotaLevel(org) }),
        examples: [["List your packages", "tongs quota package list"]],
      }),
    }),
  },
  group: { summary: "Manage quota groups", verbs: () => import("./group.ts").then((file) => file.verbs) },
  rule: { summary: "Manage quota rules", verbs: () => import("./rule.ts").then((file) => file.verbs) },
};
