import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { everywhereFlags, listEverywhere, serverField } from "../../app/everywhere.ts";
import { filtered, repoPage } from "../../app/web.ts";
import { choice, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Issue, issue } from "../../forge/issues.ts";
import { column } from "../../output/table.ts";
import { list as listOf, record } from "../../shape/shape.ts";
import { issueColumns } from "./cells.ts";
import { issueFilterFlags, milestoneFlag, stateFlag } from "./filters.ts";
import { listIssues, searchIssues } from "./find-issues.ts";

const columns = [column<Issue>("REPOSITORY", "repository.full_name"), ...issueColumns];

/** `tongs issue list`: GET the issues of a repository, or search those of several. */
export const list = defineCommand({
  summary: "List issues",
  details:
    "Issues must match all filters and have all given labels. @me is the signed-in user. --owner and --all-repos search " +
    "the repositories that you can see; there, --mentions takes @me only.",
  external: { uses: "the servers of all profiles", with: ["everywhere"] },
  onSelected: true,
  on: "profiles",
  effect: "read",
  lists: ["issue", "issues"],
  flags: {
    state: stateFlag,
    milestone: milestoneFlag,
    ...issueFilterFlags,
    sort: choice(["newest", "oldest", "updated", "least-updated", "comments"], "sort order (default: newest)"),
    owner: text("list the issues of all repositories of a user or an organization", { placeholder: "OWNER" }),
    allRepos: toggle("list the issues of all repositories that you can see"),
    everywhere: everywhereFlags.everywhere,
  },
  exclusive: [["owner", "allRepos", "everywhere"]],
  output: listOf(record({ ...issue.fields, ...serverField })),
  exits: { partly: "with --everywhere: some servers did not respond" },
  examples: [
    ["List the open issues", "tongs issue list"],
    ["List closed bugs of a milestone", 'tongs issue list --state closed --label bug --milestone "Spring"'],
    ["List what is assigned to you in all repositories", "tongs issue list --all-repos --assignee @me"],
    ["List what is assigned to you on the servers of all profiles", "tongs issue list --everywhere --assignee @me"],
  ],
  web: {
    page: async ({ flags, locate }) =>
      filtered(repoPage(await locate(), "issues"), {
        state: flags.state === "open" ? undefined : flags.state,
        q: flags.search,
      }),
    uses: ["state", "search"],
  },
  async run(context) {
    const { flags, options, out } = context;
    if (flags.everywhere) {
      if (options.repo !== undefined) throw new UsageError("Cannot use --repo with --everywhere");
      const list = (server: ServerContext) => searchIssues(flags, server);
      return listEverywhere({ list, time: (one) => one.created_at, columns }, context);
    }
    const connected = await context.connect();
    if (flags.owner === undefined && !flags.allRepos) {
      const found = await listIssues(flags, { ...connected, repo: await context.locate() });
      return out.list(found, issueColumns);
    }
    if (options.repo !== undefined) throw new UsageError("Cannot use --repo with --owner or --all-repos");
    await out.list(await searchIssues(flags, connected), columns);
  },
});
