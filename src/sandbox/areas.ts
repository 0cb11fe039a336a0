import { startRunsOnPush } from "./actions/runs.ts";
import { resumeJobs } from "./actions/schedule.ts";
import { actionSettings } from "./api/action-settings.ts";
import { adminUsers } from "./api/admin-users.ts";
import { artifacts } from "./api/artifacts.ts";
import { attachments } from "./api/attachments.ts";
import { branches, tags } from "./api/branches.ts";
import { collaborators } from "./api/collaborators.ts";
import { commits } from "./api/commits.ts";
import { contents } from "./api/contents.ts";
import { files } from "./api/files.ts";
import { forks } from "./api/forks.ts";
import { hooks } from "./api/hooks.ts";
import { issueComments } from "./api/issue-comments.ts";
import { issues } from "./api/issues.ts";
import { labels } from "./api/labels.ts";
import { milestones } from "./api/milestones.ts";
import { nextOperations } from "./api/next-release.ts";
import { notifications, watchForNotices } from "./api/notifications.ts";
import { orgMembers, orgs } from "./api/orgs.ts";
import { protections } from "./api/protections.ts";
import { pullMerging } from "./api/pull-merge.ts";
import { pullWriting } from "./api/pull-write.ts";
import { pulls } from "./api/pulls.ts";
import { releases } from "./api/releases.ts";
import { repoCreation } from "./api/repo-create.ts";
import { repoLists } from "./api/repo-lists.ts";
import { repos } from "./api/repos.ts";
import { reviewRequests, reviews } from "./api/reviews.ts";
import { runners } from "./api/runners.ts";
import { runs } from "./api/runs.ts";
import { controls, description, server } from "./api/server.ts";
import { follows, stars, watches } from "./api/stars.ts";
import { teams } from "./api/teams.ts";
import { tokens } from "./api/tokens.ts";
import { users } from "./api/users.ts";
import { workflows } from "./api/workflows.ts";
import type { Area } from "./http/route.ts";
import { signInPages } from "./oauth/sign-in.ts";
import { syncHeads, updatePulls } from "./pulls/lifecycle.ts";
import { resumeSchedules } from "./pulls/merging.ts";
import type { Callbacks } from "./site.ts";
import { deliverRefs, watchForEvents } from "./webhooks/deliver.ts";

const served: readonly Area[] = [
  [server, users, adminUsers, follows, tokens, signInPages],
  [orgs, orgMembers, teams],
  [repos, repoCreation, repoLists, collaborators, stars, watches, hooks, forks],
  [branches, protections, tags, releases, commits, contents, files],
  [labels, milestones, issues, issueComments, attachments, notifications],
  [pulls, pullWriting, pullMerging, reviews, reviewRequests],
  [workflows, runs, artifacts, actionSettings, controls, runners, nextOperations],
].flat();

/** What is done at events: hooks deliver, pull requests follow their branches, runs start, notifications are made. */
export const callbacks: readonly Callbacks[] = [
  { refsChanged: deliverRefs, started: watchForEvents },
  { refsChanged: updatePulls, started: (site) => site.later(0, () => site.store.write(() => syncHeads(site))) },
  { refsChanged: startRunsOnPush, started: resumeJobs },
  { started: resumeSchedules },
  { started: watchForNotices },
];

/** All areas. */
export const areas: readonly Area[] = [...served, description(served)];
