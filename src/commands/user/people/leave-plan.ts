import pMap from "p-map";
import type { ServerContext } from "../../../app/context.ts";
import { collaboratorList } from "../../../forge/collaborators.ts";
import { type Issue, issueSearch } from "../../../forge/issues.ts";
import { userGpgKeyList, userKeyList } from "../../../forge/keys.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { packageList } from "../../../forge/packages.ts";
import { orgRepoList, ownRepoList, repoGet, userRepoList } from "../../../forge/repos.ts";
import { findTeam, ownTeamList, teamMemberList } from "../../../forge/teams.ts";
import { userTokenList } from "../../../forge/tokens.ts";
import {
  currentUserGet,
  isOrganization,
  maySignIn,
  orgName,
  sentAs,
  type User,
  userOrgList,
} from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { DeniedError, isFound, UnknownOperationError } from "../../../http/errors.ts";
import { commandOn, type Server } from "../../../profiles/server.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { present } from "../../../shape/shape.ts";
import { once } from "../../../system/concurrency.ts";
import { findUser } from "../import/existing-users.ts";
import { otherAccount } from "./account-now.ts";
import { isName, type LeaveStep, type Leaving } from "./leave-steps.ts";

/** Somebody who is to leave, as it was asked for. */
export interface Leaver extends Leaving {
  readonly isDeleted: boolean;
  /** The ID of the account, once it was read: the name can become that of another one. */
  readonly id?: number | undefined;
  /** That of who takes over. */
  readonly heirId?: number | undefined;
}

/** What is done for somebody who leaves. */
export interface LeavePlan {
  readonly leaver: Leaver;
  readonly steps: readonly LeaveStep[];
  /** Why nothing is done. */
  readonly stops: readonly string[];
  /** What stays. */
  readonly stays: readonly string[];
  /** Whether the account is gone since an earlier run read it. */
  readonly isGone?: boolean;
}

/** Adds what is wrong with a person of the input. */
export type Fault = (name: string, what: string) => void;

const jobs = 8;

/** What to do about a leaver who was renamed. */
export const renamedWay = "offboard that name with another --journal";

/** Why nothing is handed over, as the name and what it is: another account than the one that was planned for. */
export async function otherHeir(
  http: Http,
  { to, heirId }: Pick<Leaver, "to" | "heirId">,
): Promise<string | undefined> {
  if (to === undefined || heirId === undefined) return undefined;
  const way = "rename it back, or hand over to that name with another --journal";
  const other = await otherAccount(http, await findUser(http, to), heirId, way);
  if (other === undefined) return undefined;
  return `${to}, who ${other === "gone" ? "is no user or organization of the server any more" : other}`;
}

/** Whether a user can read a repository, OWNER/NAME. */
export type Reads = (user: string, repo: string) => Promise<boolean>;

/** Asks the server as the user, once for each repository. */
export function readsAs(http: Http): Reads {
  return once(
    (user, repo) => `${user} ${repo}`,
    (user, repo) => isVisible(call(http, repoGet, { repo: parseRepo(repo) }, undefined, sentAs(user))),
  );
}

/** Why somebody is not assigned: servers assign only who can read the repository. */
function noAccess(server: Server, heir: string, what: string, repo: string): string {
  const add = commandOn(server, `tongs repo collaborator add ${heir} -R ${repo} --permission read`);
  return `${heir} cannot take over ${what} of ${repo} without access to it: run ${add}`;
}

/**
 * The steps that an earlier run left and that cannot be taken now, with the reason: who takes over lost the access to the
 * repository since then. `gone`: all who leave.
 */
export async function heldSteps(
  { server }: Pick<ServerContext, "server">,
  steps: readonly LeaveStep[],
  to: string | undefined,
  gone: readonly Leaver[],
  reads: Reads,
): Promise<ReadonlyMap<LeaveStep, string>> {
  if (to === undefined) return new Map();
  const heirs = new Map(gone.map((one) => [one.name.toLowerCase(), one.to]));
  const held = await pMap(
    steps,
    async (step) => {
      // It is the heir's own by then.
      if (!("index" in step) || isName(step.repo.owner, to) || isName(heirs.get(step.repo.owner.toLowerCase()), to))
        return [];
      const repo = fullName(step.repo);
      return (await reads(to, repo)) ? [] : [[step, noAccess(server, to, `the ${step.step}`, repo)] as const];
    },
    { concurrency: jobs },
  );
  return new Map(held.flat());
}

/** Who takes over. An organization takes only repositories: nobody else can be assigned or asked for a review. */
interface Heir {
  readonly login: string;
  readonly id: number | undefined;
  readonly isOrganization: boolean;
}

/**
 * Reads what the leavers have: keys, tokens, repositories, organizations, open issues and review requests. Sends only reads.
 * `fault` is called for who is not there or cannot leave. `gone`: all who leave, with those of an earlier run. `ids`: their
 * accounts and those of who takes over, as an earlier run read them, by lower-case name.
 */
export async function planLeaving(
  { http, server }: ServerContext,
  leavers: readonly Leaver[],
  gone: readonly Leaver[],
  fault: Fault,
  reads: Reads,
  ids: ReadonlyMap<string, number>,
): Promise<readonly LeavePlan[]> {
  const lower = new Set(gone.map(({ name }) => name.toLowerCase()));
  const heirOf = new Map(gone.map(({ name, to }) => [name.toLowerCase(), to]));
  const me = await call(http, currentUserGet, {});
  const heirs = await readHeirs(http, leavers, lower, fault, ids);
  const owners = once(String, async (org: string) => {
    const team = await findTeam(http, org, "Owners");
    return team === undefined ? [] : present(await collect(call(http, teamMemberList, { id: team.id })));
  });
  const taken = async ({ login, isOrganization }: Heir) => {
    const repos = isOrganization
      ? call(http, orgRepoList, { org: login })
      : call(http, userRepoList, { username: login });
    return new Set((await collect(repos)).map(({ name = "" }) => name.toLowerCase()));
  };
  const collaborators = once(String, async (repo: string) => {
    const found = await collect(call(http, collaboratorList, { repo: parseRepo(repo) }));
    return present(found).map(({ login }) => login);
  });
  const unreadable = async ({ assigned, reviews, user }: Has, heir: string): Promise<string[]> => {
    const counts = new Map<string, number>();
    for (const { repository } of [...assigned, ...reviews]) {
      const { owner, name } = parseRepo(repository?.full_name ?? "");
      // It is the heir's own by then.
      if (isName(owner, user.login) || isName(heirOf.get(owner.toLowerCase()), heir)) continue;
      counts.set(`${owner}/${name}`, (counts.get(`${owner}/${name}`) ?? 0) + 1);
    }
    const all = await pMap(
      counts,
      async ([repo, count]) => {
        if (await reads(heir, repo)) return [];
        const what = count === 1 ? "1 issue or pull request" : `${count} issues and pull requests`;
        return [noAccess(server, heir, what, repo)];
      },
      { concurrency: jobs },
    );
    return all.flat();
  };

  const one = async (leaver: Leaver): Promise<Candidate> => {
    const nothing = { plan: { leaver, steps: [], stops: [], stays: [] }, heir: undefined, repositories: [] };
    const user = await userOf(http, leaver.name);
    const other = await otherAccount(http, user, ids.get(leaver.name.toLowerCase()), renamedWay);
    if (other === "gone") return { ...nothing, plan: { ...nothing.plan, isGone: true } };
    if (user === undefined || other !== undefined) {
      fault(leaver.name, other ?? "is no user of the server");
      return nothing;
    }
    if (user.id === me.id) fault(leaver.name, "is the account that you are signed in with");
    const has = await read(http, user, leaver.isDeleted, collaborators);
    const stops: string[] = [];
    for (const org of has.organizations) {
      const owning = await owners(org);
      const left = owning.filter(({ login }) => !lower.has(login.toLowerCase()));
      if (!owning.some(({ login }) => isName(login, user.login)) || left.some(maySignIn)) continue;
      const what =
        left.length === 0
          ? `last owner of ${org}`
          : `${left.map(({ login }) => login).join(", ")}, left as owner of ${org}, may not sign in`;
      stops.push(`${what}: add another one with: ${commandOn(server, `tongs team member add ${org}/Owners USER`)}`);
    }
    const heir = leaver.to === undefined ? undefined : heirs.get(leaver.to.toLowerCase());
    if (heir !== undefined && !heir.isOrganization) stops.push(...(await unreadable(has, heir.login)));
    if (heir === undefined && leaver.isDeleted && has.repositories.length > 0)
      stops.push(`owns repositories (${has.repositories.length}): hand them over with --to`);
    if (leaver.isDeleted && has.packages > 0)
      stops.push(`owns versions of packages (${has.packages}): delete them first`);
    const found = { ...leaver, name: user.login, to: heir?.login, id: user.id, heirId: heir?.id };
    const plan = { leaver: found, ...stepsOf(has, found, heir), stops };
    return { plan, heir, repositories: has.repositories };
  };
  const candidates = await pMap(leavers, one, { concurrency: jobs });
  const names = new Map<string, Set<string>>();
  // Of those who are stopped anyway, the heir gets nothing.
  for (const { plan, heir, repositories } of candidates) {
    if (heir === undefined || plan.stops.length > 0) continue;
    const has = names.get(heir.login) ?? (await taken(heir));
    names.set(heir.login, has);
    for (const { owner, name } of repositories) {
      if (!has.has(name.toLowerCase())) continue;
      const rename = commandOn(server, `tongs repo rename NEW-NAME -R ${owner}/${name}`);
      plan.stops.push(`${heir.login} already has or gets a repository named ${name}: rename it with: ${rename}`);
    }
    if (plan.stops.length === 0) for (const { name } of repositories) has.add(name.toLowerCase());
  }
  const plans = candidates.map(({ plan }) => plan);
  // Who cannot leave is named first.
  return [...plans.filter(({ stops }) => stops.length > 0), ...plans.filter(({ stops }) => stops.length === 0)];
}

interface Candidate {
  readonly plan: LeavePlan & { readonly stops: string[] };
  readonly heir: Heir | undefined;
  readonly repositories: readonly RepoName[];
}

/** Whether it is there for the user who asks; what is refused for another reason is known when it is tried. */
function isVisible(request: Promise<unknown>): Promise<boolean> {
  return isFound(request).catch((error: unknown) => {
    if (error instanceof DeniedError) return true;
    throw error;
  });
}

/** Those who take over, by lower-case name, in the spelling of the server. */
async function readHeirs(
  http: Http,
  leavers: readonly Leaver[],
  gone: ReadonlySet<string>,
  fault: Fault,
  ids: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Heir | undefined>> {
  const heirs = new Map<string, Heir | undefined>();
  for (const { to } of leavers) {
    const key = to?.toLowerCase();
    if (to === undefined || key === undefined || heirs.has(key)) continue;
    const user = gone.has(key) ? undefined : await findUser(http, to);
    const state = (): string | undefined => {
      if (gone.has(key)) return "leaves, too";
      if (user === undefined) return "is no user or organization of the server";
      return user.prohibit_login === true ? "may not sign in" : undefined;
    };
    const other = gone.has(key) ? undefined : await otherHeir(http, { to, heirId: ids.get(key) });
    const is = state();
    const why = other ?? (is && `${to}, who ${is}`);
    for (const one of why === undefined ? [] : leavers)
      if (isName(one.to, to)) fault(one.name, `is handed over to ${why}`);
    const isOrg = user !== undefined && (await isOrganization(http, user.login));
    heirs.set(key, user === undefined ? undefined : { login: user.login, id: user.id, isOrganization: isOrg });
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
async function read(
  http: Http,
  user: User,
  isDeleted: boolean,
  collaborators: (repo: string) => Promise<readonly string[]>,
) {
  const username = user.login;
  const isCollaborator = async ({ full_name: repo }: { readonly full_name: string }) =>
    (await collaborators(repo)).some((login) => isName(login, username));
  const collaborations = async () => {
    const all = await collect(call(http, ownRepoList, {}, undefined, sentAs(username)));
    const found = all.filter(({ owner }) => !isName(owner?.login, username));
    const isShared = await pMap(found, isCollaborator, { concurrency: jobs });
    return found.filter((_, index) => isShared[index]);
  };
  const search = (query: { readonly assigned?: true; readonly review_requested?: true }) =>
    collect(call(http, issueSearch, { state: "open", type: undefined, ...query }, undefined, sentAs(username)));
  const [keys, gpgKeys, tokens, organizations, teams, repositories, shared, assigned, reviews, packages] =
    await Promise.all([
      collect(call(http, userKeyList, { username })),
      collect(call(http, userGpgKeyList, { username })).catch(missing),
      collect(call(http, userTokenList, { username })).catch(missing),
      collect(call(http, userOrgList, { username })),
      collect(call(http, ownTeamList, {}, undefined, sentAs(username))),
      collect(call(http, userRepoList, { username })),
      collaborations(),
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
    organizations: organizations.map(orgName),
    teams: present(teams),
    shared: shared.map(({ full_name }) => parseRepo(full_name)),
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
function stepsOf(has: Has, { to, isDeleted }: Leaver, heir: Heir | undefined): Pick<LeavePlan, "steps" | "stays"> {
  const { user, keys, gpgKeys, tokens, organizations, teams, repositories, shared } = has;
  const stays: string[] = [];
  const handed: LeaveStep[] = [];
  const inRepo = (issue: Issue) => ({ repo: repoOf(issue), index: issue.number });
  const isNobody = to === undefined || heir?.isOrganization === true;
  if (isNobody) {
    const left = [
      ["repositories", to === undefined ? repositories.length : 0],
      ["assigned issues and pull requests", has.assigned.length],
      ["review requests", has.reviews.length],
    ].flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]));
    const why = to === undefined ? "what --to would hand over" : `what only a user of --to could take over, not ${to}`;
    // Servers unassign who loses access.
    const until = organizations.length + shared.length > 0 ? ", as far as the server keeps it without access" : "";
    if (left.length > 0) stays.push(`${why} (${left.join(", ")})${until}`);
  }
  if (to !== undefined) {
    const assigned = isNobody
      ? []
      : has.assigned.map((issue): LeaveStep => {
          return { step: issue.pull_request ? "pull request" : "issue", ...inRepo(issue) };
        });
    const reviews = isNobody ? [] : has.reviews.map((issue): LeaveStep => ({ step: "review", ...inRepo(issue) }));
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
  const teamsOf = (org: string) =>
    teams.filter(({ organization }) => isName(organization?.name, org)).map(({ name }) => name);
  const titled = (id: number, title: string | undefined) => ({ id, title: title || "key" });
  return {
    stays,
    steps: [
      ...(user.prohibit_login === true ? [] : [{ step: "block" } as const]),
      ...keys.map(({ id, title }): LeaveStep => ({ step: "key", ...titled(id, title) })),
      ...(gpgKeys ?? []).map(({ id, key_id: title }): LeaveStep => ({ step: "gpg key", ...titled(id, title) })),
      ...(tokens ?? []).map(({ id, name }): LeaveStep => ({ step: "token", ...titled(id, name) })),
      ...handed,
      ...shared.map((repo): LeaveStep => ({ step: "collaborator", repo })),
      ...organizations.map((org): LeaveStep => ({ step: "organization", org, teams: teamsOf(org) })),
      ...(isDeleted ? [{ step: "delete" } as const] : []),
    ],
  };
}

function repoOf({ repository }: Issue): RepoName {
  const { owner, name } = parseRepo(repository?.full_name ?? "");
  return { owner, name };
}
