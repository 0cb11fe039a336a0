import { decoded, pathSegment, wildcardSegments } from "../http/path.ts";
import * as account from "./account.ts";
import * as activities from "./activities.ts";
import * as admin from "./admin.ts";
import * as adminUsers from "./admin-users.ts";
import * as artifacts from "./artifacts.ts";
import * as attachments from "./attachments.ts";
import * as branchProtections from "./branch-protections.ts";
import * as branches from "./branches.ts";
import * as collaborators from "./collaborators.ts";
import * as comments from "./comments.ts";
import * as commits from "./commits.ts";
import * as contents from "./contents.ts";
import * as dependencies from "./dependencies.ts";
import * as deployKeys from "./deploy-keys.ts";
import * as fileChanges from "./file-changes.ts";
import * as follows from "./follows.ts";
import * as forks from "./forks.ts";
import { operationFacts } from "./generated/facts.ts";
import * as hooks from "./hooks.ts";
import * as issueTemplates from "./issue-templates.ts";
import * as issues from "./issues.ts";
import * as jobs from "./jobs.ts";
import * as keys from "./keys.ts";
import * as labels from "./labels.ts";
import { levelPaths } from "./level.ts";
import * as markup from "./markup.ts";
import * as mergeRules from "./merge-rules.ts";
import * as milestones from "./milestones.ts";
import * as mirrors from "./mirrors.ts";
import * as missingIssue from "./missing-issue.ts";
import * as notifications from "./notifications.ts";
import * as oauthApps from "./oauth-apps.ts";
import type { Operation } from "./operation.ts";
import * as orgBlocks from "./org-blocks.ts";
import * as orgs from "./orgs.ts";
import * as packages from "./packages.ts";
import * as pins from "./pins.ts";
import * as pulls from "./pulls.ts";
import * as quotas from "./quotas.ts";
import * as reactions from "./reactions.ts";
import * as releases from "./releases.ts";
import * as repoFlags from "./repo-flags.ts";
import * as repoSettings from "./repo-settings.ts";
import * as repos from "./repos.ts";
import * as reviewComments from "./review-comments.ts";
import * as reviews from "./reviews.ts";
import * as runners from "./runners.ts";
import * as runs from "./runs.ts";
import * as search from "./search.ts";
import * as secrets from "./secrets.ts";
import * as server from "./server.ts";
import * as stars from "./stars.ts";
import * as tags from "./tags.ts";
import * as teams from "./teams.ts";
import * as templates from "./templates.ts";
import * as timeline from "./timeline.ts";
import * as times from "./times.ts";
import * as tokens from "./tokens.ts";
import * as topics from "./topics.ts";
import * as users from "./users.ts";
import * as variables from "./variables.ts";
import * as watches from "./watches.ts";
import * as wiki from "./wiki.ts";
import * as workflows from "./workflows.ts";

const areas = {
  missingIssue,
  account,
  activities,
  adminUsers,
  admin,
  artifacts,
  attachments,
  branchProtections,
  branches,
  collaborators,
  comments,
  commits,
  contents,
  dependencies,
  deployKeys,
  fileChanges,
  follows,
  forks,
  hooks,
  issueTemplates,
  issues,
  jobs,
  keys,
  labels,
  markup,
  mergeRules,
  milestones,
  mirrors,
  notifications,
  oauthApps,
  orgBlocks,
  orgs,
  packages,
  pins,
  pulls,
  quotas,
  reactions,
  releases,
  repoFlags,
  repoSettings,
  repos,
  reviewComments,
  reviews,
  runners,
  runs,
  search,
  secrets,
  server,
  stars,
  tags,
  teams,
  templates,
  timeline,
  times,
  tokens,
  topics,
  users,
  variables,
  watches,
  wiki,
  workflows,
};

/** All operations of tongs, by the name of their value: `labelEdit`. */
export const allOperations: ReadonlyMap<string, Operation> = new Map(
  Object.values(areas).flatMap((area) => Object.entries(area).filter(isNamedOperation)),
);

function isNamedOperation(entry: [name: string, value: unknown]): entry is [string, Operation] {
  const [, value] = entry;
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "effect" in value;
}

/** An operation at one of its levels. */
export interface PlacedOperation {
  readonly name: string;
  readonly operation: Operation;
  /** Its path with the level filled in: `/orgs/{org}/labels/{id}`. */
  readonly path: string;
}

/** All operations of the API at all their levels. */
export const placedOperations: readonly PlacedOperation[] = [...allOperations]
  .filter(([, { web }]) => web !== true)
  .flatMap(([name, operation]) => pathsOf(operation).map((path) => ({ name, operation, path })));

function pathsOf({ path, levels }: Operation): string[] {
  return levels.length === 0 ? [path] : levels.map((level) => path.replace("{level}", levelPaths[level]));
}

/** An operation that a request was sent by, with the parameters of its path, decoded. */
export interface MatchedOperation extends PlacedOperation {
  readonly parameters: ReadonlyMap<string, string>;
}

/** The operation with this method and path (below /api/v1, without query), if tongs has it. */
export function operationAt(method: string, path: string): MatchedOperation | undefined {
  for (const route of routes) {
    const [found, ...values] = (route.method === method && route.pattern.exec(path)) || [];
    if (found === undefined) continue;
    if (route.placed === undefined) return undefined;
    const names = placesIn(route.path).map((place) => place.slice(1, -1));
    return { ...route.placed, parameters: new Map(names.map((name, index) => [name, decoded(values[index] ?? "")])) };
  }
  return undefined;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly placed?: PlacedOperation;
}

/**
 * The routes of servers, also those that tongs does not use, the ones with the most literal text first: a parameter also
 * matches the literal text of another route.
 */
const routes: readonly Route[] = [
  ...placedOperations.map((placed) => ({
    method: placed.operation.method,
    path: placed.path,
    pattern: patternOf(placed.path, placed.operation.slashes),
    placed,
  })),
  ...Object.keys(operationFacts).map((key) => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path, pattern: patternOf(path) };
  }),
].sort((one, other) => literalText(other.path) - literalText(one.path));

function patternOf(path: string, slashes = false): RegExp {
  const places = placesIn(path);
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  let count = 0;
  const pattern = literal.replace(/\{[^}]*\}/g, () => (slashes && ++count === places.length ? "(.+)" : "([^/]+)"));
  return new RegExp(`^${pattern}/?$`);
}

function placesIn(path: string): readonly string[] {
  return path.match(/\{[^}]+\}/g) ?? [];
}

function literalText(path: string): number {
  return path.replace(/\{[^}]*\}/g, "").length;
}

/**
 * The path of a request below /api/v1, or another path with the same parameters, with some of them changed. Throws a usage
 * error for a name that cannot stand in a path.
 */
export function pathOf(
  { path, operation, parameters }: MatchedOperation,
  changes: Readonly<Record<string, string>>,
  template: string = path,
): string {
  const places = placesIn(template);
  return places.reduce((built, place, index) => {
    const name = place.slice(1, -1);
    const value = changes[name] ?? parameters.get(name) ?? "";
    const encode = operation.slashes && index === places.length - 1 ? wildcardSegments : pathSegment;
    return built.replace(place, () => encode(value));
  }, template);
}
