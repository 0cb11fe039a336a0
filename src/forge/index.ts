import type { Http } from "../http/client.ts";
import { account } from "./account.ts";
import { activities } from "./activities.ts";
import { admin } from "./admin.ts";
import { adminUsers } from "./admin-users.ts";
import { artifacts } from "./artifacts.ts";
import { attachments } from "./attachments.ts";
import { branchProtections } from "./branch-protections.ts";
import { branches } from "./branches.ts";
import { collaborators } from "./collaborators.ts";
import { comments } from "./comments.ts";
import { commits, statuses } from "./commits.ts";
import { contents } from "./contents.ts";
import { dependencies } from "./dependencies.ts";
import { deployKeys } from "./deploy-keys.ts";
import { description } from "./description.ts";
import { fileChanges } from "./file-changes.ts";
import { follows } from "./follows.ts";
import { forks } from "./forks.ts";
import { gitHooks, hooks } from "./hooks.ts";
import { issueTemplates } from "./issue-templates.ts";
import { issues } from "./issues.ts";
import { jobs } from "./jobs.ts";
import { gpgKeys, sshKeys } from "./keys.ts";
import { labels } from "./labels.ts";
import { markup } from "./markup.ts";
import { mergeRules } from "./merge-rules.ts";
import { milestones } from "./milestones.ts";
import { mirrors } from "./mirrors.ts";
import { missingOperations } from "./missing-operations.ts";
import { notifications } from "./notifications.ts";
import { oauthApps } from "./oauth-apps.ts";
import { orgBlocks } from "./org-blocks.ts";
import { orgMembers, orgs } from "./orgs.ts";
import { packages } from "./packages.ts";
import { pastWrites } from "./past-writes.ts";
import { pins } from "./pins.ts";
import { pulls } from "./pulls.ts";
import { reactions } from "./reactions.ts";
import { releaseAssets, releases } from "./releases.ts";
import { repoSettings } from "./repo-settings.ts";
import { repos } from "./repos.ts";
import { reviewComments } from "./review-comments.ts";
import { reviewers, reviews } from "./reviews.ts";
import { runners } from "./runners.ts";
import { runs, tasks } from "./runs.ts";
import { search } from "./search.ts";
import { secrets } from "./secrets.ts";
import { server } from "./server.ts";
import { stars } from "./stars.ts";
import { tagProtections, tags } from "./tags.ts";
import { repoTeams, teams } from "./teams.ts";
import { templates } from "./templates.ts";
import { timeline } from "./timeline.ts";
import { times } from "./times.ts";
import { tokens } from "./tokens.ts";
import { topics } from "./topics.ts";
import { users } from "./users.ts";
import { variables } from "./variables.ts";
import { watches } from "./watches.ts";
import { wiki } from "./wiki.ts";
import { workflows } from "./workflows.ts";

/** Every area of the API. */
const areas = {
  account,
  activities,
  admin,
  adminUsers,
  artifacts,
  attachments,
  branchProtections,
  branches,
  collaborators,
  comments,
  commits,
  contents,
  dependencies,
  deployKeys,
  description,
  fileChanges,
  follows,
  forks,
  gitHooks,
  gpgKeys,
  hooks,
  issueTemplates,
  issues,
  jobs,
  labels,
  markup,
  mergeRules,
  milestones,
  mirrors,
  missingOperations,
  notifications,
  oauthApps,
  orgBlocks,
  orgMembers,
  orgs,
  packages,
  pastWrites,
  pins,
  pulls,
  reactions,
  releaseAssets,
  releases,
  repoSettings,
  repoTeams,
  repos,
  reviewComments,
  reviewers,
  reviews,
  runners,
  runs,
  search,
  secrets,
  server,
  sshKeys,
  stars,
  statuses,
  tagProtections,
  tags,
  tasks,
  teams,
  templates,
  timeline,
  times,
  tokens,
  topics,
  users,
  variables,
  watches,
  wiki,
  workflows,
};

type Areas = typeof areas;

/** Every operation, by area of the API. `http` is only for `tongs api`. */
export type Forge = { readonly http: Http } & { readonly [A in keyof Areas]: ReturnType<Areas[A]> };

/** The operations of a server. An area is made when it is used, which a short command notices. */
export function forgeOn(http: Http): Forge {
  const properties = Object.entries(areas).map(([name, area]) => [name, { get: () => area(http), enumerable: true }]);
  return Object.defineProperties({ http }, Object.fromEntries(properties)) as Forge;
}
