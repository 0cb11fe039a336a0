import type { QuietContext } from "../../app/quiet-context.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import type { Offer, TypedLine } from "../../command/complete.ts";
import type { Source } from "../../command/source.ts";
import { userList } from "../../forge/admin-users.ts";
import { artifactList } from "../../forge/artifacts.ts";
import { branchProtectionList } from "../../forge/branch-protections.ts";
import { branchList } from "../../forge/branches.ts";
import { hookList } from "../../forge/hooks.ts";
import { issueList } from "../../forge/issues.ts";
import { labelList } from "../../forge/labels.ts";
import type { Level } from "../../forge/level.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { milestoneList } from "../../forge/milestones.ts";
import { call } from "../../forge/operation.ts";
import { ownOrgList } from "../../forge/orgs.ts";
import { pullList } from "../../forge/pulls.ts";
import { releaseList } from "../../forge/releases.ts";
import { assigneeList, defaultBranch, ownRepoList, repoGet } from "../../forge/repos.ts";
import { isTask, readRun, runState } from "../../forge/run-or-task.ts";
import { runnerList } from "../../forge/runners.ts";
import { secretList } from "../../forge/secrets.ts";
import { tagList, tagProtectionList } from "../../forge/tags.ts";
import { teamList } from "../../forge/teams.ts";
import { variableList } from "../../forge/variables.ts";
import { workflowSource } from "../../forge/workflow-source.ts";
import { workflowList } from "../../forge/workflows.ts";
import type { Http } from "../../http/client.ts";
import type { Listing } from "../../http/pages.ts";
import { openAliases } from "../../profiles/aliases.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { keptOperations } from "../operation/cached-description.ts";
import { declaredInputs } from "../workflow/inputs.ts";
import { cached } from "./cache.ts";

/** What a source reads from. */
interface Place {
  readonly http: Http;
  readonly repo: RepoName;
  readonly level: Level;
  readonly line: TypedLine;
}

type Read = (place: Place) => Promise<Offer[]> | AsyncIterable<Offer>;

const none = async (): Promise<Offer[]> => [];

/** The items with a title are read up to this number: one page. */
const titled = 50;
/** Names are short, and a name that is missing is missed. */
const named = 200;

const onServer: Readonly<Record<string, Read>> = {
  pull: ({ http, repo }) => offers(call(http, pullList, { repo, state: "open" }), titled, numbered),
  issue: ({ http, repo }) => offers(call(http, issueList, { repo, type: "issues", state: "open" }), titled, numbered),
  thread: ({ http, repo }) => offers(call(http, issueList, { repo, type: "issues", state: "open" }), titled, numbered),
  branch: ({ http, repo }) => offers(call(http, branchList, { repo }), named, ({ name }) => ({ word: name })),
  tag: ({ http, repo }) => offers(call(http, tagList, { repo }), named, ({ name }) => ({ word: name })),
  ref: async (place) => (await Promise.all([read("branch", place), read("tag", place)])).flat(),
  release: ({ http, repo }) =>
    offers(call(http, releaseList, { repo }), titled, ({ tag_name, name }) => ({
      word: tag_name ?? "",
      description: name,
    })),
  label: ({ http, repo, level }) =>
    offers(
      level.of === "organization"
        ? call(http, labelList, { level: { of: "organization", org: level.org } })
        : call(http, labelList, { level: { of: "repository", repo } }),
      named,
      ({ name, description }) => ({ word: name, description }),
    ),
  milestone: ({ http, repo }) =>
    offers(call(http, milestoneList, { repo, state: "all" }), named, ({ title, state }) => ({
      word: title ?? "",
      description: state,
    })),
  user: ({ http, repo }) =>
    offers(call(http, assigneeList, { repo }), named, ({ login, full_name }) => ({
      word: login,
      description: full_name,
    })),
  account: ({ http }) =>
    offers(call(http, userList, {}), named, ({ login, full_name }) => ({ word: login, description: full_name })),
  team: ({ http, repo }) => offers(call(http, teamList, { org: repo.owner }), named, ({ name }) => ({ word: name })),
  run: ({ http, level }) =>
    offers(listRuns(http, level, {}), titled, (run) => {
      const { number, workflow, branch, title } = readRun(run);
      const word = isTask(run) ? `#${number}` : `${run.id}`;
      return { word, description: `${workflow} ${branch} ${runState(run)}: ${title}` };
    }),
  workflow: ({ http, repo }) =>
    offers(call(http, workflowList, { repo }), named, ({ id, name }) => ({ word: id, description: name })),
  artifact: ({ http, repo }) =>
    offers(call(http, artifactList, { repo }), titled, ({ id, name }) => ({ word: `${id}`, description: name })),
  hook: ({ http, level }) =>
    offers(call(http, hookList, { level }), named, ({ id, type, config }) => ({
      word: `${id}`,
      description: `${type} ${config?.["url"] ?? ""}`,
    })),
  runner: ({ http, level }) =>
    offers(call(http, runnerList, { level }), named, ({ id, name, status }) => ({
      word: `${id}`,
      description: `${name}, ${status}`,
    })),
  variable: ({ http, level }) =>
    level.of === "server"
      ? none()
      : offers(call(http, variableList, { level }), named, ({ name, description }) => ({ word: name, description })),
  secret: ({ http, level }) =>
    level.of === "server"
      ? none()
      : offers(call(http, secretList, { level }), named, ({ name, description }) => ({ word: name, description })),
  organization: ({ http }) =>
    offers(call(http, ownOrgList, {}), named, ({ name, full_name }) => ({ word: name, description: full_name })),
  "branch-protection": ({ http, repo }) =>
    offers(call(http, branchProtectionList, { repo }), named, ({ rule_name }) => ({ word: rule_name })),
  "tag-protection": ({ http, repo }) =>
    offers(call(http, tagProtectionList, { repo }), named, ({ name_pattern }) => ({ word: name_pattern })),
  repository: ({ http }) =>
    offers(call(http, ownRepoList, {}), named, ({ full_name, description }) => ({ word: full_name, description })),
  input: workflowInputs,
};

/** The sources that do not work on a repository. */
const withoutRepository: readonly Source[] = ["repository", "account", "organization"];

/** Reads what a source lists, from the server or from the answers of the last 20 seconds. */
export async function liveOffers(source: Source, line: TypedLine, context: QuietContext): Promise<readonly Offer[]> {
  if (source === "profile") {
    const { profiles } = context.profiles.read();
    return Object.entries(profiles).map(([word, { host }]) => ({ word, description: host }));
  }
  if (source === "alias") {
    const aliases = openAliases(context.system).read();
    return Object.entries(aliases).map(([word, expansion]) => ({ word, description: expansion }));
  }
  if (source === "operation") return keptOperations(context.system).map(({ id }) => ({ word: id }));
  if (source === "parameter") {
    const typed = keptOperations(context.system).find(({ id }) => id === line.args[0]);
    return (typed?.parameters ?? []).map((word) => ({ word }));
  }
  const server = await context.choose();
  const level = levelOf(line);
  const needsRepo = level === undefined && !withoutRepository.includes(source);
  const repo = needsRepo ? await context.locate() : { owner: "", name: "" };
  const key = [server.base.href, server.profile, server.user, fullName(repo), source, level, dependsOn(source, line)];
  return cached(context.system, key, async () => {
    const { http } = await context.connect();
    return read(source, { http, repo, level: level ?? { of: "repository", repo }, line });
  });
}

/** What else of the command line the answer depends on. */
function dependsOn(source: Source, line: TypedLine): unknown {
  return source === "input" ? [line.args[0], line.flags.get("ref")] : undefined;
}

/** The level that --org, --user or --admin selects; undefined is the repository. */
function levelOf({ flags, switches }: TypedLine): Level | undefined {
  const org = flags.get("org")?.at(-1);
  if (org !== undefined) return { of: "organization", org };
  if (switches.has("user")) return { of: "user" };
  return switches.has("admin") ? { of: "server" } : undefined;
}

async function read(source: Source, place: Place): Promise<Offer[]> {
  const found = onServer[source]?.(place);
  if (found === undefined) return [];
  if (!(Symbol.asyncIterator in found)) return found;
  const all: Offer[] = [];
  for await (const offer of found) all.push(offer);
  return all;
}

async function* offers<T>(listing: Listing<T>, limit: number, offer: (item: T) => Offer): AsyncGenerator<Offer> {
  for await (const item of listing.take(limit)) yield offer(item);
}

function numbered({ number, title }: { readonly number: number; readonly title: string }): Offer {
  return { word: `${number}`, description: title };
}

/** `NAME=` for each input of the workflow, and `NAME=VALUE` for one with few values. */
async function workflowInputs({ http, repo, line }: Place): Promise<Offer[]> {
  const typed = line.args[0];
  if (typed === undefined) return [];
  const file = await workflowFile(typed, { of: "repository", repo }, { http });
  const ref = line.flags.get("ref")?.at(-1) ?? defaultBranch(await call(http, repoGet, { repo }));
  const { text } = await workflowSource(http, repo, file, ref);
  return [...(await declaredInputs(text, file))].flatMap(([name, { type, options }]) => {
    const values = type === "boolean" ? ["true", "false"] : options;
    return [{ word: `${name}=`, description: type }, ...values.map((value) => ({ word: `${name}=${value}` }))];
  });
}
