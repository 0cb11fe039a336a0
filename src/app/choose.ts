import type { Chosen } from "../command/args.ts";
import type { MissingArgument } from "../command/parse.ts";
import { artifactsApi } from "../forge/artifacts.ts";
import { branchesApi } from "../forge/branches.ts";
import { issuesApi } from "../forge/issues.ts";
import { labelsApi } from "../forge/labels.ts";
import { listRuns } from "../forge/list-runs.ts";
import { milestonesApi } from "../forge/milestones.ts";
import { pullsApi } from "../forge/pulls.ts";
import { releasesApi } from "../forge/releases.ts";
import { readRun, runState } from "../forge/run-or-task.ts";
import { searchApi } from "../forge/search.ts";
import { tagsApi } from "../forge/tags.ts";
import { workflowsApi } from "../forge/workflows.ts";
import type { Http } from "../http/client.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { pickOne } from "./pick.ts";

type Needs = BaseContext & ServerContext;

/** An item of a list, and the word that is typed for it. */
interface Item {
  readonly name: string;
  readonly word: string;
}

/** How many items are read: who has more types part of the name, or gives the argument. */
const most = 200;

/** Prompts for a missing argument with a list from the server, and returns what would have been typed. */
export async function chooseArgument({ key, from, name }: MissingArgument, context: Needs): Promise<string> {
  const { http } = context;
  const list = lists[from];
  const repo = from === "user" ? undefined : await context.locate();
  const items: Item[] = [];
  for await (const item of list(http, repo ?? nowhere)) items.push(item);
  const where = repo === undefined ? `on ${context.server.base.host}` : `in ${fullName(repo)}`;
  const chosen = await pickOne(context.prompt, items, {
    message: key === "name" ? "User" : `${from.charAt(0).toUpperCase()}${from.slice(1)}`,
    flag: name,
    what: `${plural(from)} ${where}`,
    name: (item) => item.name,
  });
  return chosen.word;
}

const nowhere: RepoName = { owner: "", name: "" };

function plural(from: Chosen): string {
  return from === "branch" ? "branches" : `${from}s`;
}

async function* issues(http: Http, repo: RepoName, state: "open" | "closed"): AsyncGenerator<Item> {
  for await (const { number, title } of issuesApi(http).list(repo, { state }).take(most)) {
    yield { name: `#${number} ${title}`, word: String(number) };
  }
}

type Lists = Readonly<Record<Chosen, (http: Http, repo: RepoName) => AsyncGenerator<Item>>>;

const lists: Lists = {
  async *"open pull request"(http, repo) {
    for await (const { number, title } of pullsApi(http).list(repo, { state: "open" }).take(most)) {
      yield { name: `#${number} ${title}`, word: String(number) };
    }
  },
  "open issue": (http, repo) => issues(http, repo, "open"),
  "closed issue": (http, repo) => issues(http, repo, "closed"),
  async *run(http, repo) {
    const runs = listRuns(http, { of: "repository", repo }, {});
    for await (const one of runs.take(most)) {
      const { number, title, workflow, branch } = readRun(one);
      const details = [runState(one), workflow, branch].filter((part) => part !== "").join(", ");
      yield { name: `#${number} ${title} (${details})`, word: `#${number}` };
    }
  },
  async *workflow(http, repo) {
    for await (const { id, name } of workflowsApi(http).list(repo).take(most)) {
      yield { name: name === "" || name === id ? id : `${id} ${name}`, word: id };
    }
  },
  async *artifact(http, repo) {
    for await (const { id, name } of artifactsApi(http).list(repo).take(most)) {
      yield { name: `${name} (ID ${id})`, word: String(id) };
    }
  },
  async *user(http) {
    for await (const { login, full_name } of searchApi(http).users("").take(most)) {
      yield { name: full_name ? `${login} (${full_name})` : login, word: login };
    }
  },
  async *branch(http, repo) {
    for await (const { name } of branchesApi(http).list(repo).take(most)) yield { name, word: name };
  },
  async *tag(http, repo) {
    for await (const { name } of tagsApi(http).list(repo).take(most)) yield { name, word: name };
  },
  async *milestone(http, repo) {
    for await (const { id, title = "" } of milestonesApi(http).list(repo, "all").take(most)) {
      yield { name: title === "" ? `milestone ${id}` : title, word: String(id) };
    }
  },
  async *release(http, repo) {
    for await (const { name, tag_name: tag } of releasesApi(http).list(repo, {}).take(most)) {
      yield { name: name === undefined || name === "" || name === tag ? tag : `${tag} ${name}`, word: tag };
    }
  },
  async *label(http, repo) {
    for await (const { name, description } of labelsApi(http).list({ of: "repository", repo }).take(most)) {
      yield { name: description ? `${name} (${description})` : name, word: name };
    }
  },
};
