import { UsageError } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { editRepo, repoEdit, unitSettings } from "../../../forge/repo-settings.ts";
import type { Repository } from "../../../forge/repos.ts";
import { mergeStyles, repoGet } from "../../../forge/repos.ts";
import { topicAdd, topicList, topicRemove } from "../../../forge/topics.ts";
import { boolean, optional, record, string, words } from "../../../shape/shape.ts";
import { fieldsIn, isEmpty, type Kind, pick, type Value, type Values } from "./kind.ts";

/** What stands for a unit, and what is in it; the unit is switched on with it. */
const nested = {
  internal_tracker: {
    unit: "has_issues",
    fields: {
      enable_time_tracker: optional(boolean),
      allow_only_contributors_to_track_time: optional(boolean),
      enable_issue_dependencies: optional(boolean),
    },
  },
  external_tracker: {
    unit: "has_issues",
    fields: {
      external_tracker_url: optional(string),
      external_tracker_format: optional(string),
      external_tracker_style: optional(words("numeric", "alphanumeric", "regexp")),
      external_tracker_regexp_pattern: optional(string),
    },
  },
  external_wiki: { unit: "has_wiki", fields: { external_wiki_url: optional(string) } },
} as const;

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
    internal_tracker: record(nested.internal_tracker.fields),
    external_tracker: record(nested.external_tracker.fields),
    external_wiki: record(nested.external_wiki.fields),
  },
  refersTo: { default_branch: "branch" },
  without: unitSettings,
  normalize(values) {
    const both = ["internal_tracker", "external_tracker"].filter((name) => !isEmpty(values[name] ?? {}));
    if (both.length > 1) throw new UsageError(`${both.join(" and ")} exclude each other`);
    return values;
  },
  async read({ http, repo }) {
    const found = await call(http, repoGet, { repo });
    const values = valuesOf(found);
    return [
      {
        name: "",
        values,
        repository: found,
        update: async (changed) => valuesOf(await editRepo(http, repo, bodyOf(changed, values), found)),
      },
    ];
  },
};

/** What the server has; nothing for a unit that something else stands for. */
function valuesOf(found: Repository): Values {
  const record: Readonly<Record<string, unknown>> = found;
  const inner = Object.entries(nested).map(([name, { fields }]) => {
    const values = Object.entries(pick(record[name] ?? {}, fields)).filter(([, value]) => value !== "");
    return [name, Object.fromEntries(values)];
  });
  return { ...pick(found, settings.fields), ...Object.fromEntries(inner) };
}

/**
 * Servers replace what is in a unit as a whole, and need the unit to be on (docs/server-differences.md, "Repositories");
 * without it, the unit is the server's own.
 */
function bodyOf(changed: Values, before: Values): Values {
  const inner = Object.entries(nested).flatMap(([name, { unit }]): (readonly [string, Value])[] => {
    const fields = fieldsIn(changed[name]);
    if (fields === undefined) return [];
    return [[unit, true], ...(isEmpty(fields) ? [] : [[name, { ...fieldsIn(before[name]), ...fields }] as const])];
  });
  const others = Object.entries(changed).filter(([name]) => !Object.hasOwn(nested, name));
  return Object.fromEntries([...others, ...inner]);
}

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
