import { accessTo } from "../http/access.ts";
import type { View } from "../http/route.ts";
import {
  type AssetRecord,
  type BranchRule,
  defaultTracker,
  type ReleaseRecord,
  type RepoRecord,
  ruleLists,
  type TagRule,
} from "../state/records/repos.ts";
import { userWire } from "./accounts.ts";
import { epoch, pathOf, zeroTime } from "./values.ts";

/** `Repository`. The owner is shown without private fields (docs/server-differences.md, "Repositories"). */
export function repoWire(
  view: View,
  repo: RepoRecord,
  /** The fork whose parent this is: Gitea shows the parent with the permissions for the fork. */
  fork?: RepoRecord,
): Record<string, unknown> {
  const { site, currentUser, origin } = view;
  const { store } = site;
  const { full, api, web } = pathOf(view, repo);
  const owner = store.table("users").get(repo.ownerId);
  if (owner === undefined) throw new Error(`repository ${repo.id} has no owner`);
  const parent = repo.parentId === null ? undefined : store.table("repos").get(repo.parentId);
  const access = accessTo(site, currentUser, fork ?? repo);
  const counts = Object.assign({}, ...site.areas.map((area) => area.repoCounts?.(site, repo) ?? {}));
  const { hostname } = new URL(origin);
  return {
    id: repo.id,
    owner: userWire(view, owner, "plain"),
    name: repo.name,
    full_name: full,
    description: repo.description,
    empty: repo.empty,
    private: repo.private,
    fork: repo.parentId !== null,
    template: repo.template,
    ...(parent && fork === undefined ? { parent: repoWire(view, parent, repo) } : {}),
    mirror: false,
    size: repo.size,
    language: "",
    languages_url: `${api}/languages`,
    html_url: web,
    url: api,
    link: "",
    ssh_url: `git@${hostname}:${full}.git`,
    clone_url: `${web}.git`,
    original_url: "",
    website: repo.website,
    stars_count: 0,
    forks_count: store.table("repos").filter((one) => one.parentId === repo.id).length,
    watchers_count: repo.watchers.length,
    branch_count: repo.branches,
    open_issues_count: 0,
    open_pr_counter: 0,
    release_counter: 0,
    ...counts,
    default_branch: repo.default_branch,
    archived: repo.archived,
    created_at: repo.created_at,
    updated_at: repo.updated_at,
    archived_at: repo.archived_at ?? epoch,
    permissions: {
      admin: access.atLeast("admin"),
      push: access.atLeast("write", "code"),
      pull: access.visible,
    },
    ...repo.units,
    ...trackers(repo),
    ...(repo.units.has_pull_requests ? repo.settings : { ...repo.settings, ...withoutPulls }),
    avatar_url: "",
    internal: !repo.private && owner.visibility === "private",
    mirror_interval: "",
    object_format_name: "sha1",
    mirror_updated: zeroTime,
    mirror_last_sync_at: zeroTime,
    topics: repo.topics,
    licenses: repo.license === "" ? [] : [repo.license],
  };
}

/** The pull request settings Gitea sends while the unit is disabled. */
const withoutPulls = {
  ignore_whitespace_conflicts: false,
  allow_merge_commits: false,
  allow_rebase: false,
  allow_rebase_explicit: false,
  allow_squash_merge: false,
  allow_fast_forward_only_merge: false,
  allow_merge_update: false,
  allow_rebase_update: false,
  allow_manual_merge: true,
  autodetect_manual_merge: false,
  default_delete_branch_after_merge: false,
  default_allow_maintainer_edit: false,
};

const trackerFields = {
  external_tracker_url: "",
  external_tracker_format: "",
  external_tracker_style: "",
  external_tracker_regexp_pattern: "",
};

function trackers({ units, tracker, internalTracker, wiki }: RepoRecord): Record<string, unknown> {
  const internal = internalTracker ?? defaultTracker;
  const issues =
    tracker === null ? { internal_tracker: internal } : { external_tracker: { ...trackerFields, ...tracker } };
  return {
    ...(units.has_issues ? issues : {}),
    ...(units.has_wiki && wiki !== null ? { external_wiki: wiki } : {}),
  };
}

/** The files of a release, by name. */
export function assetsOf({ store }: View["site"], id: number): AssetRecord[] {
  const mine = store.table("releaseAssets").filter(({ releaseId }) => releaseId === id);
  return mine.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id));
}

/** `Release`, with its files. */
export function releaseWire(view: View, repo: RepoRecord, release: ReleaseRecord): Record<string, unknown> {
  const { site } = view;
  const { id, repoId: _repo, authorId, tag_name, target_commitish, name, body, ...rest } = release;
  const { api, web } = pathOf(view, repo);
  const author = site.table("users").get(authorId);
  return {
    id,
    tag_name,
    target_commitish,
    name,
    body,
    url: `${api}/releases/${id}`,
    html_url: `${web}/releases/tag/${tag_name}`,
    tarball_url: `${web}/archive/${tag_name}.tar.gz`,
    zipball_url: `${web}/archive/${tag_name}.zip`,
    upload_url: `${api}/releases/${id}/assets`,
    ...rest,
    author: author === undefined ? null : userWire(view, author, "plain"),
    assets: assetsOf(site, id).map((asset) => assetWire(view, repo, release, asset)),
  };
}

/** `Attachment` of a release. A draft has no tag yet, so its address has the UUID. */
export function assetWire(
  view: View,
  repo: RepoRecord,
  { draft, tag_name }: ReleaseRecord,
  { releaseId: _release, ...asset }: AssetRecord,
): Record<string, unknown> {
  const { web } = pathOf(view, repo);
  const address = draft
    ? `${view.origin}/attachments/${asset.uuid}`
    : `${web}/releases/download/${tag_name}/${asset.name}`;
  return { ...asset, browser_download_url: address };
}

const userNames = ({ site }: View, ids: readonly number[]) =>
  ids.flatMap((id) => site.table("users").get(id)?.name ?? []);
const teamNames = ({ site }: View, ids: readonly number[]) =>
  ids.flatMap((id) => site.table("teams").get(id)?.name ?? []);

/** `BranchProtection`. */
export function ruleWire(view: View, rule: BranchRule): Record<string, unknown> {
  const { rule_name, priority, settings, created_at, updated_at } = rule;
  const lists = ruleLists.flatMap(([people, teams]) => [
    [people, userNames(view, settings[people])],
    [teams, teamNames(view, settings[teams])],
  ]);
  return {
    branch_name: rule_name,
    rule_name,
    priority,
    ...settings,
    ...Object.fromEntries(lists),
    created_at,
    updated_at,
  };
}

/** `TagProtection`. */
export function tagRuleWire(view: View, rule: TagRule): Record<string, unknown> {
  const { id, name_pattern, users, teams, created_at, updated_at } = rule;
  return {
    id,
    name_pattern,
    whitelist_usernames: userNames(view, users),
    whitelist_teams: teamNames(view, teams),
    created_at,
    updated_at,
  };
}
