import { rm } from "node:fs/promises";
import { repoEdit, repoLanguageList } from "../../forge/repo-settings.ts";
import { repoDelete, repoGet, repoGetById } from "../../forge/repos.ts";
import { topicAdd, topicList, topicRemove, topicsSet } from "../../forge/topics.ts";
import { git, gitFolder } from "../git/git.ts";
import { branchTip } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { alphaDashDot, max, oneOf } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { found, notFound, Refusal, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import { detachRepo } from "../pulls/lifecycle.ts";
import { repoJson } from "../serializers/repos.ts";
import type { RepoAt, Site } from "../site.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { repoNamed, settingsIn } from "../state/repos.ts";
import { checkRepoName } from "./repo-create.ts";

const editRepoOption = {
  name: [alphaDashDot, max(100)],
  description: [max(2048)],
  website: [max(1024)],
  default_branch: [max(100)],
  projects_mode: [oneOf("repo", "owner", "all")],
} as const;

const asAdmin = { repo: "any", signedIn: true, right: "admin", body: editRepoOption } as const;

const administering = { repo: "any", signedIn: true, right: "admin" } as const;

/** Operations on one repository. */
export const repos: Area = [
  route(repoGet, { repo: "any" }, (call) => repoJson(call, call.repo)),
  route(repoGetById, { signedIn: true }, byId),
  route(repoEdit, asAdmin, edit),
  route(repoDelete, { repo: "any", signedIn: true, right: "owner" }, deleteRepo),
  route(repoLanguageList, { repo: "code" }, () => ({})),
  // The topics of a repository: lower case, sorted, unique.
  route(topicList, { repo: "any" }, (call) =>
    listReply(
      call,
      call.repo.topics,
      (_call, topic) => topic,
      "total",
      (topics) => ({ topics }),
    ),
  ),
  route(topicsSet, administering, (call) => {
    const wanted = [...new Set((call.body.topics ?? []).map(normalizeTopic))];
    if (wanted.length > mostTopics) throw invalidTopics("Exceeding maximum number of topics per repo", null);
    const invalidNames = wanted.filter((topic) => !isTopic(topic));
    if (invalidNames.length > 0) throw invalidTopics("Topic names are invalid", invalidNames);
    return storeTopics(call, wanted);
  }),
  route(topicAdd, administering, (call) => {
    const topic = checkTopic(call);
    if (call.repo.topics.length >= mostTopics) throw invalidTopics("Exceeding maximum number of topics per repo", null);
    return storeTopics(call, [...new Set([...call.repo.topics, topic])]);
  }),
  route(topicRemove, administering, (call) => {
    const topic = checkTopic(call);
    if (!call.repo.topics.includes(topic)) notFound();
    const others = call.repo.topics.filter((one) => one !== topic);
    return storeTopics(call, others);
  }),
];

function byId(call: Call<{ signedIn: true }>) {
  const repo = found(call.table("repos").get(call.number("id")));
  const isHidden = repo.private && isPublicOnly(call.token);
  if (isHidden || !accessTo(call.site, call.currentUser, repo).visible) notFound();
  return repoJson(call, repo);
}

/** Deletes a repository with all its records. Its git folder is deleted when the write is done. */
export function deleteRepo({ site, repo }: RepoAt): void {
  const { store } = site;
  detachRepo({ site, repo });
  const isItsOwn = (record: { readonly repoId: number } | undefined) => record?.repoId === repo.id;
  store.table("reviewComments").remove(({ reviewId }) => isItsOwn(store.table("reviews").get(reviewId)));
  store.table("releaseAssets").remove(({ releaseId }) => isItsOwn(store.table("releases").get(releaseId)));
  store.removeAll(({ repoId, level, of }) => repoId === repo.id || (level === "repository" && of === repo.id));
  for (const fork of store.table("repos").filter(({ parentId }) => parentId === repo.id)) {
    store.table("repos").put({ ...fork, parentId: null });
  }
  store.table("repos").delete(repo.id);
  store.after(() => rm(gitFolder({ site, repo }), { recursive: true, force: true }));
}

async function edit(call: Call<typeof asAdmin, typeof repoEdit>) {
  const { site, repo, body } = call;
  if (body.name !== undefined) rename(call, body.name);
  checkAddresses(body);
  const { default_update_style: style } = body;
  if (style !== undefined && style !== "merge" && style !== "rebase") {
    refuse(422, "default update style must be merge or rebase");
  }
  const branch = await newDefaultBranch(call);
  const next: RepoRecord = {
    ...repo,
    ...settingsIn(body),
    name: body.name ?? repo.name,
    // A fork has the visibility of its parent.
    private: repo.parentId === null ? (body.private ?? repo.private) : repo.private,
    default_branch: branch,
    archived_at: body.archived === undefined ? repo.archived_at : body.archived ? site.now() : null,
    updated_at: site.now(),
    internalTracker: newTracker(call),
    tracker: body.external_tracker ?? (body.has_issues === undefined ? repo.tracker : null),
    wiki: body.external_wiki ?? (body.has_wiki === undefined ? repo.wiki : null),
  };
  const isPrivate = next.private !== repo.private;
  if (isPrivate) for (const fork of forksOf(site, repo)) site.table("repos").put({ ...fork, private: next.private });
  site.table("repos").put(next);
  if (repo.has_actions && !next.has_actions) site.table("disabledWorkflows").remove(({ repoId }) => repoId === repo.id);
  if (isPrivate && next.private) site.table("stars").remove(({ repoId }) => repoId === repo.id);
  return repoJson(call, next);
}

/** The settings of the own issues. A field that is not sent is off; issues switched on anew have the defaults. */
function newTracker({ repo, body }: Call<typeof asAdmin, typeof repoEdit>): RepoRecord["internalTracker"] {
  const sent = body.internal_tracker;
  if (sent === undefined) return repo.has_issues ? repo.internalTracker : undefined;
  return {
    enable_time_tracker: sent.enable_time_tracker ?? false,
    allow_only_contributors_to_track_time: sent.allow_only_contributors_to_track_time ?? false,
    enable_issue_dependencies: sent.enable_issue_dependencies ?? false,
  };
}

const forksOf = ({ store }: Site, repo: RepoRecord) => store.table("repos").filter((one) => one.parentId === repo.id);

function rename({ site, repo, owner }: Call<typeof asAdmin, typeof repoEdit>, name: string): void {
  if (name === "") {
    refuse(
      422,
      "ChangeRepositoryName: name is invalid []: must be valid alpha or numeric or dash(-_) or dot characters",
    );
  }
  if (name.toLowerCase() === repo.name.toLowerCase()) return;
  checkRepoName(name);
  if (repoNamed(site.store, owner.id, name))
    refuse(422, `repository already exists [uname: ${owner.name}, name: ${name}]`);
  site.table("repoRedirects").delete(`${owner.id}/${name.toLowerCase()}`);
  site.table("repoRedirects").put({ ownerId: owner.id, from: repo.name.toLowerCase(), to: repo.id });
}

function checkAddresses({ external_tracker, external_wiki }: BodyOf<typeof repoEdit>): void {
  const isAddress = (text = "") => /^https?:\/\/\S+$/.test(text);
  if (external_tracker && !isAddress(external_tracker.external_tracker_url))
    refuse(422, "External tracker URL not valid");
  if (external_wiki && !isAddress(external_wiki.external_wiki_url)) refuse(422, "Invalid external wiki URL");
}

/** The new default branch. One that does not exist is ignored. */
async function newDefaultBranch({ site, repo, body }: Call<typeof asAdmin, typeof repoEdit>): Promise<string> {
  const wanted = body.default_branch;
  if (!wanted || wanted === repo.default_branch) return repo.default_branch;
  if (!repo.empty && (await branchTip({ site, repo }, wanted)) === undefined) return repo.default_branch;
  await git({ site, repo }, ["symbolic-ref", "HEAD", `refs/heads/${wanted}`]);
  return wanted;
}

const mostTopics = 25;

const normalizeTopic = (topic: string) => topic.trim().toLowerCase();
const isTopic = (topic: string) => topic.length <= 35 && /^[a-z0-9][-.a-z0-9]*$/.test(topic);

function invalidTopics(message: string, invalidTopics: readonly string[] | string | null): Refusal {
  return new Refusal(422, message, { invalidTopics, message });
}

function checkTopic(call: Call<typeof administering>): string {
  const topic = normalizeTopic(call.param("topic"));
  if (!isTopic(topic)) throw invalidTopics("Topic name is invalid", topic);
  return topic;
}

function storeTopics({ site, repo }: Call<typeof administering>, wanted: readonly string[]) {
  site.table("repos").put({ ...repo, topics: wanted.toSorted() });
}
