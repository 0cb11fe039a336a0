import { demoRuns } from "../demo/ci.ts";
import { demoProject } from "../demo/project.ts";
import { demoPulls } from "../demo/pulls.ts";
import type { Area } from "../http/route.ts";
import { oauthPages } from "../oauth/pages.ts";
import { oauthTokens } from "../oauth/tokens.ts";
import { actionSettings } from "./action-settings.ts";
import { adminUsers } from "./admin-users.ts";
import { artifacts } from "./artifacts.ts";
import { branches } from "./branches.ts";
import { collaborators } from "./collaborators.ts";
import { commits } from "./commits.ts";
import { contents } from "./contents.ts";
import { dependencies } from "./dependencies.ts";
import { description } from "./description.ts";
import { files } from "./files.ts";
import { blocks, follows } from "./follows.ts";
import { forks } from "./forks.ts";
import { hooks } from "./hooks.ts";
import { issueComments } from "./issue-comments.ts";
import { issueLabels } from "./issue-labels.ts";
import { issueLists } from "./issue-lists.ts";
import { issuePins } from "./issue-pins.ts";
import { issues } from "./issues.ts";
import { keys } from "./keys.ts";
import { labels } from "./labels.ts";
import { milestones } from "./milestones.ts";
import { notifications } from "./notifications.ts";
import { orgMembers } from "./org-members.ts";
import { orgs } from "./orgs.ts";
import { packages } from "./packages.ts";
import { protections, tagProtections } from "./protections.ts";
import { pullContents } from "./pull-contents.ts";
import { pullCreation } from "./pull-create.ts";
import { pullEditing } from "./pull-edit.ts";
import { pullMerging, pullUpdating } from "./pull-merge.ts";
import { pulls } from "./pulls.ts";
import { releaseAssets } from "./release-assets.ts";
import { releases } from "./releases.ts";
import { repoCreation } from "./repo-create.ts";
import { repoLists } from "./repo-lists.ts";
import { repos } from "./repos.ts";
import { reviewRequests } from "./review-requests.ts";
import { reviews } from "./reviews.ts";
import { runners } from "./runners.ts";
import { jobs, runs } from "./runs.ts";
import { controls, server } from "./server.ts";
import { stars, watches } from "./stars.ts";
import { statuses } from "./statuses.ts";
import { tags } from "./tags.ts";
import { teams } from "./teams.ts";
import { tokens } from "./tokens.ts";
import { topics } from "./topics.ts";
import { adminLists, badges, users } from "./users.ts";
import { workflows } from "./workflows.ts";

const served: readonly Area[] = [
  [server, users, adminUsers, adminLists, keys, badges, follows, blocks, packages, tokens, oauthPages, oauthTokens],
  [orgs, orgMembers, teams],
  [repos, repoCreation, repoLists, collaborators, topics, stars, watches, hooks, forks],
  [branches, protections, tags, tagProtections, releases, releaseAssets, commits, contents, files],
  [labels, milestones, issues, issueLists, issueComments, issueLabels, issuePins, dependencies, notifications],
  [pulls, pullCreation, pullEditing, pullMerging, pullUpdating, pullContents, reviews, reviewRequests, statuses],
  [workflows, runs, jobs, artifacts, actionSettings, controls, runners],
  [demoProject, demoPulls, demoRuns],
].flat();

/** All areas. Demo data is created in this order: an area may use the data of those before it. */
export const areas: readonly Area[] = [...served, description(served)];
