import { commitColumns } from "../../app/columns.ts";
import { listCommand } from "../../app/list-command.ts";
import { repoPage } from "../../app/web.ts";
import { choice } from "../../command/flags.ts";
import { type ChangedFile, changedFile, commit } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { pullCommitList, pullFileList } from "../../forge/pulls.ts";
import { type Review, review, reviewList } from "../../forge/reviews.ts";
import { state, styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { type FindContext, findNumber, type PullSelector, pullSelector } from "./find.ts";
import { fileName, reviewState } from "./pull.ts";

/** `tongs pr commits`. */
export const commits = listCommand({
  on: "repository",
  lists: ["commit", "commits"],
  record: commit,
  summary: "List the commits of a pull request, newest first",
  args: { pr: pullSelector },
  columns: commitColumns,
  async fetch(context) {
    const index = await findNumber(context.args.pr, context);
    // The table does not show signatures and files, which are expensive for the server.
    const query = context.out.records ? {} : { verification: false, files: false };
    return call(context.http, pullCommitList, { repo: context.repo, index, ...query });
  },
  page: (context) => pullPage(context, "commits"),
  examples: [["List the commits of pull request 12", "tongs pr commits 12"]],
});

/** `tongs pr files`. */
export const files = listCommand({
  on: "repository",
  lists: ["changed file", "changed files"],
  record: changedFile,
  summary: "List the changed files of a pull request",
  args: { pr: pullSelector },
  flags: { ignoreWhitespace: choice(["all", "change", "eol"], "ignore changes of whitespace") },
  columns: [
    column<ChangedFile>("STATUS", "status"),
    column<ChangedFile>("ADDED", "additions", (file) => styled("good", `+${file.additions ?? 0}`)),
    column<ChangedFile>("DELETED", "deletions", (file) => styled("bad", `-${file.deletions ?? 0}`)),
    column<ChangedFile>("FILE", "filename", { cell: fileName, flexible: true }),
  ],
  async fetch(context) {
    const { flags, http, repo } = context;
    const index = await findNumber(context.args.pr, context);
    const whitespace = flags.ignoreWhitespace === undefined ? undefined : `ignore-${flags.ignoreWhitespace}`;
    return call(http, pullFileList, { repo, index, whitespace });
  },
  page: (context) => pullPage(context, "files"),
  examples: [
    ["List the files changed by pull request 12", "tongs pr files 12"],
    ["Print only the names", "tongs pr files 12 --all --jq '.[].filename'"],
  ],
});

/** `tongs pr reviews`. */
export const reviews = listCommand({
  on: "repository",
  lists: ["review", "reviews"],
  record: review,
  summary: "List the reviews of a pull request",
  args: { pr: pullSelector },
  columns: [
    column<Review>("ID", "id", { rank: "key" }),
    column<Review>("REVIEWER", "user.login", reviewer),
    column<Review>("STATE", "state", (one) => state(reviewState(one))),
    column<Review>("OFFICIAL", "official", { cell: (one) => (one.official ? "yes" : ""), rank: "optional" }),
    column<Review>("STALE", "stale", { cell: (one) => (one.stale ? "yes" : ""), rank: "optional" }),
    column<Review>("COMMENTS", "comments_count"),
    column<Review>("TEXT", "body", { flexible: true }),
    column<Review>("SUBMITTED", "submitted_at", { as: "time" }),
  ],
  async fetch(context) {
    return call(context.http, reviewList, { repo: context.repo, index: await findNumber(context.args.pr, context) });
  },
  page: (context) => pullPage(context),
  examples: [["List the reviews of pull request 12", "tongs pr reviews 12"]],
});

/** The path of a web page of the selected pull request. */
async function pullPage(
  context: FindContext & { readonly args: { readonly pr: PullSelector } },
  ...parts: readonly string[]
): Promise<string> {
  return repoPage(context.repo, "pulls", await findNumber(context.args.pr, context), ...parts);
}

function reviewer(one: Review): string | undefined {
  return one.user?.login ?? (one.team ? `team ${one.team.name}` : undefined);
}
