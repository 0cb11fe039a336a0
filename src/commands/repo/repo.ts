import { readAvatar } from "../../app/avatar.ts";
import { repositoryColumns, userColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { resource } from "../../app/resource.ts";
import { repoPage } from "../../app/web.ts";
import { batchCommand, writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { noun, type Table } from "../../command/table.ts";
import { Failure } from "../../failure/failure.ts";
import { repoActivityList } from "../../forge/activities.ts";
import { forkList } from "../../forge/forks.ts";
import { call } from "../../forge/operation.ts";
import { editRepo, licenseList, repoAvatarDelete, repoAvatarSet, repoConvert } from "../../forge/repo-settings.ts";
import { repository } from "../../forge/repos.ts";
import { user } from "../../forge/users.ts";
import { stargazerList, watch, watchAdd, watchCheck, watcherList, watchRemove } from "../../forge/watches.ts";
import { HttpError } from "../../http/errors.ts";
import { wordColumn } from "../../output/table.ts";
import { fullName, parseRepo } from "../../repo/repo-name.ts";
import { string } from "../../shape/shape.ts";
import { dateFlag, feed } from "../activity.ts";
import { givenOrCurrent, ofRepositories, repoArgument, reposArgument, reposOrCurrent } from "./arguments.ts";

const repositories = resource({ ...ofRepositories });

/** The verbs of `tongs repo`. */
export const verbs: Table<Command> = {
  view: () => import("./view.ts").then((file) => file.view),
  list: () => import("./list.ts").then((file) => file.list()),
  create: () => import("./create.ts").then((file) => file.create),
  delete: () => import("./delete.ts").then((file) => file.remove),
  clone: () => import("./clone.ts").then((file) => file.clone),
  exec: () => import("./exec.ts").then((file) => file.exec),
  activity: listCommand({
    ...feed,
    summary: "List the activity in a repository, newest first",
    on: "repository",
    flags: { date: dateFlag },
    fetch: ({ flags: { date }, http, repo }) => call(http, repoActivityList, { repo, date }),
    page: ({ repo }) => repoPage(repo, "activity"),
    examples: [["List what happened on a day", "tongs repo activity --date 2026-03-31 --all"]],
  }),
  fork: () => import("./fork.ts").then((file) => file.fork),
  sync: () => import("./sync.ts").then((file) => file.sync),
  "set-default": () => import("./set-default.ts").then((file) => file.setDefault),
  edit: () => import("./edit.ts").then((file) => file.edit),
  rename: () => import("./rename.ts").then((file) => file.rename()),
  archive: repositories.each({
    ...givenOrCurrent,
    verb: ["archive", "archived"],
    details: "An archived repository is read-only. Its settings can still be changed.",
    work: ({ full_name }, { http }) => editRepo(http, parseRepo(full_name), { archived: true }),
    examples: [["Archive two repositories", "tongs repo archive mara/harbor mara/quay"]],
  }),
  unarchive: repositories.each({
    ...givenOrCurrent,
    verb: ["unarchive", "unarchived"],
    work: ({ full_name }, { http }) => editRepo(http, parseRepo(full_name), { archived: false }),
    examples: [["Unarchive the current repository", "tongs repo unarchive"]],
  }),
  transfer: {
    summary: "Transfer repositories to another owner",
    defaultVerb: "start",
    verbs: async () => ({
      start: () => import("./transfer/start.ts").then((file) => file.start),
      accept: () => import("./transfer/answer.ts").then((file) => file.accept()),
      reject: () => import("./transfer/answer.ts").then((file) => file.reject()),
    }),
  },
  convert: repositories.each({
    ...givenOrCurrent,
    verb: ["convert", "converted"],
    sends: repoConvert,
    summary: "Convert pull mirrors into regular repositories",
    needs: [repoConvert],
    details: "The server no longer updates the repository, which can then be pushed to. This cannot be undone.",
    leavesNothing: false,
    exits: { refused: "the repository is not a mirror" },
    work: ({ full_name }, { http }) =>
      call(http, repoConvert, { repo: parseRepo(full_name) }).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 422) throw error;
        throw new Failure("not_a_mirror", `${full_name} is not a mirror`, { status: error.status, cause: error });
      }),
    says: (name) => `Converted ${name} into a regular repository`,
    examples: [["Convert a mirror", "tongs repo convert mara/harbor-mirror --yes"]],
  }),
  flag: noun("Manage repository flags, as an administrator", () => import("./flag/flag.ts")),
  topic: noun("Manage repository topics", () => import("./topic/topic.ts")),
  collaborator: noun("Manage repository collaborators", () => import("./collaborator/collaborator.ts")),
  team: noun("Manage team access to repositories", () => import("./team/team.ts")),
  "deploy-key": noun("Manage deploy keys", () => import("./deploy-key/deploy-key.ts")),
  mirror: noun("Manage push mirrors and pull mirrors", () => import("./mirror/mirror.ts")),
  avatar: {
    summary: "Manage repository avatars",
    verbs: async () => ({
      set: writeCommand({
        summary: "Set the avatar of a repository",
        details: "The image is a png, jpeg, gif or webp file.",
        on: "repository",
        result: "set",
        args: { file: one("image file", { dash: "stdin", names: "input file" }), repo: repoArgument },
        async work({ args, http, repo, system }) {
          await call(http, repoAvatarSet, { repo }, { image: await readAvatar(args.file, system) });
          return { done: `Set the avatar of ${fullName(repo)}` };
        },
        examples: [["Set the avatar", "tongs repo avatar set anchor.png"]],
      }),
      delete: writeCommand({
        summary: "Delete the avatar of a repository",
        on: "repository",
        result: "deleted",
        args: { repo: repoArgument },
        asks: ({ repo }) => ({ what: `Delete the avatar of ${fullName(repo)}`, sends: repoAvatarDelete }),
        async work({ http, repo }) {
          await call(http, repoAvatarDelete, { repo });
          return { done: `Deleted the avatar of ${fullName(repo)}`, already: `${fullName(repo)} has no avatar` };
        },
        examples: [["Delete the avatar", "tongs repo avatar delete --yes"]],
      }),
    }),
  },
  watch: repositories.each({
    ...givenOrCurrent,
    verb: ["watch", "watched"],
    details: "You are notified of everything in a repository that you watch.",
    output: watch,
    work: ({ full_name }, { http }) => call(http, watchAdd, { repo: parseRepo(full_name) }),
    says: (name) => `Watching ${name}`,
    examples: [["Watch a repository", "tongs repo watch mara/harbor"]],
  }),
  unwatch: batchCommand({
    summary: "Stop watching repositories",
    on: "server",
    result: "unwatched",
    args: { repo: reposArgument },
    exits: { partly: "some repositories are no longer watched, some failed" },
    targets: (context) => reposOrCurrent(context.args.repo, context),
    async work(name, { http }) {
      const repo = parseRepo(name);
      // DELETE succeeds in any case, so it is asked first whether there is something to end.
      if (!(await call(http, watchCheck, { repo }))) return { done: `You were not watching ${name}`, unchanged: true };
      await call(http, watchRemove, { repo });
      return { done: `Stopped watching ${name}` };
    },
    examples: [["Stop watching the current repository", "tongs repo unwatch"]],
  }),
  stargazers: listCommand({
    summary: "List the users who starred a repository",
    on: "repository",
    lists: ["stargazer", "stargazers"],
    args: { repo: repoArgument },
    record: user,
    columns: userColumns,
    fetch: ({ http, repo }) => call(http, stargazerList, { repo }),
    page: ({ repo }) => repoPage(repo, "stars"),
    examples: [["List the stargazers", "tongs repo stargazers mara/harbor"]],
  }),
  watchers: listCommand({
    summary: "List the users who watch a repository",
    on: "repository",
    lists: ["watcher", "watchers"],
    args: { repo: repoArgument },
    record: user,
    columns: userColumns,
    fetch: ({ http, repo }) => call(http, watcherList, { repo }),
    page: ({ repo }) => repoPage(repo, "watchers"),
    examples: [["List the watchers", "tongs repo watchers mara/harbor"]],
  }),
  forks: listCommand({
    summary: "List the forks of a repository",
    on: "repository",
    lists: ["fork", "forks"],
    args: { repo: repoArgument },
    record: repository,
    columns: repositoryColumns,
    fetch: ({ http, repo }) => call(http, forkList, { repo }),
    page: ({ repo }) => repoPage(repo, "forks"),
    examples: [["List the forks", "tongs repo forks mara/harbor"]],
  }),
  license: listCommand({
    summary: "List the licenses found in a repository",
    needs: [licenseList],
    on: "repository",
    lists: ["license", "licenses"],
    args: { repo: repoArgument },
    record: string,
    columns: [wordColumn("NAME")],
    fetch: ({ http, repo }) => call(http, licenseList, { repo }),
    page: ({ repo }) => repoPage(repo),
    examples: [["List the licenses", "tongs repo license mara/harbor"]],
  }),
  language: () => import("./language.ts").then((file) => file.language),
  generate: () => import("./generate.ts").then((file) => file.generate()),
  migrate: () => import("./migrate.ts").then((file) => file.migrate()),
  import: () => import("./import.ts").then((file) => file.importRepos),
};
