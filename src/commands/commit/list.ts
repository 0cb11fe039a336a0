import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { moment } from "../../command/moment.ts";
import { type Commit, commit, commitList } from "../../forge/commits.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { explainUnknownCommit } from "../../forge/resolve-commit.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { refPath } from "../ref-path.ts";

const columns = [
  column<Commit>("COMMIT", "sha", { as: "commit" }),
  column<Commit>("TITLE", "commit.message", { as: "first line", flexible: true }),
  column<Commit>("AUTHOR", "author.login", (one) => one.author?.login ?? one.commit?.author?.name),
  column<Commit>("CREATED", "created", { as: "time" }),
];

/** `tongs commit list`: GET the commits of a branch, tag or commit. */
export const list = defineCommand({
  summary: "List commits, newest first",
  on: "repository",
  effect: "read",
  lists: ["commit", "commits"],
  args: { ref: optional("branch, tag or commit (default: the default branch)", { source: "ref" }) },
  flags: {
    path: text("filter by changes of this file or directory", { placeholder: "PATH", filters: true }),
    not: text("exclude the commits of this branch, tag or commit", {
      placeholder: "REF",
      source: "ref",
      filters: true,
    }),
    since: moment("filter by time: at or after", { filters: true }),
    until: moment("filter by time: at or before", { filters: true }),
  },
  output: listOf(commit),
  examples: [
    ["List the commits of the default branch", "tongs commit list"],
    ["List the commits of a branch that main does not have", "tongs commit list fix-tides --not main"],
  ],
  web: { page: async (context) => repoPage(context.repo, "commits", await refPath(context.args.ref, context)) },
  async run({ args, flags, http, repo, out }) {
    const { path, not, since, until } = flags;
    const query = { sha: args.ref, path, not, since, until };
    // The table does not show signatures and files, which are expensive for the server.
    const all = call(http, commitList, {
      repo,
      ...(out.records ? query : { ...query, verification: false, files: false }),
      stat: false,
    });
    // Forgejo ignores times (docs/server-differences.md, "Commits and files").
    const fits = ({ created }: Commit) => {
      const at = Date.parse(created ?? "");
      return !(at < Date.parse(since ?? "")) && !(at > Date.parse(until ?? ""));
    };
    const filtered = since !== undefined || until !== undefined;
    // Forgejo 7.0 answers 500 for an unknown ref.
    await out
      .list(filtered ? filterListing(all, fits) : all, columns)
      .catch((error: unknown) => explainUnknownCommit(error, args.ref, { http, repo }));
  },
});
