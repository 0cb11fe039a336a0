import type { RepositoryContext } from "../../../app/context.ts";
import type { Command } from "../../../app/define.ts";
import { bodyOf, editedLists, flagsOf, listEdits, listExclusive } from "../../../app/fields.ts";
import { requireWriters } from "../../../app/listed-users.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { explainExisting } from "../../../app/shared.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { exactNumber, text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { UsageError } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import { oneNamed } from "../../../forge/names.ts";
import { call } from "../../../forge/operation.ts";
import {
  expressionOf,
  type TagProtection,
  tagProtection,
  tagProtectionCreate,
  tagProtectionDelete,
  tagProtectionEdit,
  tagProtectionGet,
  tagProtectionList,
  tagProtectionSettings,
} from "../../../forge/tags.ts";
import { when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { fullName } from "../../../repo/repo-name.ts";

const protections = resource({
  ...inRepository,
  noun: ["tag protection", "tag protections"],
  a: "a tag protection",
  record: tagProtection,
  argument: {
    key: "protection",
    one: "pattern of the protection, or its ID",
    many: "patterns of protections, or their IDs",
    source: "tag-protection",
  },
  select: async (context) => async (typed) =>
    /^\d+$/.test(typed)
      ? call(context.http, tagProtectionGet, { repo: context.repo, id: exactNumber(typed) })
      : (await findProtection(context))(typed),
  target: findProtection,
  name: ({ name_pattern }: TagProtection) => `tag protection '${name_pattern}'`,
});

const settingFlags = flagsOf(tagProtectionSettings);
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
  create: protections.create({
    details:
      "Only the given users and teams can create and delete matching tags: --whitelist-usernames or --whitelist-teams is " +
      "required.",
    needs: [tagProtectionCreate],
    args: { pattern: one("glob, or a regular expression between slashes, that matches the names of tags") },
    flags: settingFlags,
    exits: { refused: "the protection already exists" },
    async body(context) {
      const { args, flags } = context;
      if (args.pattern.trim() === "") throw new UsageError("The pattern must not be empty");
      const body = { ...bodyOf(settingFlags, flags), name_pattern: args.pattern };
      if ([...(body.whitelist_usernames ?? []), ...(body.whitelist_teams ?? [])].length === 0)
        throw new UsageError("--whitelist-usernames or --whitelist-teams is required");
      // Servers accept a regular expression that is not valid, and then protect nothing.
      checkPattern(args.pattern);
      await requireWriters(tagProtectionSettings, body, {}, context);
      return body;
    },
    send: (body, { http, repo }) =>
      call(http, tagProtectionCreate, { repo }, body).catch((error: unknown) => {
        throw explainExisting(error, `Tag protection '${body.name_pattern}' of ${fullName(repo)}`);
      }),
    prints: ({ id }) => id,
    examples: [["Let one user create versions", "tongs tag protection create 'v*' --whitelist-usernames mara"]],
  }),
  edit: protections.edit({
    details: "--whitelist-… replaces the list, '' empties it; --add-… and --remove-… change it.",
    needs: [tagProtectionEdit],
    flags: {
      namePattern: text("new pattern", { placeholder: "PATTERN" }),
      ...settingFlags,
      ...listEdits(settingFlags),
    },
    exclusive: listExclusive(settingFlags),
    body({ flags }) {
      if (flags.namePattern?.trim() === "") throw new UsageError("--name-pattern must not be empty");
      const lists = { ...bodyOf(settingFlags, flags), ...editedLists(settingFlags, flags, {}) };
      return { ...(flags.namePattern === undefined ? {} : { name_pattern: flags.namePattern }), ...lists };
    },
    async send(found, given, context) {
      const { flags, http, repo } = context;
      const body = { ...given, ...editedLists(settingFlags, flags, found) };
      await requireWriters(tagProtectionSettings, body, found, context);
      return call(http, tagProtectionEdit, { repo, id: found.id }, body);
    },
    examples: [["Let another user create versions", "tongs tag protection edit 'v*' --add-whitelist-usernames jonas"]],
  }),
  delete: protections.delete({
    needs: [tagProtectionDelete],
    sends: tagProtectionDelete,
    work: ({ id }, { http, repo }) => call(http, tagProtectionDelete, { repo, id }),
    examples: [["Delete a tag protection", "tongs tag protection delete 'v*' --yes"]],
  }),
};

/** Finds tag protections by pattern or ID. */
async function findProtection({ http, repo }: RepositoryContext): Promise<(typed: string) => TagProtection> {
  const all = await collect(call(http, tagProtectionList, { repo }));
  const where = `in ${fullName(repo)}`;
  return (typed) => oneNamed(all, typed, { kind: "tag protection", nameOf: (rule) => rule.name_pattern, where });
}

function checkPattern(pattern: string): void {
  const expression = expressionOf(pattern);
  if (expression === undefined) return;
  try {
    new RegExp(expression, "u");
  } catch {
    throw new UsageError(`'${pattern}' is not a valid regular expression`);
  }
}
