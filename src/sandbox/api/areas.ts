import { project } from "../demo/project.ts";
import type { Area } from "../site.ts";
import { branches } from "./branches.ts";
import { collaborators } from "./collaborators.ts";
import { commits } from "./commits.ts";
import { contents } from "./contents.ts";
import { files } from "./files.ts";
import { forks } from "./forks.ts";
import { labels } from "./labels.ts";
import { milestones } from "./milestones.ts";
import { orgs } from "./orgs.ts";
import { protections } from "./protections.ts";
import { repoCreation } from "./repo-create.ts";
import { repoLists } from "./repo-lists.ts";
import { repos } from "./repos.ts";
import { server } from "./server.ts";
import { tagProtections } from "./tag-protections.ts";
import { tags } from "./tags.ts";
import { teams } from "./teams.ts";
import { tokens } from "./tokens.ts";
import { topics } from "./topics.ts";
import { users } from "./users.ts";

/** Every area. The order is that of the demonstration data: an area may build on those before it. */
export const areas: readonly Area[] = [
  server,
  users,
  tokens,
  orgs,
  teams,
  repos,
  repoCreation,
  repoLists,
  collaborators,
  topics,
  forks,
  branches,
  protections,
  tags,
  tagProtections,
  commits,
  contents,
  files,
  labels,
  milestones,
  project,
];
