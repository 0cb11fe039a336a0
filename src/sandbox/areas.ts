import { actionSettings } from "./api/action-settings.ts";
import { adminUsers } from "./api/admin-users.ts";
import { artifacts } from "./api/artifacts.ts";
import { attachments } from "./api/attachments.ts";
import { branches } from "./api/branches.ts";
import { collaborators } from "./api/collaborators.ts";
import { commits } from "./api/commits.ts";
import { contents } from "./api/contents.ts";
import { dependencies } from "./api/dependencies.ts";
import { description } from "./api/description.ts";
import { files } from "./api/files.ts";
import { blocks, follows } from "./api/follows.ts";
import { forks } from "./api/forks.ts";
import { hooks } from "./api/hooks.ts";
import { issueComments } from "./api/issue-comments.ts";
import { issueLabels } from "./api/issue-labels.ts";
import { issueLists } from "./api/issue-lists.ts";
import { issuePins } from "./api/issue-pins.ts";
import { issues } from "./api/issues.ts";
import { keys } from "./api/keys.ts";
import { labels } from "./api/labels.ts";
import { migration } from "./api/migrate.ts";
import { milestones } from "./api/milestones.ts";
import { notifications } from "./api/notifications.ts";
import { orgMembers } from "./api/org-members.ts";
import { orgs } from "./api/orgs.ts";
import { packages } from "./api/packages.ts";
import { protections, tagProtections } from "./api/protections.ts";
import { pullContents } from "./api/pull-contents.ts";
import { pullCreation } from "./api/pull-create.ts";
import { pullEditing } from "./api/pull-edit.ts";
import { pullMerging, pullUpdating } from "./api/pull-merge.ts";
import { pulls } from "./api/pulls.ts";
import { releaseAssets } from "./api/release-assets.ts";
import { releases } from "./api/releases.ts";
import { repoCreation } from "./api/repo-create.ts";
import { repoLists } from "./api/repo-lists.ts";
import { repos } from "./api/repos.ts";
import { reviewRequests } from "./api/review-requests.ts";
import { reviews } from "./api/reviews.ts";
import { runners } from "./api/runners.ts";
import { jobs, runs } from "./api/runs.ts";
import { controls, server } from "./api/server.ts";
import { stars, watches } from "./api/stars.ts";
import { statuses } from "./api/statuses.ts";
import { tags } from "./api/tags.ts";
import { teams } from "./api/teams.ts";
import { tokens } from "./api/tokens.ts";
import { topics } from "./api/topics.ts";
import { adminLists, badges, users } from "./api/users.ts";
import { workflows } from "./api/workflows.ts";
import type { Area } from "./http/route.ts";
import { signInPages } from "./oauth/sign-in.ts";

const served: readonly Area[] = [
  [server, users, adminUsers, adminLists, keys, badges, follows, blocks, packages, tokens, signInPages],
  [orgs, orgMembers, teams],
  [repos, repoCreation, migration, repoLists, collaborators, topics, stars, watches, hooks, forks],
  [branches, protections, tags, tagProtections, releases, releaseAssets, commits, contents, files],
  [
    labels,
    milestones,
    issues,
    issueLists,
    issueComments,
    attachments,
    issueLabels,
    issuePins,
    dependencies,
    notifications,
  ],
  [pulls, pullCreation, pullEditing, pullMerging, pullUpdating, pullContents, reviews, reviewRequests, statuses],
  [workflows, runs, jobs, artifacts, actionSettings, controls, runners],
].flat();

/** All areas. */
export const areas: readonly Area[] = [...served, description(served)];
