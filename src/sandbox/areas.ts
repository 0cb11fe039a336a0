import { actionSettings } from "./api/action-settings.ts";
import { adminUsers } from "./api/admin-users.ts";
import { artifacts } from "./api/artifacts.ts";
import { attachments } from "./api/attachments.ts";
import { branches } from "./api/branches.ts";
import { collaborators } from "./api/collaborators.ts";
import { commits, statuses } from "./api/commits.ts";
import { contents } from "./api/contents.ts";
import { files } from "./api/files.ts";
import { forks } from "./api/forks.ts";
import { hooks } from "./api/hooks.ts";
import { issueComments, issueLists } from "./api/issue-comments.ts";
import { issues } from "./api/issues.ts";
import { labels } from "./api/labels.ts";
import { milestones } from "./api/milestones.ts";
import { notifications } from "./api/notifications.ts";
import { orgMembers } from "./api/org-members.ts";
import { orgs } from "./api/orgs.ts";
import { protections, tagProtections } from "./api/protections.ts";
import { pullMerging, pullUpdating } from "./api/pull-merge.ts";
import { pullCreation, pullEditing } from "./api/pull-write.ts";
import { pulls } from "./api/pulls.ts";
import { releases } from "./api/releases.ts";
import { repoCreation } from "./api/repo-create.ts";
import { repoLists } from "./api/repo-lists.ts";
import { repos, topics } from "./api/repos.ts";
import { reviewRequests } from "./api/review-requests.ts";
import { reviews } from "./api/reviews.ts";
import { runners } from "./api/runners.ts";
import { runs } from "./api/runs.ts";
import { controls, description, server } from "./api/server.ts";
import { follows, stars, watches } from "./api/stars.ts";
import { tags } from "./api/tags.ts";
import { teams } from "./api/teams.ts";
import { keys, tokens } from "./api/tokens.ts";
import { users } from "./api/users.ts";
import { workflows } from "./api/workflows.ts";
import type { Area } from "./http/route.ts";
import { signInPages } from "./oauth/sign-in.ts";

const served: readonly Area[] = [
  [server, users, adminUsers, keys, follows, tokens, signInPages],
  [orgs, orgMembers, teams],
  [repos, repoCreation, repoLists, collaborators, topics, stars, watches, hooks, forks],
  [branches, protections, tags, tagProtections, releases, commits, contents, files],
  [labels, milestones, issues, issueLists, issueComments, attachments, notifications],
  [pulls, pullCreation, pullEditing, pullMerging, pullUpdating, reviews, reviewRequests, statuses],
  [workflows, runs, artifacts, actionSettings, controls, runners],
].flat();

/** All areas. */
export const areas: readonly Area[] = [...served, description(served)];
