import type { Chosen } from "../command/args.ts";
import type { MissingArgument } from "../command/parse.ts";
import { artifactList } from "../forge/artifacts.ts";
import { branchList } from "../forge/branches.ts";
import { issueList } from "../forge/issues.ts";
import { labelList } from "../forge/labels.ts";
import { listRuns } from "../forge/list-runs.ts";
import { milestoneList } from "../forge/milestones.ts";
import { call } from "../forge/operation.ts";
import { pullList } from "../forge/pulls.ts";
import { releaseList } from "../forge/releases.ts";
import { readRun, runState } from "../forge/run-or-task.ts";
import { userSearch } from "../forge/search.ts";
import { tagList } from "../forge/tags.ts";
import { workflowList } from "../forge/workflows.ts";
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
  for await (const { number, title } of call(http, issueList, { repo, type: "issues", state }).take(most)) {
    yield { name: `#${number} ${title}`, word: String(number) };
  }
}

type Lists = Readonly<Record<Chosen, (http: Http, repo: RepoName) => AsyncGenerator<Item>>>;

const lists: Lists = {
  async *"open pull request"(http, repo) {
    for await (const { number, title } of call(http, pullList, { repo, state: "open" }).take(most)) {
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
    for await (const { id, name } of call(http, workflowList, { repo }).take(most)) {
      yield { name: name === "" || name === id ? id : `${id} ${name}`, word: id };
    }
  },
  async *artifact(http, repo) {
    for await (const { id, name } of call(http, artifactList, { repo }).take(most)) {
      yield { name: `${name} (ID ${id})`, word: String(id) };
    }
  },
  async *user(http) {
    for await (const { login, full_name } of call(http, userSearch, { q: "" }).take(most)) {
      yield { name: full_name ? `${login} (${full_name})` : login, word: login };
    }
  },
  async *branch(http, repo) {
    for await (const { name } of call(http, branchList, { repo }).take(most)) yield { name, word: name };
  },
  async *tag(http, repo) {
    for await (const { name } of call(http, tagList, { repo }).take(most)) yield { name, word: name };
  },
  async *milestone(http, repo) {
    for await (const { id, title = "" } of call(http, milestoneList, { repo, state: "all" }).take(most)) {
      yield { name: title === "" ? `milestone ${id}` : title, word: String(id) };
    }
  },
  async *release(http, repo) {
    for await (const { name, tag_name: tag } of call(http, releaseList, {
      repo,
    }).take(most)) {
      yield { name: name === undefined || name === "" || name === tag ? tag : `${tag} ${name}`, word: tag };
    }
  },
  async *label(http, repo) {
    for await (const { name, description } of call(http, labelList, { level: { of: "repository", repo } }).take(most)) {
      yield { name: description ? `${name} (${description})` : name, word: name };
    }
  },
};
