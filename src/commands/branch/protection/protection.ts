import type { RepositoryContext } from "../../../app/context.ts";
import type { Command } from "../../../app/define.ts";
import { bodyOf, editedLists, flagName, flagsOf, listEdits, listExclusive } from "../../../app/fields.ts";
import { requireWriters } from "../../../app/listed-users.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { explainExisting } from "../../../app/shared.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import type { Table } from "../../../command/table.ts";
import { UsageError, withHint } from "../../../failure/failure.ts";
import {
  type BranchProtection,
  branchProtection,
  branchProtectionCreate,
  branchProtectionDelete,
  branchProtectionEdit,
  branchProtectionGet,
  branchProtectionList,
  branchProtectionSettings,
  protectionLists,
  protectionSwitches,
} from "../../../forge/branch-protections.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { ignoredIn, withNeeded } from "../../../forge/setting.ts";
import { ServerError } from "../../../http/errors.ts";
import { type Cell, shownName, when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { commandOn } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { quoted } from "../../../text/words.ts";

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
  get: (name, { http, repo }) => call(http, branchProtectionGet, { repo, name }),
  target: () => (rule_name) => ({ rule_name }),
  name: ({ rule_name }: Pick<BranchProtection, "rule_name">) => `branch protection '${rule_name}'`,
  page: (_rule, repo) => repoPage(repo, "settings", "branches"),
});

const settingFlags = flagsOf(branchProtectionSettings);

type Fields = Readonly<Record<string, unknown>>;

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
  create: protections.create({
    details:
      "Without flags, nobody can push to the branches. Flags have the names of the API's fields. " +
      "A setting that needs another one turns that on; a list that needs one is kept, with a warning. Fails if the server " +
      "ignored a setting, even though the protection was created.",
    fieldsOf: branchProtectionCreate,
    args: { rule: one("name of a branch, or a glob such as release/**", { source: "branch" }) },
    flags: settingFlags,
    exits: { refused: "the protection already exists" },
    async body(context) {
      const { args, flags, out } = context;
      if (args.rule.trim() === "") throw new UsageError("The name of the rule must not be empty");
      const given = bodyOf(settingFlags, flags);
      const needed = neededByNew(given);
      if (needed.length > 0)
        out.note(`This turns on ${needed.join(", ")}, too: without it, what was given has no effect`);
      const body = { ...given, ...Object.fromEntries(needed.map((name) => [name, true])), rule_name: args.rule };
      await requireWriters(branchProtectionSettings, body, {}, context);
      for (const text of withoutEffect(body, undefined)) out.warn(text);
      return body;
    },
    send: (body, context) =>
      call(context.http, branchProtectionCreate, { repo: context.repo }, body).catch((error: unknown) =>
        explainStored(
          explainExisting(error, `Branch protection '${body.rule_name}' of ${fullName(context.repo)}`),
          body.rule_name,
          context,
        ),
      ),
    prints: ({ rule_name }) => rule_name,
    examples: [
      [
        "Require two approvals and a check",
        "tongs branch protection create main --required-approvals 2 --enable-status-check --status-check-contexts 'ci/*'",
      ],
      [
        "Let one user push",
        "tongs branch protection create main --enable-push --enable-push-whitelist --push-whitelist-usernames jonas",
      ],
    ],
  }),
  edit: protections.edit({
    details:
      "Changes only the settings given by flags. A flag for a list replaces the list, '' empties it; --add-… and " +
      "--remove-… change it. " +
      "Fails if the server did not apply a setting.",
    fieldsOf: branchProtectionEdit,
    flags: { ...settingFlags, ...listEdits(settingFlags) },
    exclusive: listExclusive(settingFlags),
    body: ({ flags }): Fields => ({ ...bodyOf(settingFlags, flags), ...editedLists(settingFlags, flags, {}) }),
    async send(before, given, context) {
      const { flags, http, out, repo } = context;
      const body = withNeeded(protectionSwitches, { ...given, ...editedLists(settingFlags, flags, before) }, before);
      await requireWriters(branchProtectionSettings, body, before, context);
      for (const text of withoutEffect(body, before)) out.warn(text);
      return call(http, branchProtectionEdit, { repo, name: before.rule_name }, body);
    },
    examples: [
      ["Require one approval", "tongs branch protection edit main --required-approvals 1"],
      [
        "Add a required check",
        "tongs branch protection edit main --enable-status-check --add-status-check-contexts lint",
      ],
    ],
  }),
  delete: protections.delete({
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

/** The settings to turn on with those of a new protection. */
function neededByNew(body: Fields): string[] {
  return [...new Set(ignoredIn(protectionSwitches, body, undefined).map(({ unit }) => unit))];
}

/** The lists of a body that have no effect, because what they need is off, in it or `before`. */
function withoutEffect(body: Fields, before: Fields | undefined): string[] {
  const isEmpty = (list: unknown) => !Array.isArray(list) || list.length === 0;
  return ignoredIn(protectionLists, body, before)
    .filter(({ field }) => !isEmpty(body[field]))
    .map(({ field, unit }) => `${field} has no effect without ${flagName(unit)}`);
}

/**
 * Of a name that is not a valid glob the servers say 500, but store the protection, which then fails other requests
 * (docs/server-differences.md, "Branches and tags"). Throws an error that says so.
 */
async function explainStored(error: unknown, rule: string, { http, repo, server }: RepositoryContext): Promise<never> {
  if (!(error instanceof ServerError)) throw error;
  const stored = (await collect(call(http, branchProtectionList, { repo })).catch(() => [])).some(
    ({ rule_name }) => rule_name === rule,
  );
  if (!stored) throw error;
  const deletion = commandOn(server, `tongs branch protection delete ${quoted(rule)} -R ${fullName(repo)}`);
  throw withHint(error, `The protection was created anyway. Delete it with: ${deletion}`);
}
