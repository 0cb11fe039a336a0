import { type Command, defineCommand } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { repoPage } from "../../app/web.ts";
import { one, optional } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { moment } from "../../command/time-flags.ts";
import { type Commit, commit, commitGet, commitList, commitText } from "../../forge/commits.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { existingCommit, explainUnknownCommit, resolveCommit } from "../../forge/resolve-commit.ts";
import { styled, when } from "../../output/cells.ts";
import { showDiff } from "../../output/diff-colors.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { refPath } from "../ref-path.ts";

/** The verbs of `tongs commit`. */
export const verbs: Table<Command> = {
  list: listCommand({
    summary: "List commits, newest first",
    on: "repository",
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
    record: commit,
    columns: [
      column<Commit>("COMMIT", "sha", { as: "commit" }),
      column<Commit>("TITLE", "commit.message", { as: "first line", flexible: true }),
      column<Commit>("AUTHOR", "author.login", (one) => one.author?.login ?? one.commit?.author?.name),
      column<Commit>("CREATED", "created", { as: "time" }),
    ],
    fetch({ args, flags: { path, not, since, until }, http, repo, out }) {
      // The table does not show signatures and files, which are expensive for the server.
      const unused = out.records ? {} : { verification: false, files: false };
      const all = call(http, commitList, { repo, sha: args.ref, path, not, since, until, ...unused, stat: false });
      // Forgejo ignores times (docs/server-differences.md, "Commits and files").
      const fits = ({ created }: Commit) => {
        const at = Date.parse(created ?? "");
        return !(at < Date.parse(since ?? "")) && !(at > Date.parse(until ?? ""));
      };
      return since === undefined && until === undefined ? all : filterListing(all, fits);
    },
    // Forgejo 7.0 answers 500 for an unknown ref.
    explain: (error, context) => explainUnknownCommit(error, context.args.ref, context),
    page: async (context) => repoPage(context.repo, "commits", await refPath(context.args.ref, context)),
    examples: [
      ["List the commits of the default branch", "tongs commit list"],
      ["List the commits of a branch that main does not have", "tongs commit list fix-tides --not main"],
    ],
  }),
  view: async () => view,
  note: noun("View and set notes of commits", () => import("./note/note.ts"), { defaultVerb: "view" }),
  status: {
    summary: "View and set commit statuses",
    verbs: async () => ({
      list: () => import("./status/list.ts").then((file) => file.list()),
      set: () => import("./status/set.ts").then((file) => file.set()),
    }),
  },
};

/** `tongs commit view`: GET a commit, or its changes as text. */
const view = defineCommand({
  summary: "View a commit",
  on: "repository",
  effect: "read",
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  flags: {
    diff: toggle("print the changes"),
    patch: toggle("print the changes as a patch for git am"),
  },
  exclusive: [["diff", "patch"]],
  output: commit,
  examples: [
    ["View a commit", "tongs commit view 3f2a91c"],
    ["Apply a commit to the current branch", "tongs commit view 3f2a91c --patch | git am"],
  ],
  web: { page: async (context) => repoPage(context.repo, "commit", await resolveCommit(context.args.commit, context)) },
  async run(context) {
    const { args, flags, http, repo, out } = context;
    if (!flags.diff && !flags.patch)
      return out.record(await call(http, commitGet, { repo, sha: args.commit, verification: false }), commitSheet);
    // Of an unknown commit the servers say 500 here, so it is looked up first.
    const sha = await existingCommit(args.commit, context);
    const { body } = await call(http, commitText, { repo, sha, diffType: flags.patch ? "patch" : "diff" });
    await showDiff(body, context);
  },
});

function commitSheet({ sha, html_url, commit: inner, author, parents, files, stats }: Commit): Sheet {
  const [title = "", ...rest] = (inner?.message ?? "").split("\n");
  const count = files?.length ?? 0;
  const lines = `+${stats?.additions ?? 0} -${stats?.deletions ?? 0}`;
  return {
    title,
    fields: [
      ["commit", styled("warn", sha)],
      ["parents", (parents ?? []).flatMap((parent) => parent.sha ?? []).join(", ")],
      ["author", author?.login ?? inner?.author?.name],
      ["created", when(inner?.author?.date)],
      ["changes", `${count} ${count === 1 ? "file" : "files"}, ${lines}`],
      ["url", styled("link", html_url)],
    ],
    body: rest.join("\n").trim(),
    sections: count === 0 ? [] : [{ title: "Files", body: (files ?? []).map(({ filename }) => filename).join("\n") }],
  };
}
