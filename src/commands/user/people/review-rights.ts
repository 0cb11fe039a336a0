import pMap from "p-map";
import type { ServerContext } from "../../../app/context.ts";
import { collaboratorCheck } from "../../../forge/collaborators.ts";
import { call } from "../../../forge/operation.ts";
import { orgMemberCheck } from "../../../forge/orgs.ts";
import { pullGet } from "../../../forge/pulls.ts";
import { refusesForeignReviewers } from "../../../forge/reviews.ts";
import { currentUserGet, isOrganization } from "../../../forge/users.ts";
import { ifFound } from "../../../http/errors.ts";
import { fullName, type RepoName } from "../../../repo/repo-name.ts";
import { once } from "../../../system/concurrency.ts";
import type { LeavePlan, Leaver } from "./leave-plan.ts";
import { handingOf, isName, type LeaveStep, reviewWay, type Successors } from "./leave-steps.ts";

/** The plans with the review requests that the server will not let the caller hand over, each with the command that does it. */
export async function checkReviewRights(
  context: ServerContext,
  plans: readonly LeavePlan[],
  successors: Successors,
): Promise<readonly LeavePlan[]> {
  const { http } = context;
  if (!plans.some(({ steps }) => steps.some(({ step }) => step === "review"))) return plans;
  if (!(await refusesForeignReviewers(http))) return plans;
  const { login: me } = await call(http, currentUserGet, {});
  const keyOf = (repo: RepoName) => fullName(repo).toLowerCase();
  const hasPart = once(keyOf, (repo) => readPart(context, repo, me));
  const why = async (step: LeaveStep, leaver: Leaver): Promise<readonly [LeaveStep, string][]> => {
    if (step.step !== "review") return [];
    const { index } = step;
    const pull = await ifFound(call(http, pullGet, { repo: step.repo, index }));
    const handing = pull && handingOf(pull, leaver);
    if (handing === undefined || isName(pull?.user?.login, me) || (await hasPart(step.repo))) return [];
    return [[step, `${me} cannot choose reviewers there; ${await reviewWay(context, step.repo, handing, successors)}`]];
  };
  return pMap(
    plans,
    async (plan) => {
      if (plan.stops.length > 0) return plan;
      const stopped = await pMap(plan.steps, (step) => why(step, plan.leaver), { concurrency: 8 });
      return { ...plan, stopped: new Map(stopped.flat()) };
    },
    { concurrency: 8 },
  );
}

/** Whether somebody is the owner or a collaborator of a repository, or a member of its organization. */
async function readPart({ http }: ServerContext, repo: RepoName, login: string): Promise<boolean> {
  if (isName(repo.owner, login) || (await call(http, collaboratorCheck, { repo, collaborator: login }))) return true;
  if (!(await isOrganization(http, repo.owner))) return false;
  return call(http, orgMemberCheck, { org: repo.owner, username: login });
}
