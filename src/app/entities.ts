import type { EntitySource } from "../command/source.ts";
import { artifactList } from "../forge/artifacts.ts";
import { branchProtectionList } from "../forge/branch-protections.ts";
import { branchList } from "../forge/branches.ts";
import { hookList } from "../forge/hooks.ts";
import { issueList } from "../forge/issues.ts";
import { labelList } from "../forge/labels.ts";
import type { Level } from "../forge/level.ts";
import { listRuns } from "../forge/list-runs.ts";
import { collect } from "../forge/listings.ts";
import { milestoneList } from "../forge/milestones.ts";
import { call } from "../forge/operation.ts";
import { ownOrgList } from "../forge/orgs.ts";
import { pullList } from "../forge/pulls.ts";
import { isTask, readRun } from "../forge/read-run.ts";
import { releaseList } from "../forge/releases.ts";
import { assigneeList, ownRepoList } from "../forge/repos.ts";
import { readRunner, runnerList } from "../forge/runners.ts";
import { userSearch } from "../forge/search.ts";
import { secretList } from "../forge/secrets.ts";
import { tagList, tagProtectionList } from "../forge/tags.ts";
import { teamList } from "../forge/teams.ts";
import { variableList } from "../forge/variables.ts";
import { workflowList } from "../forge/workflows.ts";
import type { Http } from "../http/client.ts";
import { hookAddress } from "../http/mask.ts";
import type { Listing } from "../http/pages.ts";
import type { RepoName } from "../repo/repo-name.ts";

/** Where the entities are. */
export interface Place {
  readonly http: Http;
  readonly repo: RepoName;
  readonly level: Level;
}

/** One of the entities that an argument or a flag can name. */
export interface Item {
  /** What is typed for it. */
  readonly word: string;
  readonly description?: string | undefined;
  /** How it is shown for choosing (default: the word, with the description in brackets). */
  readonly shown?: string;
  /** What is typed for it where it was chosen, if the word can be that of several. */
  readonly id?: number;
}

interface Entity {
  /** For the question and for the error of an empty list. */
  readonly noun: readonly [one: string, many: string];
  readonly list: (place: Place, limit: number) => Promise<readonly Item[]>;
}

function entity<T>(
  one: string,
  list: (place: Place) => Listing<T> | undefined,
  item: (found: T) => Item,
  many = `${one}s`,
): Entity {
  return {
    noun: [one, many],
    async list(place, limit) {
      const listing = list(place);
      return listing === undefined ? [] : (await collect(listing, limit)).map(item);
    },
  };
}

const issue = (state: "open" | "closed") =>
  entity(`${state} issue`, ({ http, repo }) => call(http, issueList, { repo, type: "issues", state }), numbered);

const openIssue = issue("open");
const branch = entity("branch", ({ http, repo }) => call(http, branchList, { repo }), onlyName, "branches");
const tag = entity("tag", ({ http, repo }) => call(http, tagList, { repo }), onlyName);

/** What the server lists for each source: for completion, and for choosing a missing argument on a terminal. */
export const entities = {
  pull: entity("open pull request", ({ http, repo }) => call(http, pullList, { repo, state: "open" }), numbered),
  issue: openIssue,
  thread: openIssue,
  "closed issue": issue("closed"),
  branch,
  tag,
  ref: {
    noun: ["branch or tag", "branches and tags"],
    list: async (place, limit) => (await Promise.all([branch.list(place, limit), tag.list(place, limit)])).flat(),
  },
  release: entity(
    "release",
    ({ http, repo }) => call(http, releaseList, { repo }),
    ({ tag_name: word, name }) => ({ word, description: name === word ? "" : name }),
  ),
  label: entity(
    "label",
    ({ http, repo, level }) =>
      call(http, labelList, { level: level.of === "organization" ? level : { of: "repository", repo } }),
    withDescription,
  ),
  milestone: entity(
    "milestone",
    ({ http, repo }) => call(http, milestoneList, { repo, state: "all" }),
    ({ id, title = "", state }) => ({ word: title, description: state, shown: title || `milestone ${id}`, id }),
  ),
  user: entity("user", ({ http, repo }) => call(http, assigneeList, { repo }), person),
  account: entity("user", ({ http }) => call(http, userSearch, { q: "" }), person),
  team: entity("team", ({ http, repo }) => call(http, teamList, { org: repo.owner }), onlyName),
  run: entity(
    "run",
    ({ http, level }) => listRuns(http, level, {}),
    (run) => {
      const { number, workflow, branch, title, state } = readRun(run);
      const details = [state, workflow, branch].filter((part) => part !== "").join(", ");
      return {
        word: isTask(run) ? `#${number}` : `${run.id}`,
        description: `${workflow} ${branch} ${state}: ${title}`,
        shown: `#${number} ${title} (${details})`,
      };
    },
  ),
  workflow: entity(
    "workflow",
    ({ http, repo }) => call(http, workflowList, { repo }),
    ({ id, name }) => (name === id ? { word: id } : { word: id, description: name, shown: `${id} ${name}`.trim() }),
  ),
  artifact: entity(
    "artifact",
    ({ http, repo }) => call(http, artifactList, { repo }),
    ({ id, name }) => ({ word: `${id}`, description: name, shown: `${name} (ID ${id})` }),
  ),
  hook: entity(
    "webhook",
    ({ http, level }) => call(http, hookList, { level }),
    ({ id, type, config }) => ({ word: `${id}`, description: `${type} ${hookAddress(config?.["url"] ?? "", type)}` }),
  ),
  runner: entity(
    "runner",
    ({ http, level }) => call(http, runnerList, { level }),
    ({ id, name, status }) => ({ word: `${id}`, description: `${name}, ${status}` }),
  ),
  "runner label": {
    noun: ["runner label", "runner labels"],
    async list({ http, level }, limit) {
      const labels = new Set<string>();
      for await (const one of call(http, runnerList, { level }).take(limit)) {
        for (const label of readRunner(one).labels) labels.add(label);
      }
      return [...labels].map((word): Item => ({ word }));
    },
  },
  variable: entity(
    "variable",
    ({ http, level }) => (level.of === "server" ? undefined : call(http, variableList, { level })),
    withDescription,
  ),
  secret: entity(
    "secret",
    ({ http, level }) => (level.of === "server" ? undefined : call(http, secretList, { level })),
    withDescription,
  ),
  organization: entity(
    "organization",
    ({ http }) => call(http, ownOrgList, {}),
    ({ name, full_name }) => ({ word: name, description: full_name }),
  ),
  "branch-protection": entity(
    "branch protection",
    ({ http, repo }) => call(http, branchProtectionList, { repo }),
    ({ rule_name }) => ({ word: rule_name }),
  ),
  "tag-protection": entity(
    "tag protection",
    ({ http, repo }) => call(http, tagProtectionList, { repo }),
    ({ name_pattern }) => ({ word: name_pattern }),
  ),
  repository: entity(
    "repository",
    ({ http }) => call(http, ownRepoList, {}),
    ({ full_name, description }) => ({ word: full_name, description }),
    "repositories",
  ),
} satisfies Record<EntitySource, Entity>;

/** The entities that are not in a repository. */
const outsideRepositories: readonly EntitySource[] = ["repository", "account", "organization"];

/** Whether a source is read from a repository, where no other level was selected. */
export function isInRepository(source: EntitySource): boolean {
  return !outsideRepositories.includes(source);
}

function onlyName({ name }: { readonly name: string }): Item {
  return { word: name };
}

function withDescription({
  name,
  description,
}: {
  readonly name: string;
  readonly description?: string | undefined;
}): Item {
  return { word: name, description };
}

function person({ login, full_name }: { readonly login: string; readonly full_name?: string | undefined }): Item {
  return { word: login, description: full_name };
}

function numbered({ number, title }: { readonly number: number; readonly title: string }): Item {
  return { word: `${number}`, description: title, shown: `#${number} ${title}` };
}
