import { branchProtectionSettings } from "../../forge/branch-protections.ts";
import { repoSettings } from "../../forge/repos.ts";
import type { Settings } from "../../forge/setting.ts";
import { accessTo } from "../http/access.ts";
import { pathOf, type View } from "../http/route.ts";
import { epoch, zeroTime } from "../http/time.ts";
import { recordOf } from "../release.ts";
import { isPull, issuesOf } from "../state/issues.ts";
import { byNameAndId } from "../state/order.ts";
import {
  type AssetRecord,
  type BranchRule,
  defaultTracker,
  type ReleaseRecord,
  type RepoRecord,
  type TagRule,
} from "../state/records/repos.ts";
import { userJson } from "./accounts.ts";

/** `Repository`. The owner is shown without private fields (docs/server-differences.md, "Repositories"). */
export function repoJson(
  view: View,
  repo: RepoRecord,
  /** The fork whose parent this is: Gitea shows the parent with the permissions for the fork. */
  fork?: RepoRecord,
): Record<string, unknown> {
  const { site, currentUser, origin } = view;
  const { store } = site;
  const { full, api, web } = pathOf(view, repo);
  const owner = store.table("users").must(repo.ownerId);
  const parent = store.table("repos").get(repo.parentId);
  const access = accessTo(site, currentUser, fork ?? repo);
  const open = issuesOf(store, repo.id).filter(({ state }) => state === "open");
  const pulls = open.filter(isPull).length;
  const { hostname } = new URL(origin);
  return recordOf(site, "Repository", repo, repo.has_pull_requests ? {} : withoutPulls, {
    owner: userJson(view, owner, "plain"),
    full_name: full,
    fork: repo.parentId !== null,
    parent: parent && fork === undefined ? repoJson(view, parent, repo) : undefined,
    languages_url: `${api}/languages`,
    html_url: web,
    url: api,
    ssh_url: `git@${hostname}:${full}.git`,
    clone_url: `${web}.git`,
    forks_count: store.table("repos").filter((one) => one.parentId === repo.id).length,
    watchers_count: repo.watchers.length,
    branch_count: repo.branches,
    open_issues_count: open.length - pulls,
    open_pr_counter: pulls,
    release_counter: store.table("releases").filter((one) => one.repoId === repo.id && !one.draft).length,
    stars_count: store.table("stars").filter(({ repoId }) => repoId === repo.id).length,
    archived_at: repo.archived_at ?? epoch,
    permissions: {
      admin: access.atLeast("admin"),
      push: access.atLeast("write", "code"),
      pull: access.visible,
    },
    ...trackers(repo),
    internal: !repo.private && owner.visibility === "private",
    object_format_name: "sha1",
    wiki_branch: "main",
    mirror_updated: zeroTime,
    mirror_last_sync_at: zeroTime,
    licenses: repo.license === "" ? [] : [repo.license],
  });
}

/** The pull request settings Gitea sends while the unit is disabled. */
const withoutPulls = Object.fromEntries(
  Object.entries<Settings[string]>(repoSettings).flatMap(([name, { needs = [], shape }]) =>
    needs.includes("has_pull_requests") && shape.type === "boolean" ? [[name, name === "allow_manual_merge"]] : [],
  ),
);

const trackerFields = {
  external_tracker_url: "",
  external_tracker_format: "",
  external_tracker_style: "",
  external_tracker_regexp_pattern: "",
};

function trackers({ has_issues, has_wiki, tracker, internalTracker, wiki }: RepoRecord): Record<string, unknown> {
  const internal = internalTracker ?? defaultTracker;
  const issues =
    tracker === null ? { internal_tracker: internal } : { external_tracker: { ...trackerFields, ...tracker } };
  return {
    ...(has_issues ? issues : {}),
    external_wiki: has_wiki && wiki !== null ? wiki : undefined,
  };
}

/** The files of a release, by name. */
export function assetsOf({ store }: View["site"], id: number): AssetRecord[] {
  return store
    .table("releaseAssets")
    .filter(({ releaseId }) => releaseId === id)
    .sort(byNameAndId);
}

/** `Release`, with its files. */
export function releaseJson(view: View, repo: RepoRecord, release: ReleaseRecord): Record<string, unknown> {
  const { site } = view;
  const { id, authorId, tag_name } = release;
  const { api, web } = pathOf(view, repo);
  const author = site.table("users").get(authorId);
  return recordOf(site, "Release", release, {
    url: `${api}/releases/${id}`,
    html_url: `${web}/releases/tag/${tag_name}`,
    tarball_url: `${web}/archive/${tag_name}.tar.gz`,
    zipball_url: `${web}/archive/${tag_name}.zip`,
    upload_url: `${api}/releases/${id}/assets`,
    author: author === undefined ? null : userJson(view, author, "plain"),
    assets: assetsOf(site, id).map((asset) => assetJson(view, repo, release, asset)),
  });
}

/** `Attachment` of a release. A draft has no tag yet, so its address has the UUID. */
export function assetJson(
  view: View,
  repo: RepoRecord,
  { draft, tag_name }: ReleaseRecord,
  asset: AssetRecord,
): Record<string, unknown> {
  const { web } = pathOf(view, repo);
  const address = draft
    ? `${view.origin}/attachments/${asset.uuid}`
    : `${web}/releases/download/${tag_name}/${asset.name}`;
  return recordOf(view.site, "Attachment", asset, { browser_download_url: address, type: "attachment" });
}

const userNames = ({ site }: View, ids: readonly number[]) =>
  ids.flatMap((id) => site.table("users").get(id)?.name ?? []);
const teamNames = ({ site }: View, ids: readonly number[]) =>
  ids.flatMap((id) => site.table("teams").get(id)?.name ?? []);

const ruleSettings: Settings = branchProtectionSettings;

/** `BranchProtection`. */
export function ruleJson(view: View, rule: BranchRule): Record<string, unknown> {
  const { rule_name, settings } = rule;
  const lists = Object.entries(settings).flatMap(([name, ids]) => {
    const what = ruleSettings[name]?.names;
    return what === undefined ? [] : [[name, (what === "team" ? teamNames : userNames)(view, ids as number[])]];
  });
  return recordOf(view.site, "BranchProtection", rule, settings, {
    branch_name: rule_name,
    ...Object.fromEntries(lists),
  });
}

/** `TagProtection`. */
export function tagRuleJson(view: View, rule: TagRule): Record<string, unknown> {
  return recordOf(view.site, "TagProtection", rule, {
    whitelist_usernames: userNames(view, rule.users),
    whitelist_teams: teamNames(view, rule.teams),
  });
}
