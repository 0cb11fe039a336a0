import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { repoPage } from "../../../app/web.ts";
import { exactNumber } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import {
  type TagProtection,
  tagProtection,
  tagProtectionDelete,
  tagProtectionGet,
  tagProtectionList,
} from "../../../forge/tags.ts";
import { when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { allProtections, findProtection, protectionArgument } from "./shared.ts";

const protections = resource({
  ...inRepository,
  noun: ["tag protection", "tag protections"],
  a: "a tag protection",
  record: tagProtection,
  argument: {
    key: "protection",
    one: protectionArgument,
    many: "patterns of protections, or their IDs",
    source: "tag-protection",
  },
  select: async (context) => async (typed) =>
    /^\d+$/.test(typed)
      ? call(context.http, tagProtectionGet, { repo: context.repo, id: exactNumber(typed) })
      : findProtection(await allProtections(context), typed, context),
  async target(context) {
    const all = await allProtections(context);
    return (typed) => findProtection(all, typed, context);
  },
  name: ({ name_pattern }: TagProtection) => `tag protection '${name_pattern}'`,
});

const joined = (names: readonly string[] | null | undefined) => (names ?? []).join(", ");

/** The verbs of `tongs tag protection`. */
export const verbs: Table<Command> = {
  list: protections.list({
    needs: [tagProtectionList],
    columns: [
      column<TagProtection>("ID", "id"),
      column<TagProtection>("PATTERN", "name_pattern", { flexible: true }),
      column<TagProtection>("USERS", "whitelist_usernames", {
        cell: (one) => joined(one.whitelist_usernames),
        flexible: true,
      }),
      column<TagProtection>("TEAMS", "whitelist_teams", { cell: (one) => joined(one.whitelist_teams), flexible: true }),
      column<TagProtection>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
    ],
    fetch: ({ http, repo }) => call(http, tagProtectionList, { repo }),
    page: ({ repo }) => repoPage(repo, "settings", "tags"),
    examples: [["List tag protections", "tongs tag protection list"]],
  }),
  view: protections.view({
    needs: [tagProtectionGet],
    page: ({ repo }) => repoPage(repo, "settings", "tags"),
    sheet: (shown) => ({
      title: shown.name_pattern,
      fields: [
        ["id", shown.id],
        ["users", joined(shown.whitelist_usernames)],
        ["teams", joined(shown.whitelist_teams)],
        ["updated", when(shown.updated_at)],
      ],
    }),
    examples: [["View a tag protection", "tongs tag protection view 'v*'"]],
  }),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: protections.each({
    needs: [tagProtectionDelete],
    verb: ["delete", "deleted"],
    effect: "destroy",
    sends: tagProtectionDelete,
    work: ({ id }, { http, repo }) => call(http, tagProtectionDelete, { repo, id }),
    examples: [["Delete a tag protection", "tongs tag protection delete 'v*' --yes"]],
  }),
};
