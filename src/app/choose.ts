import type { Chosen } from "../command/args.ts";
import type { MissingArgument } from "../command/parse.ts";
import { listRuns } from "../forge/list-runs.ts";
import { branchOf, runState, workflowOf } from "../forge/run-or-task.ts";
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
  const { forge } = context;
  const list = lists[from];
  const repo = from === "user" ? undefined : await context.locate();
  const items: Item[] = [];
  for await (const item of list(forge, repo ?? nowhere)) items.push(item);
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

async function* issues(forge: ServerContext["forge"], repo: RepoName, state: "open" | "closed"): AsyncGenerator<Item> {
  for await (const { number, title } of forge.issues.list(repo, { state }).take(most)) {
    yield { name: `#${number} ${title}`, word: String(number) };
  }
}

type Lists = Readonly<Record<Chosen, (forge: ServerContext["forge"], repo: RepoName) => AsyncGenerator<Item>>>;

const lists: Lists = {
  async *"open pull request"(forge, repo) {
    for await (const { number, title } of forge.pulls.list(repo, { state: "open" }).take(most)) {
      yield { name: `#${number} ${title}`, word: String(number) };
    }
  },
  "open issue": (forge, repo) => issues(forge, repo, "open"),
  "closed issue": (forge, repo) => issues(forge, repo, "closed"),
  async *run(forge, repo) {
    const runs = listRuns(forge, { of: "repository", repo }, {});
    for await (const one of runs.take(most)) {
      const details = [runState(one), workflowOf(one), branchOf(one)].filter((part) => part !== "").join(", ");
      yield { name: `#${one.run_number} ${one.display_title ?? ""} (${details})`, word: `#${one.run_number}` };
    }
  },
  async *workflow(forge, repo) {
    for await (const { id, name } of forge.workflows.list(repo).take(most)) {
      yield { name: name === "" || name === id ? id : `${id} ${name}`, word: id };
    }
  },
  async *artifact(forge, repo) {
    for await (const { id, name } of forge.artifacts.list(repo).take(most)) {
      yield { name: `${name} (ID ${id})`, word: String(id) };
    }
  },
  async *user(forge) {
    for await (const { login, full_name } of forge.search.users("").take(most)) {
      yield { name: full_name ? `${login} (${full_name})` : login, word: login };
    }
  },
  async *branch(forge, repo) {
    for await (const { name } of forge.branches.list(repo).take(most)) yield { name, word: name };
  },
  async *tag(forge, repo) {
    for await (const { name } of forge.tags.list(repo).take(most)) yield { name, word: name };
  },
  async *milestone(forge, repo) {
    for await (const { id, title = "" } of forge.milestones.list(repo, "all").take(most)) {
      yield { name: title === "" ? `milestone ${id}` : title, word: String(id) };
    }
  },
  async *release(forge, repo) {
    for await (const { name, tag_name: tag } of forge.releases.list(repo, {}).take(most)) {
      yield { name: name === undefined || name === "" || name === tag ? tag : `${tag} ${name}`, word: tag };
    }
  },
  async *label(forge, repo) {
    for await (const { name, description } of forge.labels.list({ of: "repository", repo }).take(most)) {
      yield { name: description ? `${name} (${description})` : name, word: name };
    }
  },
};
