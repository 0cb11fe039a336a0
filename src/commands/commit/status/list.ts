import { listCommand } from "../../../app/list-command.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { choice, text, toggle } from "../../../command/flags.ts";
import { type CommitStatus, commitStatus, latestStatusList, statusList, statusStates } from "../../../forge/commits.ts";
import { collect, filterListing } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { existingCommit, resolveCommit } from "../../../forge/resolve-commit.ts";
import { column } from "../../../output/table.ts";

const columns = [
  column<CommitStatus>("CONTEXT", "context", { flexible: true }),
  column<CommitStatus>("STATE", "status", { as: "state" }),
  column<CommitStatus>("DESCRIPTION", "description", { flexible: true }),
  column<CommitStatus>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
  column<CommitStatus>("URL", "target_url", { style: "link", flexible: true, rank: "optional" }),
];

/** `tongs commit status list`: GET the statuses of a commit. */
export const list = listCommand({
  summary: "List the statuses of a commit, newest first",
  on: "repository",
  lists: ["status", "statuses"],
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  flags: {
    latest: toggle("show only the latest status of each context", { filters: true }),
    state: choice(statusStates, "filter by state", { filters: "state" }),
    context: text("filter by context", { placeholder: "CONTEXT", filters: true }),
  },
  record: commitStatus,
  columns,
  examples: [
    ["List the latest statuses of a branch", "tongs commit status list main --latest"],
    ["Print the failed contexts", "tongs commit status list 3f2a91c --state failure --jq '.[].context'"],
  ],
  page: async (context) => repoPage(context.repo, "commit", await resolveCommit(context.args.commit, context)),
  async fetch(context) {
    const { args, flags, http, repo } = context;
    // Of an unknown commit Forgejo returns an empty list.
    const sha = await existingCommit(args.commit, context);
    const fits = (one: CommitStatus) =>
      (flags.state === undefined || one.status === flags.state) &&
      (flags.context === undefined || one.context === flags.context);
    if (flags.latest) return (await collect(call(http, latestStatusList, { repo, ref: sha }))).filter(fits).reverse();
    return filterListing(call(http, statusList, { repo, ref: sha, state: flags.state, sort: "leastindex" }), fits);
  },
});
