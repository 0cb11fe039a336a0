import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { forkList } from "../../forge/forks.ts";
import { call } from "../../forge/operation.ts";
import { repository } from "../../forge/repos.ts";
import { user } from "../../forge/users.ts";
import { stargazerList, watcherList } from "../../forge/watches.ts";
import { list } from "../../shape/shape.ts";
import { userColumns } from "../follow/list.ts";
import { repoArgument, repositoryColumns } from "./shared.ts";

/** `tongs repo stargazers`: GET the users who starred a repository. */
export const stargazers = defineCommand({
  summary: "List the users who starred a repository",
  on: "repository",
  effect: "read",
  lists: ["stargazer", "stargazers"],
  args: { repo: repoArgument },
  output: list(user),
  examples: [["List the stargazers", "tongs repo stargazers mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo, "stars") },
  async run({ http, repo, out }) {
    await out.list(call(http, stargazerList, { repo }), userColumns);
  },
});

/** `tongs repo watchers`: GET the users who watch a repository. */
export const watchers = defineCommand({
  summary: "List the users who watch a repository",
  on: "repository",
  effect: "read",
  lists: ["watcher", "watchers"],
  args: { repo: repoArgument },
  output: list(user),
  examples: [["List the watchers", "tongs repo watchers mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo, "watchers") },
  async run({ http, repo, out }) {
    await out.list(call(http, watcherList, { repo }), userColumns);
  },
});

/** `tongs repo forks`: GET the forks of a repository. */
export const forks = defineCommand({
  summary: "List the forks of a repository",
  on: "repository",
  effect: "read",
  lists: ["fork", "forks"],
  args: { repo: repoArgument },
  output: list(repository),
  examples: [["List the forks", "tongs repo forks mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo, "forks") },
  async run({ http, repo, out }) {
    await out.list(call(http, forkList, { repo }), repositoryColumns);
  },
});
