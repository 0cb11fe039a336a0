import pMap from "p-map";
import type { ServerContext } from "../../../app/context.ts";
import { userByIdSearch } from "../../../forge/account.ts";
import { emailSearch } from "../../../forge/admin-users.ts";
import { collaboratorList } from "../../../forge/collaborators.ts";
import { type Issue, issueSearch } from "../../../forge/issues.ts";
import { userGpgKeyList, userKeyList } from "../../../forge/keys.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { packageList } from "../../../forge/packages.ts";
import { ownRepoList, repoGet, userRepoList } from "../../../forge/repos.ts";
import { ownersOf, ownTeamList } from "../../../forge/teams.ts";
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
import { present, setTime } from "../../../shape/shape.ts";
import { once } from "../../../system/concurrency.ts";
import { grouped } from "../../../text/grouped.ts";
import { safeLine } from "../../../text/safe.ts";
import { findAccount, findUser } from "../import/look-up.ts";
import { isName, type LeaveStep, type Leaving, type Successors } from "./leave-steps.ts";

/** A user to offboard, as requested. */
export interface Leaver extends Leaving {
  readonly isDeleted: boolean;
  /** Must be that of the account, if the file has one. */
  readonly email?: string | undefined;
}

/** What is done for a user who leaves. */
export interface LeavePlan {
  readonly leaver: Leaver;
  /** The account, for the question: full name, address, ID and last sign-in. */
  readonly account: string;
  readonly steps: readonly LeaveStep[];
  /** Why nothing is done. */
  readonly stops: readonly string[];
  /** Whether there is no account to delete: `deleted` if one with its ID or address is not there, either; `unknown` without them. */
  readonly missing?: "deleted" | "unknown";
  /** What is not changed. */
  readonly unchanged: readonly string[];
}

/** Adds what is wrong with a person of the input. */
export type Fault = (name: string, what: string) => void;

const jobs = 8;

const unknownName = "no user of the server has this name; if an earlier run deleted the account, nothing is left to do";

/** Why a user is not assigned: servers only assign users who can read the repository. */
function noAccess(server: Server, successor: string, what: string, repo: string): string {
  const add = commandOn(server, `tongs repo collaborator add ${successor} -R ${repo} --permission read`);
  return `${successor} cannot take over ${what} of ${repo} without access to it: run ${add}`;
}

/** A successor. An organization takes over only repositories: it cannot be assigned or asked for a review. */
interface Successor {
  readonly login: string;
  readonly isOrganization: boolean;
}

/**
 * Reads what the leavers have: keys, tokens, repositories, organizations, open issues and review requests. Sends only reads.
 * `fault` is called for users who do not exist or cannot leave.
 */
export async function planLeaving(
  { http, server }: ServerContext,
  leavers: readonly Leaver[],
  successorOf: Successors,
  fault: Fault,
): Promise<readonly LeavePlan[]> {
  const me = await call(http, currentUserGet, {});
  const successors = await readSuccessors(http, leavers, successorOf, fault);
  const owners = once(String, (org: string) => ownersOf(http, org));
  const collaborators = once(String, async (repo: string) => {
    const found = await collect(call(http, collaboratorList, { repo: parseRepo(repo) }));
    return present(found).map(({ login }) => login);
  });
  const reads = once(
    (user, repo) => `${user} ${repo}`,
    (user: string, repo: string) => isVisible(call(http, repoGet, { repo: parseRepo(repo) }, undefined, sentAs(user))),
  );
  /** The repositories with work to hand over that the successor cannot read, with the count of it. */
  const unreadable = async ({ assigned, reviews }: Has, successor: string) => {
    const byRepo = [...grouped([...assigned, ...reviews], (issue) => fullName(repoOf(issue)))];
    const readable = await pMap(byRepo, ([repo]) => reads(successor, repo), { concurrency: jobs });
    return byRepo.filter((_, index) => readable[index] === false);
  };

  const one = async (leaver: Leaver): Promise<LeavePlan> => {
    const empty = { leaver, account: leaver.name, steps: [], stops: [], unchanged: [] };
    const { user, login } = await findAccount(http, leaver.name);
    if (user === undefined) {
      const now = login ?? (await findElsewhere(http, leaver));
      if (now !== undefined && !isName(now, leaver.name)) fault(leaver.name, `is named ${now} now`);
      else if (now !== undefined || !leaver.isDeleted) fault(leaver.name, "is no user of the server");
      // An earlier run can have deleted it.
      const isKnown = leaver.id !== undefined || leaver.email !== undefined;
      return isKnown ? { ...empty, missing: "deleted" } : { ...empty, stops: [unknownName], missing: "unknown" };
    }
    const isOther = leaver.id !== undefined && leaver.id !== user.id;
    if (isOther || (leaver.email !== undefined && !isName(leaver.email, user.email)))
      fault(leaver.name, `is another account: id ${user.id}, email ${user.email}`);
    if (user.id === me.id) fault(leaver.name, "is the account that you are signed in with");
    const has = await read(http, user, leaver.isDeleted, collaborators);
    const stops: string[] = [];
    for (const org of has.organizations) {
      const owning = await owners(org);
      const left = owning.filter(({ login }) => !successorOf.has(login.toLowerCase()));
      if (!owning.some(({ login }) => isName(login, user.login)) || left.some(maySignIn)) continue;
      const what =
        left.length === 0
          ? `last owner of ${org}`
          : `${left.map(({ login }) => login).join(", ")}, left as owner of ${org}, may not sign in`;
      stops.push(`${what}: add another one with: ${commandOn(server, `tongs team member add ${org}/Owners USER`)}`);
    }
    const successor = leaver.to === undefined ? undefined : successors.get(leaver.to.toLowerCase());
    const unread = successor?.isOrganization === false ? await unreadable(has, successor.login) : [];
    // Repositories that the successor takes over; access to them can be given.
    const isTaken = ([repo]: readonly [string, readonly Issue[]]) =>
      isName(successorOf.get(parseRepo(repo).owner.toLowerCase()), leaver.to);
    for (const [repo, { length: count }] of unread.filter((one) => !isTaken(one))) {
      const what = count === 1 ? "1 issue or pull request" : `${count} issues and pull requests`;
      stops.push(noAccess(server, successor?.login ?? "", what, repo));
    }
    if (successor === undefined && leaver.isDeleted && has.repositories.length > 0)
      stops.push(`owns repositories (${has.repositories.length}): hand them over with --to`);
    if (leaver.isDeleted && has.packages > 0)
      stops.push(`owns versions of packages (${has.packages}): delete them first`);
    const found = { ...leaver, name: user.login, id: user.id, to: successor?.login };
    const taken = unread.filter(isTaken).map(([repo]) => parseRepo(repo));
    return { leaver: found, account: accountText(user), ...stepsOf(has, found, successor, taken), stops };
  };
  const plans = await pMap(leavers, one, { concurrency: jobs });
  // Who cannot leave is named first.
  return [...plans.filter(({ stops }) => stops.length > 0), ...plans.filter(({ stops }) => stops.length === 0)];
}

/** The name of the account that has the ID or the address of a user. */
async function findElsewhere(http: Http, { id, email }: Leaver): Promise<string | undefined> {
  const { data } = id === undefined ? { data: [] } : await call(http, userByIdSearch, { uid: id });
  const sameId = present(data).find((user) => user.id === id);
  if (sameId !== undefined || email === undefined) return sameId?.login;
  const emails = await collect(call(http, emailSearch, { q: email }));
  return emails.find((found) => isName(found.email, email))?.username;
}

/** Whether it is there for the user who asks; what is refused for another reason is known when it is tried. */
function isVisible(request: Promise<unknown>): Promise<boolean> {
  return isFound(request).catch((error: unknown) => {
    if (error instanceof DeniedError) return true;
    throw error;
  });
}

/** The account in one line: `jonas (Jonas Berg, jonas@example.org, id 12, last sign-in 2026-03-01)`. */
function accountText({ login, full_name, email, id, last_login }: User): string {
  const last = setTime(last_login)?.slice(0, 10);
  const signIn = last === undefined ? "never signed in" : `last sign-in ${last}`;
  const parts = [full_name, email, `id ${id}`, signIn].filter((part) => part !== undefined && part !== "");
  return safeLine(`${login} (${parts.join(", ")})`);
}

/** The successors, by lower-case name, in the spelling of the server. */
async function readSuccessors(
  http: Http,
  leavers: readonly Leaver[],
  gone: Successors,
  fault: Fault,
): Promise<ReadonlyMap<string, Successor | undefined>> {
  const successors = new Map<string, Successor | undefined>();
  for (const { to } of leavers) {
    const key = to?.toLowerCase();
    if (to === undefined || key === undefined || successors.has(key)) continue;
    const user = gone.has(key) ? undefined : await findUser(http, to);
    const state = (): string | undefined => {
      if (gone.has(key)) return "leaves";
      if (user === undefined) return "is no user or organization of the server";
      return user.prohibit_login === true ? "may not sign in" : undefined;
    };
    const is = state();
    const why = is && `${to}, who ${is}`;
    for (const one of why === undefined ? [] : leavers)
      if (isName(one.to, to)) fault(one.name, `is handed over to ${why}`);
    const isOrg = user !== undefined && (await isOrganization(http, user.login));
    successors.set(key, user === undefined ? undefined : { login: user.login, isOrganization: isOrg });
  }
  return successors;
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

/**
 * The steps, in their order: access ends first. Own repositories go to the successor with nothing left to hand over in them: the
 * leaver, as whom assigned issues are found, cannot read private ones afterwards. `unread`: those to which the successor gets access.
 */
function stepsOf(
  has: Has,
  { to, isDeleted }: Leaver,
  successor: Successor | undefined,
  unread: readonly RepoName[],
): Pick<LeavePlan, "steps" | "unchanged"> {
  const { user, keys, gpgKeys, tokens, organizations, teams, repositories, shared } = has;
  const unchanged: string[] = [];
  const handed: LeaveStep[] = [];
  const inRepo = (issue: Issue) => ({ repo: repoOf(issue), index: issue.number });
  const isNobody = to === undefined || successor?.isOrganization === true;
  if (isNobody) {
    const left = [
      ["repositories", to === undefined ? repositories.length : 0],
      ["assigned issues and pull requests", has.assigned.length],
      ["review requests", has.reviews.length],
    ].flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]));
    const why = to === undefined ? "what --to would hand over" : `what only a user of --to could take over, not ${to}`;
    // Servers unassign who loses access.
    const until = organizations.length + shared.length > 0 ? ", as far as the server keeps it without access" : "";
    if (left.length > 0) unchanged.push(`${why} (${left.join(", ")})${until}`);
  }
  if (to !== undefined) {
    const assigned = isNobody
      ? []
      : has.assigned.map((issue): LeaveStep => {
          return { step: issue.pull_request ? "pull request" : "issue", ...inRepo(issue) };
        });
    const reviews = isNobody ? [] : has.reviews.map((issue): LeaveStep => ({ step: "review", ...inRepo(issue) }));
    handed.push(
      ...unread.map((repo): LeaveStep => ({ step: "grant", repo })),
      ...assigned,
      ...reviews,
      ...repositories.map((repo): LeaveStep => ({ step: "repository", repo })),
    );
  }
  if (tokens === undefined && !isDeleted) unchanged.push("tokens, which work again if the account is unblocked");
  const teamsOf = (org: string) =>
    teams.filter(({ organization }) => isName(organization?.name, org)).map(({ name }) => name);
  const titled = (id: number, title: string | undefined) => ({ id, title: title || "key" });
  return {
    unchanged,
    steps: [
      ...(user.prohibit_login === true ? [] : [{ step: "block" } as const]),
      ...(user.is_admin === true && !isDeleted ? [{ step: "administrator" } as const] : []),
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
