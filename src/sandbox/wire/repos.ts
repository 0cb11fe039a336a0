import { refsOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import type { View } from "../http/route.ts";
import type { RepoRecord } from "../state/repos.ts";
import { pathOf } from "./paths.ts";
import { epoch, zeroTime } from "./times.ts";
import { userWire } from "./users.ts";

/** `Repository` (api-facts 1.2). The owner is shown without private fields, to everybody. */
export async function repoWire(view: View, repo: RepoRecord, depth = 0): Promise<Record<string, unknown>> {
  const { site, me, origin } = view;
  const { store } = site;
  const { full, api, web } = pathOf(view, repo);
  const owner = store.table("users").get(repo.ownerId);
  if (owner === undefined) throw new Error(`repository ${repo.id} has no owner`);
  const parent = repo.parentId === null ? undefined : store.table("repos").get(repo.parentId);
  const access = accessTo(site, me, repo);
  const branches = await refsOf(site, repo, "refs/heads/");
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
    ...(parent && depth === 0 ? { parent: await repoWire(view, parent, 1) } : {}),
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
    branch_count: branches.size,
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
    ...repo.settings,
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

function trackers({ units, tracker, wiki }: RepoRecord): Record<string, unknown> {
  const internal = {
    enable_time_tracker: true,
    allow_only_contributors_to_track_time: true,
    enable_issue_dependencies: true,
  };
  const issues = tracker === null ? { internal_tracker: internal } : { external_tracker: tracker };
  return {
    ...(units.has_issues ? issues : {}),
    ...(units.has_wiki && wiki !== null ? { external_wiki: wiki } : {}),
  };
}
