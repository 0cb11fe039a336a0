import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { editRepo, repoEdit, unitSettings } from "../../../forge/repo-settings.ts";
import { mergeStyles, repoGet } from "../../../forge/repos.ts";
import { topicAdd, topicList, topicRemove } from "../../../forge/topics.ts";
import { boolean, string, words } from "../../../shape/shape.ts";
import { type Kind, pick } from "./kind.ts";

/** The settings of a repository, with its merge styles. */
export const settings: Kind = {
  title: "settings",
  description: "settings and merge styles",
  sends: { update: repoEdit },
  form: "fields",
  fields: {
    description: string,
    website: string,
    private: boolean,
    template: boolean,
    archived: boolean,
    default_branch: string,
    has_code: boolean,
    has_issues: boolean,
    has_wiki: boolean,
    has_pull_requests: boolean,
    has_projects: boolean,
    has_releases: boolean,
    has_packages: boolean,
    has_actions: boolean,
    projects_mode: words("repo", "owner", "all"),
    ignore_whitespace_conflicts: boolean,
    allow_merge_commits: boolean,
    allow_rebase: boolean,
    allow_rebase_explicit: boolean,
    allow_squash_merge: boolean,
    allow_fast_forward_only_merge: boolean,
    allow_manual_merge: boolean,
    allow_merge_update: boolean,
    allow_rebase_update: boolean,
    autodetect_manual_merge: boolean,
    default_delete_branch_after_merge: boolean,
    default_merge_style: words(...mergeStyles),
    default_update_style: words("merge", "rebase"),
    default_allow_maintainer_edit: boolean,
    globally_editable_wiki: boolean,
  },
  refersTo: { default_branch: "branch" },
  without: unitSettings,
  async read({ http, repo }) {
    const found = await call(http, repoGet, { repo });
    return [
      {
        name: "",
        values: pick(found, settings.fields),
        update: async (changed) => pick(await editRepo(http, repo, changed, found), settings.fields),
      },
    ];
  },
};

/** The topics of a repository: names in lower case. */
export const topics: Kind = {
  title: "topic",
  description: "topics",
  sends: { create: topicAdd, delete: topicRemove },
  form: "names",
  fields: {},
  key: (name) => name.toLowerCase(),
  nameProblem: (name) =>
    /^[a-z0-9][a-z0-9.-]{0,34}$/.test(name)
      ? undefined
      : "must begin with a letter or digit, then have up to 34 of a-z 0-9 - .",
  async read({ http, repo }) {
    return (await collect(call(http, topicList, { repo }))).map((name) => ({
      name,
      values: {},
      remove: () => call(http, topicRemove, { repo, topic: name }),
    }));
  },
  create: ({ http, repo }, name) => call(http, topicAdd, { repo, topic: name }),
};
