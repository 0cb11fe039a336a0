import { repositoryColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { inServer, resource } from "../../app/resource.ts";
import { firstWithHost, readRepositories } from "../../app/select-repositories.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { addStar, isStarred, listStars, removeStar } from "../../forge/stars.ts";
import { fullName, parseRepo } from "../../repo/repo-name.ts";

const repositories = resource({
  ...inServer,
  noun: ["repository", "repositories"],
  a: "a repository",
  record: repository,
  argument: {
    key: "repository",
    one: "OWNER/NAME, HOST/OWNER/NAME or URL",
    many: "OWNER/NAME, HOST/OWNER/NAME or URL",
    source: "repository",
    locate: firstWithHost,
  },
  target: () => (typed) => ({ full_name: fullName(parseRepo(typed)) }),
  name: ({ full_name }: { readonly full_name: string }) => full_name,
});

/** The verbs of `tongs star`. */
export const verbs: Table<Command> = {
  add: repositories.each({
    verb: ["star", "starred"],
    targets: readRepositories,
    async work({ full_name }, { http }) {
      const repo = parseRepo(full_name);
      await addStar(http, repo);
      return () => call(http, repoGet, { repo });
    },
    examples: [
      ["Star a repository", "tongs star mara/harbor"],
      ["Star the repositories listed in a file", "tongs star add - < repositories.txt"],
    ],
  }),
  remove: repositories.each({
    verb: ["unstar", "unstarred"],
    already: "not starred",
    targets: readRepositories,
    async work({ full_name }, { http }) {
      const repo = parseRepo(full_name);
      await removeStar(http, repo);
      return () => call(http, repoGet, { repo });
    },
    examples: [
      ["Unstar a repository", "tongs unstar mara/harbor"],
      ["Unstar the repositories listed in a file", "tongs star remove - < repositories.txt"],
    ],
  }),
  list: repositories.list({
    lists: ["starred repository", "starred repositories"],
    summary: "List starred repositories",
    flags: { user: text("list the stars of this user instead of yours", { placeholder: "USER" }) },
    columns: repositoryColumns,
    fetch: ({ flags: { user }, http }) => (user === undefined ? listStars(http) : listStars(http, user)),
    page: async (context) => `${pagePath(context.flags.user ?? (await currentUser(context)))}?tab=stars`,
    pageUses: ["user"],
    examples: [
      ["List your stars", "tongs star list"],
      ["Print the names of all repositories a user starred", "tongs star list --user mara --all --jq '.[].full_name'"],
    ],
  }),
  check: repositories.check({
    summary: "Check whether you starred a repository",
    holds: ({ full_name }, { http }) => isStarred(http, parseRepo(full_name)),
    record: ({ full_name }, { http }) => call(http, repoGet, { repo: parseRepo(full_name) }),
    says: ({ full_name }, holds) => `You have ${holds ? "" : "not "}starred ${full_name}`,
    exits: { ok: "starred", failure: "not starred" },
    examples: [["Check in a script", "if tongs star check mara/harbor; then echo yes; fi"]],
  }),
};
