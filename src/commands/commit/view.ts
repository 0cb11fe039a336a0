import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { type Commit, commit, commitGet, commitText } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { existingCommit, resolveCommit } from "../../forge/resolve-commit.ts";
import { styled, when } from "../../output/cells.ts";
import { showDiff } from "../../output/diff-colors.ts";
import type { Sheet } from "../../output/sheet.ts";

/** `tongs commit view`: GET a commit, or its changes as text. */
export const view = defineCommand({
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
