import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Commit, commit } from "../../forge/commits.ts";
import { filterListing } from "../../forge/listings.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { refPath } from "../ref-path.ts";

const columns = (full: boolean) => [
  column<Commit>("COMMIT", ({ sha }) => styled("warn", full ? sha : sha.slice(0, 10))),
  column<Commit>("TITLE", (one) => one.commit?.message.split("\n", 1)[0], true),
  column<Commit>("AUTHOR", (one) => one.author?.login ?? one.commit?.author?.name),
  column<Commit>("CREATED", ({ created }) => when(created)),
];

/** `tongs commit list`: GET the commits of a branch, tag or commit. */
export const list = defineCommand({
  summary: "List commits, newest first",
  on: "repository",
  effect: "read",
  args: { ref: optional("branch, tag or commit (default: the default branch)", { source: "ref" }) },
  flags: {
    path: text("filter by changes of this file or folder", { placeholder: "PATH" }),
    not: text("leave out the commits of this branch, tag or commit", { placeholder: "REF" }),
    since: text("filter by time: at or after", { placeholder: "TIME" }),
    until: text("filter by time: at or before", { placeholder: "TIME" }),
  },
  output: listOf(commit),
  examples: [
    ["List the commits of the default branch", "tongs commit list"],
    ["List the commits of a branch that main does not have", "tongs commit list fix-tides --not main"],
  ],
  web: { page: async (context) => repoPage(context.repo, "commits", await refPath(context.args.ref, context)) },
  async run({ args, flags, forge, repo, out }) {
    const [since, until] = [readTime("--since", flags.since), readTime("--until", flags.until)];
    const query = { sha: args.ref, path: flags.path, not: flags.not, since: since?.text, until: until?.text };
    // The table does not show signatures and files, which are expensive for the server.
    const all = forge.commits.list(repo, out.records ? query : { ...query, verification: false, files: false });
    // Forgejo ignores times (docs/server-differences.md, "Commits and files").
    const fits = ({ created }: Commit) => {
      const at = Date.parse(created ?? "");
      return !(at < (since?.at ?? Number.NaN)) && !(at > (until?.at ?? Number.NaN));
    };
    const filtered = since !== undefined || until !== undefined;
    await out.list(filtered ? filterListing(all, fits) : all, columns(!out.terminal));
  },
});

/** A time as RFC 3339, as servers want it. Throws a usage error if it is not valid. */
function readTime(flag: string, typed: string | undefined): { readonly text: string; readonly at: number } | undefined {
  if (typed === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}/.test(typed) ? Date.parse(typed) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageError(`${flag} must be a time such as 2026-12-24 or 2026-12-24T18:00:00Z`);
  return { text: new Date(at).toISOString().replace(/\.\d+Z$/, "Z"), at };
}
