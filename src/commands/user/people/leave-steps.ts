import type { ServerContext } from "../../../app/context.ts";
import { Failure } from "../../../failure/failure.ts";
import { editUser, userDelete, userKeyDelete } from "../../../forge/admin-users.ts";
import { changeAssignees } from "../../../forge/assign.ts";
import { collaboratorCheck, collaboratorRemove } from "../../../forge/collaborators.ts";
import { issueGet } from "../../../forge/issues.ts";
import { gpgKeyDelete } from "../../../forge/keys.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { orgMemberCheck, orgMemberRemove } from "../../../forge/orgs.ts";
import { type PullRequest, pullGet } from "../../../forge/pulls.ts";
import { repoTransfer } from "../../../forge/repo-settings.ts";
import { repoGet } from "../../../forge/repos.ts";
import { reviewerRemove, reviewerRequest } from "../../../forge/reviews.ts";
import { findTeam, teamMemberList } from "../../../forge/teams.ts";
import { userTokenDelete } from "../../../forge/tokens.ts";
import { isOrganization, maySignIn, sentAs, userGet } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { DeniedError, HttpError, InvalidError, ifFound, isFound } from "../../../http/errors.ts";
import { commandOn } from "../../../profiles/server.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { present } from "../../../shape/shape.ts";
import type { Outcome } from "./outcome.ts";

/** One step of somebody who leaves, as data: the journal keeps it. */
export type LeaveStep =
  | { readonly step: "block" | "delete" }
  | {
      readonly step: "issue" | "pull request" | "review";
      readonly repo: RepoName;
      readonly index: number;
      /** Whether an earlier run tried it and failed, after which whoever leaves may not be assigned any more. */
      readonly failed?: true;
    }
  | { readonly step: "repository" | "collaborator"; readonly repo: RepoName }
  | { readonly step: "organization"; readonly org: string; readonly teams?: readonly string[] }
  | { readonly step: "key" | "gpg key" | "token"; readonly id: number; readonly title: string };

/** A step as it is printed; of an organization with the teams, which nothing else keeps. */
export function describe(step: LeaveStep): Pick<Outcome, "step" | "target" | "reason"> {
  const target = targetOf(step);
  const teams = "teams" in step ? step.teams : [];
  return {
    step: step.step,
    ...(target === undefined ? {} : { target }),
    ...(teams.length === 0 ? {} : { reason: `${teams.length === 1 ? "team" : "teams"} ${teams.join(", ")}` }),
  };
}

function targetOf(step: LeaveStep): string | undefined {
  if ("index" in step) return `${fullName(step.repo)}#${step.index}`;
  if ("repo" in step) return fullName(step.repo);
  if ("org" in step) return step.org;
  return "id" in step ? `${step.title} (${step.id})` : undefined;
}

/**
 * Whether a step is left out after others of the same person failed. Servers unassign who loses access, so nobody does
 * before what is assigned to them there is handed over: they cannot sign in anyway. A review request stays without access
 * (docs/server-differences.md, "Reviews"), so only the deletion waits for it.
 */
export function waitsFor(step: LeaveStep, failed: readonly LeaveStep[]): boolean {
  if (step.step === "delete") return failed.length > 0;
  const left = failed.flatMap((one) => (one.step === "issue" || one.step === "pull request" ? [one.repo] : []));
  if (step.step === "organization") return left.some(({ owner }) => isName(owner, step.org));
  return step.step === "collaborator" && left.some((repo) => isName(fullName(repo), fullName(step.repo)));
}

/** Somebody who leaves, and who takes over. */
export interface Leaving {
  readonly name: string;
  readonly to: string | undefined;
}

export const isName = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase();

/** The users who take over the repositories of those who leave, by lower-case name. */
export type Heirs = ReadonlyMap<string, string | undefined>;

/**
 * Makes a step so, and returns whether it was not so already, or `gone` if what it is about was deleted meanwhile. An earlier run
 * may have done it: what is there is read first, unless what is gone answers 404.
 */
export async function takeStep(
  { http, server }: Pick<ServerContext, "http" | "server">,
  step: LeaveStep,
  { name, to }: Leaving,
  heirs: Heirs,
): Promise<boolean | "gone"> {
  switch (step.step) {
    case "block": {
      const user = await call(http, userGet, { username: name });
      if (user.prohibit_login === true) return false;
      await editUser(http, user, { prohibit_login: true });
      return true;
    }
    case "key":
      return isFound(call(http, userKeyDelete, { username: name, id: step.id }));
    case "gpg key":
      return isFound(call(http, gpgKeyDelete, { id: step.id }, undefined, sentAs(name)));
    case "token":
      return isFound(call(http, userTokenDelete, { username: name, token: step.id }));
    case "organization":
      if (!(await call(http, orgMemberCheck, { org: step.org, username: name }))) return false;
      await call(http, orgMemberRemove, { org: step.org, username: name });
      return true;
    case "collaborator": {
      const readRepo = (repo: RepoName) => call(http, repoGet, { repo });
      for (let attempt = 1; ; attempt += 1) {
        const found = await existing(step.repo, { name, to, heirs }, readRepo);
        if (found === undefined) return "gone";
        const repo = parseRepo(found.is.full_name);
        if (await call(http, collaboratorCheck, { repo, collaborator: name })) {
          await call(http, collaboratorRemove, { repo, collaborator: name });
          return true;
        }
        // The answer is the same where the repository was handed over meanwhile, and its owner deleted.
        const still = await ifFound(readRepo(repo));
        if (still?.full_name === found.is.full_name) return false;
        if (attempt === 3) throw new Failure("refused", `${fullName(repo)} is handed over at the same time`);
      }
    }
    case "delete":
      return isFound(call(http, userDelete, { username: name }));
    case "repository":
      return handRepository(http, step.repo, required(to));
    case "review": {
      const found = await existing(step.repo, { name, to, heirs }, (repo) =>
        call(http, pullGet, { repo, index: step.index }),
      );
      if (found === undefined) return "gone";
      return handReview({ http, server }, found, { name, to }, heirs);
    }
    default: {
      const { index } = step;
      const found = await existing(step.repo, { name, to, heirs }, (repo) => call(http, issueGet, { repo, index }));
      if (found === undefined) return "gone";
      // What is closed stays with whoever had it, as in a plan.
      if (found.is.state === "closed") return false;
      const { repo } = found;
      const assigned = async () => present((await call(http, issueGet, { repo, index })).assignees);
      const has = (all: Awaited<ReturnType<typeof assigned>>, who: string) =>
        all.some(({ login }) => isName(login, who));
      const heir = required(to);
      const before = present(found.is.assignees);
      // Nobody at all is what a write that failed halfway leaves, or only the others.
      const isOpen = before.length === 0 || (step.failed === true && !has(before, heir));
      if (!has(before, name) && !isOpen) return false;
      const kind = step.step === "issue" ? "issues" : "pulls";
      // What an attempt before this one has done is not sent again: its answer could be lost each time.
      const change = { add: has(before, heir) ? [] : [heir], remove: [name] };
      await changeAssignees(http, repo, index, change, kind).catch(async (error: unknown) => {
        if (!(error instanceof HttpError)) throw error;
        const now = await assigned();
        if (has(now, name) || has(now, heir)) throw error;
        const left = now.length === 0 ? "nobody is" : `neither ${name} nor ${heir} is`;
        throw new Failure(error.code, `${error.message}; ${left} assigned now`, { cause: error });
      });
      return true;
    }
  }
}

function required(to: string | undefined): string {
  if (to === undefined) throw new Error("a step that hands over has nobody to hand to");
  return to;
}

/**
 * What is read in a repository, which may have been handed over and its owner deleted, which ends the redirect; undefined if it
 * was deleted. Throws for what `to` does not have yet.
 */
async function existing<T>(
  repo: RepoName,
  { name, to, heirs }: Leaving & { readonly heirs: Heirs },
  read: (repo: RepoName) => Promise<T>,
): Promise<{ readonly repo: RepoName; readonly is: T } | undefined> {
  const found = await ifFound(read(repo));
  if (found !== undefined) return { repo, is: found };
  const isOfHeir = isName(repo.owner, to);
  const owner = isOfHeir ? name : heirs.get(repo.owner.toLowerCase());
  const moved = owner === undefined ? undefined : { ...repo, owner };
  const there = moved && (await ifFound(read(moved)));
  if (moved === undefined || there === undefined) return undefined;
  if (isOfHeir) throw new Failure("refused", `${fullName(moved)} is not handed over yet`);
  return { repo: moved, is: there };
}

/** After the transfer, the old name redirects to the new owner's repository. */
async function handRepository(http: Http, repo: RepoName, to: string): Promise<boolean | "gone"> {
  const found = await ifFound(call(http, repoGet, { repo }));
  if (found === undefined) return "gone";
  if (isName(found.owner?.login, to)) return false;
  const moved = await call(http, repoTransfer, { repo }, { new_owner: to });
  if (isName(moved.owner?.login, to)) return true;
  throw new Failure("refused", `${to} has to accept ${fullName(repo)} first`);
}

/** The author of a pull request cannot be asked to review it. A refusal names the command that does it as somebody who may. */
async function handReview(
  context: Pick<ServerContext, "http" | "server">,
  { repo, is: pull }: { readonly repo: RepoName; readonly is: PullRequest },
  leaving: Leaving,
  heirs: Heirs,
): Promise<boolean> {
  const { http } = context;
  const handing = handingOf(pull, leaving);
  if (handing === undefined) return false;
  const { name, to, index, adds } = handing;
  try {
    if (adds) await call(http, reviewerRequest, { repo, index }, { reviewers: [to] });
    await call(http, reviewerRemove, { repo, index }, { reviewers: [name] });
  } catch (error) {
    if (!(error instanceof DeniedError || error instanceof InvalidError)) throw error;
    const way = await reviewWay(context, repo, handing, heirs);
    throw new Failure(error.code, `${error.message}; ${way}`, { cause: error });
  }
  return true;
}

/** A review request that is handed over, and whether the heir is asked first. */
interface Handing {
  readonly name: string;
  readonly to: string;
  readonly index: number;
  readonly adds: boolean;
}

/** What is to be handed over in a pull request; undefined if whoever leaves is not asked for a review any more. */
export function handingOf(pull: PullRequest, { name, to }: Leaving): Handing | undefined {
  const asked = present(pull.requested_reviewers).map(({ login }) => login);
  if (!asked.some((login) => isName(login, name))) return undefined;
  const heir = required(to);
  const adds = !asked.some((login) => isName(login, heir)) && !isName(pull.user?.login, heir);
  return { name, to: heir, index: pull.number, adds };
}

/**
 * How a review request is handed over as somebody who may: the owner of a user's repository, or an owner of the organization.
 * The author of the pull request may, too, but can be gone or without access.
 */
export async function reviewWay(
  { http, server }: Pick<ServerContext, "http" | "server">,
  repo: RepoName,
  { name, to, index, adds }: Handing,
  heirs: Heirs,
): Promise<string> {
  const owner = heirs.get(repo.owner.toLowerCase()) ?? repo.owner;
  const ownerOfOrg = async () => {
    const team = await findTeam(http, owner, "Owners");
    const members = team === undefined ? [] : present(await collect(call(http, teamMemberList, { id: team.id })));
    return members.find((one) => maySignIn(one) && !heirs.has(one.login.toLowerCase()))?.login;
  };
  const who = (await isOrganization(http, owner)) ? await ownerOfOrg() : owner;
  const reviewers = `${adds ? `--add-reviewer ${to} ` : ""}--remove-reviewer ${name}`;
  const line = `tongs pr edit ${index} -R ${fullName(repo)} ${reviewers} --sudo ${who ?? "USER"}`;
  return `to do it as somebody who may, run: ${commandOn(server, line)}`;
}
