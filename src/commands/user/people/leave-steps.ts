import type { ServerContext } from "../../../app/context.ts";
import { Failure } from "../../../failure/failure.ts";
import { editUser, userDelete, userKeyDelete } from "../../../forge/admin-users.ts";
import { changeAssignees } from "../../../forge/assign.ts";
import { collaboratorAdd, collaboratorCheck, collaboratorRemove } from "../../../forge/collaborators.ts";
import { issueGet } from "../../../forge/issues.ts";
import { gpgKeyDelete } from "../../../forge/keys.ts";
import { call, find } from "../../../forge/operation.ts";
import { orgMemberCheck, orgMemberRemove } from "../../../forge/orgs.ts";
import { type PullRequest, pullGet } from "../../../forge/pulls.ts";
import { repoTransfer } from "../../../forge/repo-settings.ts";
import { repoGet } from "../../../forge/repos.ts";
import { reviewerRemove, reviewerRequest } from "../../../forge/reviews.ts";
import { userTokenDelete } from "../../../forge/tokens.ts";
import { sentAs, userGet } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { DeniedError, InvalidError, ifFound, isFound } from "../../../http/errors.ts";
import { commandOn } from "../../../profiles/server.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { present } from "../../../shape/shape.ts";
import type { Outcome } from "./outcome.ts";

/** One step of offboarding a user. */
export type LeaveStep =
  | { readonly step: "block" | "administrator" | "delete" }
  | { readonly step: "issue" | "pull request" | "review"; readonly repo: RepoName; readonly index: number }
  | { readonly step: "grant" | "repository" | "collaborator"; readonly repo: RepoName }
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

/** A step that failed; without a failure if it was not tried. */
export interface FailedStep {
  readonly step: LeaveStep;
  readonly failure?: Failure | undefined;
}

/**
 * Whether a step waits for others of the same user that failed. Nothing is done for a user who could not be blocked. Servers
 * unassign who loses access, and what is left is searched as the leaver, so access is only removed after everything is handed
 * over, but for review requests that the server refuses to hand over, and goes on refusing.
 */
export function waitsFor(step: LeaveStep, failed: readonly FailedStep[]): boolean {
  if (failed.length > 0 && (step.step === "delete" || failed[0]?.step.step === "block")) return true;
  const isRefused = ({ step: { step }, failure }: FailedStep) =>
    step === "review" && failure?.exit !== "noAnswer" && failure?.exit !== "serverFailed";
  const left = failed.flatMap((one) => ("index" in one.step && !isRefused(one) ? [one.step.repo] : []));
  const isOf = (repo: RepoName) => (one: RepoName) => isName(fullName(one), fullName(repo));
  if (step.step === "organization") return left.some(({ owner }) => isName(owner, step.org));
  if (step.step === "collaborator") return left.some(isOf(step.repo));
  return step.step === "repository" && failed.some(({ step: one }) => "index" in one && isOf(step.repo)(one.repo));
}

/** A user who leaves, and the successor. */
export interface Leaving {
  readonly name: string;
  /** The ID of the account. */
  readonly id?: number | undefined;
  readonly to: string | undefined;
}

export const isName = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase();

/** The successors of those who leave, by lower-case name. */
export type Successors = ReadonlyMap<string, string | undefined>;

/**
 * Takes a step. Returns whether something changed, or `gone` if its subject was deleted in the meantime.
 */
export async function takeStep(
  { http, server }: Pick<ServerContext, "http" | "server">,
  step: LeaveStep,
  { name, id, to }: Leaving,
  successors: Successors,
): Promise<boolean | "gone"> {
  switch (step.step) {
    case "block": {
      const user = await call(http, userGet, { username: name });
      if (id !== undefined && user.id !== id)
        throw new Failure(
          "refused",
          `${name} is another account now (id ${user.id}, was ${id}): nothing was done for either`,
        );
      await editUser(http, user, { prohibit_login: true });
      return true;
    }
    case "administrator":
      await editUser(http, await call(http, userGet, { username: name }), { admin: false });
      return true;
    case "grant":
      await call(http, collaboratorAdd, { repo: step.repo, collaborator: required(to) }, { permission: "read" });
      return true;
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
        const found = await existing(step.repo, successors, readRepo);
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
      const found = await existing(step.repo, successors, (repo) => call(http, pullGet, { repo, index: step.index }));
      if (found === undefined) return "gone";
      return handReview({ http, server }, found, { name, to });
    }
    default: {
      const { index } = step;
      const found = await existing(step.repo, successors, (repo) => call(http, issueGet, { repo, index }));
      if (found === undefined) return "gone";
      // What is closed stays with whoever had it, as in a plan.
      if (found.is.state === "closed") return false;
      const assigned = present(found.is.assignees).map(({ login }) => login);
      const successor = required(to);
      if (!assigned.some((login) => isName(login, name))) return false;
      const add = assigned.some((login) => isName(login, successor)) ? [] : [successor];
      await changeAssignees(
        http,
        found.repo,
        index,
        { add, remove: [name] },
        step.step === "issue" ? "issues" : "pulls",
      );
      return true;
    }
  }
}

function required(to: string | undefined): string {
  if (to === undefined) throw new Error("a step that hands over has nobody to hand to");
  return to;
}

/** What a step is about: at the repository's name, or at that of its new owner, if another user who leaves owned it. */
async function existing<T>(
  repo: RepoName,
  successors: Successors,
  read: (repo: RepoName) => Promise<T>,
): Promise<{ readonly repo: RepoName; readonly is: T } | undefined> {
  const found = await ifFound(read(repo));
  if (found !== undefined) return { repo, is: found };
  const owner = successors.get(repo.owner.toLowerCase());
  const moved = owner === undefined ? undefined : await ifFound(read({ ...repo, owner }));
  return owner === undefined || moved === undefined ? undefined : { repo: { ...repo, owner }, is: moved };
}

/** After the transfer, the old name redirects to the new owner's repository. */
async function handRepository(http: Http, repo: RepoName, to: string): Promise<boolean | "gone"> {
  const found = await find(http, repoGet, { repo });
  if (found === undefined) return "gone";
  if (isName(found.owner?.login, to)) return false;
  const moved = await call(http, repoTransfer, { repo }, { new_owner: to });
  if (isName(moved.owner?.login, to)) return true;
  throw new Failure("refused", `${to} has to accept ${fullName(repo)} first`);
}

/** The author of a pull request cannot be asked to review it. A refusal names the command that does it as somebody who may. */
async function handReview(
  { http, server }: Pick<ServerContext, "http" | "server">,
  { repo, is: pull }: { readonly repo: RepoName; readonly is: PullRequest },
  { name, to }: Leaving,
): Promise<boolean> {
  const index = pull.number;
  const asked = present(pull.requested_reviewers).map(({ login }) => login);
  if (!asked.some((login) => isName(login, name))) return false;
  const successor = required(to);
  const adds = ![...asked, pull.user?.login].some((login) => isName(login, successor));
  try {
    if (adds) await call(http, reviewerRequest, { repo, index }, { reviewers: [successor] });
    await call(http, reviewerRemove, { repo, index }, { reviewers: [name] });
  } catch (error) {
    if (!(error instanceof DeniedError || error instanceof InvalidError)) throw error;
    const reviewers = `${adds ? `--add-reviewer ${successor} ` : ""}--remove-reviewer ${name}`;
    const way = commandOn(server, `tongs pr edit ${index} -R ${fullName(repo)} ${reviewers} --sudo USER`);
    throw new Failure(error.code, `${error.message}; to do it as somebody who may, run: ${way}`, { cause: error });
  }
  return true;
}
