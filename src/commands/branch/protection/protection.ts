import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { repoPage } from "../../../app/web.ts";
import type { Table } from "../../../command/table.ts";
import {
  type BranchProtection,
  branchProtection,
  branchProtectionDelete,
  branchProtectionGet,
  branchProtectionList,
} from "../../../forge/branch-protections.ts";
import { call } from "../../../forge/operation.ts";
import { type Cell, shownName, when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";

const protections = resource({
  ...inRepository,
  noun: ["branch protection", "branch protections"],
  a: "a branch protection",
  record: branchProtection,
  argument: {
    key: "rule",
    one: "name of the protection: a branch name or a glob",
    many: "names of protections",
    source: "branch-protection",
  },
  select:
    ({ http, repo }) =>
    (name) =>
      call(http, branchProtectionGet, { repo, name }),
  target: () => (rule_name) => ({ rule_name }),
  name: ({ rule_name }: Pick<BranchProtection, "rule_name">) => `branch protection '${rule_name}'`,
  page: (_rule, repo) => repoPage(repo, "settings", "branches"),
});

/** The verbs of `tongs branch protection`. */
export const verbs: Table<Command> = {
  list: protections.list({
    details: "If several protections match a branch, the first in the list applies.",
    columns: [
      column<BranchProtection>("RULE", "rule_name", { flexible: true }),
      column<BranchProtection>("PRIORITY", "priority"),
      column<BranchProtection>("PUSH", "enable_push", ({ enable_push }) => (enable_push ? "allowed" : "blocked")),
      column<BranchProtection>("APPROVALS", "required_approvals"),
      column<BranchProtection>("CHECKS", "enable_status_check", {
        cell: ({ enable_status_check, status_check_contexts }) =>
          enable_status_check ? (status_check_contexts ?? []).map(shownName).join(", ") || "all" : "",
        flexible: true,
      }),
      column<BranchProtection>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
    ],
    fetch: ({ http, repo }) => call(http, branchProtectionList, { repo }),
    page: ({ repo }) => repoPage(repo, "settings", "branches"),
    examples: [["List branch protections", "tongs branch protection list"]],
  }),
  view: protections.view({
    sheet: (shown) => ({
      title: shown.rule_name,
      fields: Object.entries(shown)
        .filter(([name]) => name !== "rule_name" && name !== "branch_name")
        .map(([name, value]) => [name.replaceAll("_", " "), settingCell(name, value)] as const),
    }),
    examples: [["View the protection of main", "tongs branch protection view main"]],
  }),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: protections.each({
    verb: ["delete", "deleted"],
    effect: "destroy",
    sends: branchProtectionDelete,
    work: ({ rule_name: name }, { http, repo }) => call(http, branchProtectionDelete, { repo, name }),
    examples: [["Delete a protection", "tongs branch protection delete 'release/**' --yes"]],
  }),
  order: () => import("./order.ts").then((file) => file.order),
};

/** A setting: a time, a list, or a single value. */
function settingCell(name: string, value: unknown): Cell {
  if (name.endsWith("_at") && typeof value === "string") return when(value);
  if (Array.isArray(value)) return value.map((item) => shownName(String(item))).join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : "";
}
