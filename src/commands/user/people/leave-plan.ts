import pMap from "p-map";
import { type Issue, issueSearch } from "../../../forge/issues.ts";
import { userGpgKeyList, userKeyList } from "../../../forge/keys.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { packageList } from "../../../forge/packages.ts";
import { userRepoList } from "../../../forge/repos.ts";
import { findTeam, teamMemberList } from "../../../forge/teams.ts";
import { userTokenList } from "../../../forge/tokens.ts";
import { currentUserGet, isOrganization, type User, userOrgList } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { UnknownOperationError } from "../../../http/errors.ts";
import { parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { present } from "../../../shape/shape.ts";
import { findUser } from "../import/existing-users.ts";
import { asUser, isName, type LeaveStep, type Leaving } from "./leave-steps.ts";

/** Somebody who is to leave, as it was asked for. */
export interface Leaver extends Leaving {
  readonly isDeleted: boolean;
}

/** What is done for somebody who leaves. */
export interface LeavePlan {
  readonly leaver: Leaver;
  readonly steps: readonly LeaveStep[];
  /** Why nothing is done. */
  readonly stops: readonly string[];
  /** What stays. */
  readonly stays: readonly string[];
}

/** Adds what is wrong with a person of the input. */
export type Fault = (name: string, what: string) => void;

const jobs = 8;

/**
 * Reads what the leavers have: keys, tokens, repositories, organizations, open issues and review requests. Sends only reads.
 * `fault` is called for who is not there or cannot leave. `gone`: all who leave, with those of an earlier run.
 */
export async function planLeaving(
  http: Http,
  leavers: readonly Leaver[],
  gone: readonly string[],
  fault: Fault,
): Promise<readonly LeavePlan[]> {
  const lower = new Set(gone.map((name) => name.toLowerCase()));
  const me = await call(http, currentUserGet, {});
  const heirs = await readHeirs(http, leavers, lower, fault);
  const owners = once(async (org: string) => {
    const team = await findTeam(http, org, "Owners");
    const members = team === undefined ? [] : await collect(call(http, teamMemberList, { id: team.id }));
    return members.map(({ login }) => login);
  });
  const taken = once(async (heir: string) => {
    const repos = await collect(call(http, userRepoList, { username: heir }));
    return new Set(repos.map(({ name = "" }) => name.toLowerCase()));
  });

  const one = async (leaver: Leaver): Promise<LeavePlan> => {
    const nothing = { leaver, steps: [], stops: [], stays: [] };
    const user = await userOf(http, leaver.name);
    if (user === undefined) {
      fault(leaver.name, "is no user of the server");
      return nothing;
    }
    if (user.id === me.id) fault(leaver.name, "is the account that you are signed in with");
    const found = { ...leaver, name: user.login };
    const has = await read(http, user, leaver.isDeleted);
    const stops: string[] = [];
    for (const org of has.organizations) {
      const owning = await owners(org);
      const left = owning.filter((login) => !lower.has(login.toLowerCase()));
      if (owning.some((login) => isName(login, user.login)) && left.length === 0)
        stops.push(`last owner of ${org}: add another one with: tongs team member add ${org}/Owners USER`);
    }
    const heir = leaver.to === undefined ? undefined : heirs.get(leaver.to.toLowerCase());
    if (heir !== undefined) {
      const names = await taken(heir);
      for (const { name } of has.repositories) {
        if (names.has(name.toLowerCase())) stops.push(`${heir} already has or gets a repository named ${name}`);
        names.add(name.toLowerCase());
      }
    } else if (leaver.isDeleted && has.repositories.length > 0)
      stops.push(`owns repositories (${has.repositories.length}): hand them over with --to`);
    if (leaver.isDeleted && has.packages > 0)
      stops.push(`owns versions of packages (${has.packages}): delete them first`);
    return { leaver: { ...found, to: heir }, ...stepsOf(has, { ...found, to: heir }), stops };
  };
  const plans = await pMap(leavers, one, { concurrency: jobs });
  // Who cannot leave is named first.
  return [...plans.filter(({ stops }) => stops.length > 0), ...plans.filter(({ stops }) => stops.length === 0)];
}

/** Those who take over, by lower-case name, in the spelling of the server. */
async function readHeirs(
  http: Http,
  leavers: readonly Leaver[],
  gone: ReadonlySet<string>,
  fault: Fault,
): Promise<ReadonlyMap<string, string | undefined>> {
  const heirs = new Map<string, string | undefined>();
  for (const { name, to } of leavers) {
    const key = to?.toLowerCase();
    if (to === undefined || key === undefined || heirs.has(key)) continue;
    const user = gone.has(key) ? undefined : await userOf(http, to);
    if (gone.has(key)) fault(name, `is handed over to ${to}, who leaves, too`);
    else if (user === undefined) fault(name, `is handed over to ${to}, who is no user of the server`);
    else if (user.prohibit_login === true) fault(name, `is handed over to ${to}, who may not sign in`);
    heirs.set(key, user?.login);
  }
  return heirs;
}

/** The user of that name; undefined for none, for an organization and for an old name. */
async function userOf(http: Http, name: string): Promise<User | undefined> {
  const found = await findUser(http, name);
  return found === undefined || (await isOrganization(http, name)) ? undefined : found;
}

type Has = Awaited<ReturnType<typeof read>>;

/** What a user has. Issues and review requests are searched as the user: servers search them for the caller only. */
async function read(http: Http, user: User, isDeleted: boolean) {
  const username = user.login;
  const search = (query: { readonly assigned?: true; readonly review_requested?: true }) =>
    collect(call(http, issueSearch, { state: "open", type: undefined, ...query }, undefined, asUser(username)));
  const [keys, gpgKeys, tokens, organizations, repositories, assigned, reviews, packages] = await Promise.all([
    collect(call(http, userKeyList, { username })),
    collect(call(http, userGpgKeyList, { username })).catch(missing),
    collect(call(http, userTokenList, { username })).catch(missing),
    collect(call(http, userOrgList, { username })),
    collect(call(http, userRepoList, { username })),
    search({ assigned: true }),
    search({ review_requested: true }),
    // Only who is deleted must not own any.
    isDeleted ? collect(call(http, packageList, { owner: username })).catch(missing) : undefined,
  ]);
  return {
    user,
    keys,
    gpgKeys,
    tokens,
    organizations: organizations.map(({ username: login, name }) => login || name),
    repositories: repositories
      .filter(({ owner }) => isName(owner?.login, username))
      .map(({ name = "" }): RepoName => ({ owner: username, name })),
    // A proxy that drops the header Sudo would make them the administrator's own.
    assigned: assigned.filter(({ assignees }) => present(assignees).some(({ login }) => isName(login, username))),
    reviews,
    packages: packages?.length ?? 0,
  };
}

function missing(error: unknown): undefined {
  if (error instanceof UnknownOperationError) return undefined;
  throw error;
}

/** The steps, in their order: access ends first; what is handed over is looked up while the user can still see it. */
function stepsOf(has: Has, { to, isDeleted }: Leaver): Pick<LeavePlan, "steps" | "stays"> {
  const { user, keys, gpgKeys, tokens, organizations, repositories } = has;
  const stays: string[] = [];
  const handed: LeaveStep[] = [];
  const inRepo = (issue: Issue) => ({ repo: repoOf(issue), index: issue.number });
  if (to === undefined) {
    const left = [
      ["repositories", repositories.length],
      ["assigned issues and pull requests", has.assigned.length],
      ["review requests", has.reviews.length],
    ].flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]));
    if (left.length > 0) stays.push(`what --to would hand over (${left.join(", ")})`);
  } else {
    const assigned = has.assigned.map((issue): LeaveStep => {
      return { step: issue.pull_request ? "pull request" : "issue", ...inRepo(issue) };
    });
    const reviews = has.reviews.map((issue): LeaveStep => ({ step: "review", ...inRepo(issue) }));
    const isOwn = (step: LeaveStep) => "repo" in step && isName(step.repo.owner, user.login);
    const moved = (step: LeaveStep) => ("repo" in step ? { ...step, repo: { ...step.repo, owner: to } } : step);
    const all = [...assigned, ...reviews];
    // Nobody can be assigned in a private repository before it is theirs.
    handed.push(
      ...all.filter((step) => !isOwn(step)),
      ...repositories.map((repo): LeaveStep => ({ step: "repository", repo })),
      ...all.filter(isOwn).map(moved),
    );
  }
  if (tokens === undefined && !isDeleted) stays.push("tokens, which only end with the sign-in on this server");
  const titled = (id: number, title: string | undefined) => ({ id, title: title || "key" });
  return {
    stays,
    steps: [
      ...(user.prohibit_login === true ? [] : [{ step: "block" } as const]),
      ...keys.map(({ id, title }): LeaveStep => ({ step: "key", ...titled(id, title) })),
      ...(gpgKeys ?? []).map(({ id, key_id: title }): LeaveStep => ({ step: "gpg key", ...titled(id, title) })),
      ...(tokens ?? []).map(({ id, name }): LeaveStep => ({ step: "token", ...titled(id, name) })),
      ...handed,
      ...organizations.map((org): LeaveStep => ({ step: "organization", org })),
      ...(isDeleted ? [{ step: "delete" } as const] : []),
    ],
  };
}

function repoOf({ repository }: Issue): RepoName {
  const { owner, name } = parseRepo(repository?.full_name ?? "");
  return { owner, name };
}

/** Reads for each key once. */
function once<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? read(key);
    known.set(key, found);
    return found;
  };
}
