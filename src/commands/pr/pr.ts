import { commitColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { repoPage } from "../../app/web.ts";
import { choice } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { type ChangedFile, changedFile, commit } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { pullCommitList, pullFileList } from "../../forge/pulls.ts";
import { type Review, review, reviewList } from "../../forge/reviews.ts";
import { state, styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { type FindContext, findNumber, type PullSelector, pullSelector } from "./find.ts";
import { fileName, reviewState } from "./pull.ts";

/** The verbs of `tongs pr`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  diff: () => import("./diff.ts").then((file) => file.diff),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  close: () => import("./close-reopen.ts").then((file) => file.close),
  reopen: () => import("./close-reopen.ts").then((file) => file.reopen),
  ready: () => import("./ready.ts").then((file) => file.ready),
  merge: () => import("./merge.ts").then((file) => file.merge),
  merged: () => import("./merged.ts").then((file) => file.merged),
  update: () => import("./update.ts").then((file) => file.update),
  commits: listCommand({
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
  }),
  files: listCommand({
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
  }),
  checkout: () => import("./checkout.ts").then((file) => file.checkout),
  checks: () => import("./checks.ts").then((file) => file.checks),
  review: {
    summary: "Review pull requests",
    defaultVerb: "add",
    standsAlone: true,
    verbs: () => import("./review/review.ts").then((file) => file.verbs),
  },
  reviews: listCommand({
    on: "repository",
    lists: ["review", "reviews"],
    record: review,
    summary: "List the reviews of a pull request",
    args: { pr: pullSelector },
    columns: [
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
  }),
  comment: () => import("./comment.ts").then((file) => file.comment),
  why: () => import("./why.ts").then((file) => file.why),
  status: () => import("./status.ts").then((file) => file.status),
  lock: () => import("./lock.ts").then((file) => file.lock),
  unlock: () => import("./lock.ts").then((file) => file.unlock),
  thread: {
    summary: "Manage review comments on pull requests",
    verbs: () => import("./thread/thread.ts").then((file) => file.verbs),
  },
};

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
