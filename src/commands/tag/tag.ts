import type { Command } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { repoPage } from "../../app/web.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one, optional } from "../../command/args.ts";
import { inputFile, text } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { Failure, UsageError, unlessFailed } from "../../failure/failure.ts";
import { wasAt } from "../../forge/branches.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type Tag, tag, tagCreate, tagDelete, tagGet, tagList } from "../../forge/tags.ts";
import { isBranchName } from "../../git/refs.ts";
import { RefusedError } from "../../http/errors.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { addressText, commandIn, type Place } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { nullable, record, string, words } from "../../shape/shape.ts";
import { quoted } from "../../text/words.ts";

const tags = resource({
  ...inRepository,
  noun: ["tag", "tags"],
  a: "a tag",
  record: tag,
  argument: { key: "tag", one: "name of the tag", many: "names of tags", source: "tag" },
  get: (name, { http, repo }) => call(http, tagGet, { repo, tag: name }),
  target: () => (name) => ({ name }),
  name: ({ name }: Pick<Tag, "name">) => `tag ${name}`,
  page: ({ name }, repo) => repoPage(repo, "src/tag", name),
});

/** A tag that is deleted, and the commit that it was at. */
const deletedTag = record({
  tag: string,
  repository: string,
  result: words("deleted", "unchanged"),
  commit: nullable(string),
});

const columns = [
  column<Tag>("NAME", "name", { style: "link", flexible: true }),
  column<Tag>("COMMIT", "commit.sha", { as: "commit" }),
  column<Tag>("MESSAGE", "message", { as: "first line", flexible: true }),
  column<Tag>("CREATED", "commit.created", { as: "time" }),
];

/** The verbs of `tongs tag`. */
export const verbs: Table<Command> = {
  list: tags.list({
    flags: { search: text("filter by a part of the name", { short: "S", filters: true }) },
    columns,
    fetch({ flags: { search }, http, repo }) {
      const all = call(http, tagList, { repo });
      const lower = search?.toLowerCase() ?? "";
      return search === undefined ? all : filterListing(all, ({ name }) => name.toLowerCase().includes(lower));
    },
    page: ({ repo }) => repoPage(repo, "tags"),
    examples: [["List tags, newest first", "tongs tag list"]],
  }),
  view: tags.view({
    details: "Shows the message of an annotated tag, or else of its commit.",
    sheet: ({ name, id, commit, message }, { repo, server }) => ({
      title: name,
      fields: [
        ["kind", id === commit?.sha ? "lightweight" : "annotated"],
        ["commit", styled("warn", commit?.sha)],
        ["created", when(commit?.created)],
        ["url", styled("link", `${addressText(server.base)}/${repo.owner}/${repo.name}/src/tag/${name}`)],
      ],
      body: message,
    }),
    examples: [["View a tag", "tongs tag view v1.2.0"]],
  }),
  create: writeCommand({
    summary: "Create a tag",
    details: "With a message, the tag is annotated.",
    on: "repository",
    args: {
      name: one("name of the tag", { source: "new tag" }),
      ref: optional("branch, tag or commit (default: the default branch)", { source: "ref" }),
    },
    flags: {
      message: text("message of an annotated tag", { short: "m" }),
      messageFile: inputFile("read the message from a file", { short: "F" }),
    },
    exclusive: [["message", "messageFile"]],
    output: tag,
    exits: { refused: "a tag with this name exists" },
    async work({ args, flags, http, repo, system }) {
      // The servers say 500 for an invalid name, without a reason.
      if (!isBranchName(args.name)) throw new UsageError(`'${args.name}' is not a valid tag name`);
      const given = { text: flags.message, file: flags.messageFile, flag: "--message-file" };
      const message = await givenText(system, given);
      const record = await call(http, tagCreate, { repo }, { tag_name: args.name, target: args.ref, message });
      const at = record.commit?.sha.slice(0, 10) ?? "";
      return { done: `Created tag ${record.name} at ${at} in ${fullName(repo)}`, prints: record.name, record };
    },
    examples: [
      ["Tag the default branch", "tongs tag create v1.2.0"],
      ["Create an annotated tag at a commit", 'tongs tag create v1.2.0 3f2a91c -m "Version 1.2"'],
    ],
  }),
  delete: tags.delete({
    sends: tagDelete,
    leavesNothing: false,
    output: deletedTag,
    async work({ name }, { http, repo, server, out, options }) {
      const read = call(http, tagGet, { repo, tag: name });
      const before = await (options.dryRun ? read : unlessFailed(read));
      await call(http, tagDelete, { repo, tag: name }).catch((error: unknown) => {
        throw error instanceof RefusedError && error.status === 409 ? hasRelease(error, name, { repo, server }) : error;
      });
      const commit = before?.commit?.sha ?? null;
      return { tag: name, repository: out.nameNow(fullName(repo)), result: "deleted" as const, commit };
    },
    says: (name, where, _context, _tag, after) => `Deleted ${name}${wasAt(after?.commit)} from ${where}`,
    exits: { refused: "a release has the tag" },
    examples: [["Delete a tag", "tongs tag delete v1.2.0-rc1 --yes"]],
  }),
  protection: noun("Manage tag protections", () => import("./protection/protection.ts")),
};

function hasRelease(error: RefusedError, tag: string, place: Place): Failure {
  const { status, method, path } = error;
  return new Failure("has_release", `A release has tag ${tag}`, {
    status,
    method,
    path,
    cause: error,
    hint: `Delete both with: ${commandIn(place, `tongs release delete ${quoted(tag)} --cleanup-tag`)}`,
  });
}
