import { repoKind } from "../../app/columns.ts";
import { listCommand } from "../../app/list-command.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { ownRepoList, type Repository, repository, userRepoList } from "../../forge/repos.ts";
import { ownWatchList, userWatchList } from "../../forge/watches.ts";
import { notFound } from "../../http/errors.ts";
import { column } from "../../output/table.ts";
import { filterRepos, repoFilterExclusive, repoFilterFlags } from "./filters.ts";

const columns = [
  column<Repository>("NAME", "full_name", { style: "link" }),
  column<Repository>("DESCRIPTION", "description", { flexible: true }),
  column<Repository>("KIND", "private", { cell: repoKind, rank: "optional" }),
  column<Repository>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
];

/** `tongs repo list`: GET the user's repositories, or those of another user or an organization. */
export const list = listCommand({
  summary: "List repositories",
  on: "server",
  lists: ["repository", "repositories"],
  args: { owner: optional("user or organization (default: you)", { source: "user" }) },
  flags: { watched: toggle("list watched repositories"), ...repoFilterFlags },
  exclusive: repoFilterExclusive,
  record: repository,
  columns,
  examples: [
    ["List your repositories", "tongs repo list"],
    ["List all repositories of an organization", "tongs repo list tidewater --all"],
    ["List the repositories that you watch", "tongs repo list --watched"],
    ["List an organization's repositories with a topic", "tongs repo list tidewater --topic tides --no-archived"],
  ],
  page: async (context) => `${pagePath(context.args.owner ?? (await currentUser(context)))}?tab=repositories`,
  fetch({ args: { owner: username }, flags, http }) {
    const [own, ofUser] = flags.watched ? [ownWatchList, userWatchList] : [ownRepoList, userRepoList];
    return filterRepos(username === undefined ? call(http, own, {}) : call(http, ofUser, { username }), flags, {
      http,
    });
  },
  explain: (error, { args }) => notFound(`User or organization ${args.owner}`)(error),
});
