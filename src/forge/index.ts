import type { Http } from "../http/client.ts";
import { adminUsers } from "./admin-users.ts";
import { artifacts } from "./artifacts.ts";
import { branches } from "./branches.ts";
import { comments } from "./comments.ts";
import { commits, statuses } from "./commits.ts";
import { contents } from "./contents.ts";
import { follows } from "./follows.ts";
import { hooks } from "./hooks.ts";
import { issues } from "./issues.ts";
import { jobs } from "./jobs.ts";
import { labels } from "./labels.ts";
import { milestones } from "./milestones.ts";
import { packages } from "./packages.ts";
import { pulls } from "./pulls.ts";
import { repos } from "./repos.ts";
import { reviewers, reviews } from "./reviews.ts";
import { runners } from "./runners.ts";
import { runs, tasks } from "./runs.ts";
import { server } from "./server.ts";
import { stars } from "./stars.ts";
import { teams } from "./teams.ts";
import { tokens } from "./tokens.ts";
import { users } from "./users.ts";
import { workflows } from "./workflows.ts";

/** Every operation, by area of the API. `http` is only for `tongs api`. */
export function forgeOn(http: Http) {
  return {
    http,
    adminUsers: adminUsers(http),
    artifacts: artifacts(http),
    branches: branches(http),
    comments: comments(http),
    commits: commits(http),
    contents: contents(http),
    follows: follows(http),
    hooks: hooks(http),
    issues: issues(http),
    jobs: jobs(http),
    labels: labels(http),
    milestones: milestones(http),
    packages: packages(http),
    pulls: pulls(http),
    repos: repos(http),
    reviewers: reviewers(http),
    reviews: reviews(http),
    runners: runners(http),
    runs: runs(http),
    server: server(http),
    stars: stars(http),
    statuses: statuses(http),
    tasks: tasks(http),
    teams: teams(http),
    tokens: tokens(http),
    users: users(http),
    workflows: workflows(http),
  };
}

export type Forge = ReturnType<typeof forgeOn>;
