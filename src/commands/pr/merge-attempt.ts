import type { PullRequest } from "../../forge/pulls.ts";
import { HttpError } from "../../http/errors.ts";
import { NoAnswerError } from "../../http/no-answer-error.ts";
import { type Conflict, conflictOf, listed } from "./conflicts.ts";
import { conflict, explainConflict, type MergeTry, notAllowed, unmapped } from "./merge-refusals.ts";
import { type PullContext, pullName, refused, refuseEnded } from "./subject.ts";

/** The longest that is waited while the server works out whether it can be merged, in milliseconds. */
const longestWait = 15_000;
/** Without git's judgement: how long `mergeable` must stay false before files changed on both sides count as a conflict. */
const settled = 3_000;
/** Nothing was pushed for so long, so that no check can be under way. */
const quiet = 20_000;

/** What came of a merge. */
export type Outcome = "merged" | "scheduled";

/**
 * Merges, and tries again while the server works out whether that is possible. Its "try again later" also stands for
 * two things that waiting does not mend (api-facts 2, 2.1): those are refused at once.
 */
export async function attemptMerge(context: PullContext, tried: MergeTry): Promise<Outcome> {
  const { forge, repo, system, out } = context;
  const wait = patience(context);
  for (;;) {
    try {
      return (await forge.pulls.merge(repo, tried.number, tried.body)) === 201 ? "scheduled" : "merged";
    } catch (error) {
      if (!saysTryAgain(error)) return afterRefusal(context, tried, error);
    }
    let pull = await forge.pulls.get(repo, tried.number);
    for (;;) {
      await refuseHopeless(context, pull, wait);
      if (wait.waited() === 0) out.note(`${pullName(context, tried.number)} is being checked; trying again`);
      await wait.pause(system.signal);
      if (pull.mergeable) break;
      pull = await forge.pulls.get(repo, tried.number);
    }
  }
}

function saysTryAgain(error: unknown): boolean {
  return error instanceof HttpError && error.status === 405 && /try again later/i.test(error.serverMessage);
}

/** Keeps the time: pauses that grow, and a judgement of conflicts for each pair of commits. */
interface Patience {
  waited(): number;
  pause(signal: AbortSignal): Promise<void>;
  conflict(pull: PullRequest): Promise<Conflict>;
}

function patience(context: PullContext): Patience {
  const { system } = context;
  const start = system.now().getTime();
  const known = new Map<string, Promise<Conflict>>();
  let paused = 0;
  let next = 300;
  return {
    waited: () => (paused === 0 ? 0 : Math.max(paused, system.now().getTime() - start)),
    async pause(signal) {
      await system.sleep(next, signal);
      paused += next;
      next = Math.min(next * 1.5, 2_000);
    },
    conflict(pull) {
      const pair = `${pull.base?.sha} ${pull.head?.sha}`;
      const found = known.get(pair) ?? conflictOf(context, pull);
      known.set(pair, found);
      return found;
    },
  };
}

/** Throws when waiting cannot help, or has lasted long enough. */
async function refuseHopeless(context: PullContext, pull: PullRequest, wait: Patience): Promise<void> {
  const name = pullName(context, pull.number);
  refuseEnded(pull, name);
  if (pull.head?.sha && pull.merge_base === pull.head.sha) {
    const hint = "Push commits to its head branch, or close it.";
    throw refused("nothing_to_merge", `${name} has nothing to merge: its head is in ${pull.base?.ref} already`, hint);
  }
  if (!pull.mergeable) {
    const { certain, files } = await wait.conflict(pull);
    if (certain === "yes") throw conflict(name, pull.number, files);
    const decided = wait.waited() >= settled || isQuiet(pull, context.system.now());
    if (certain === "unknown" && files.length > 0 && decided) {
      const message = `${name} conflicts with its base by all signs: the server finds it not mergeable`;
      const hint = `Changed on both sides: ${listed(files)}\nResolve it on the branch, then push: tongs pr checkout ${pull.number}`;
      throw refused("conflict", message, hint);
    }
  }
  if (wait.waited() < longestWait) return;
  const message = `The server has not worked out whether ${name} can be merged`;
  throw refused("still_checking", message, `Waited ${longestWait / 1000} s; try again later.`);
}

function isQuiet(pull: PullRequest, now: Date): boolean {
  const times = [pull.updated_at, pull.base?.repo?.updated_at, pull.head?.repo?.updated_at];
  const last = Math.max(...times.map((time) => (time == null ? 0 : Date.parse(time))));
  return now.getTime() - last > quiet;
}

/** Finds out what an error means; it may even be a success. */
async function afterRefusal(context: PullContext, tried: MergeTry, error: unknown): Promise<Outcome> {
  if (error instanceof NoAnswerError && error.progress === "sent") return afterSilence(context, tried, error);
  if (!(error instanceof HttpError)) throw error;
  if (error.status === 404) {
    refuseEnded(await context.forge.pulls.get(context.repo, tried.number), pullName(context, tried.number));
    throw error;
  }
  if (error.status === 405) throw await notAllowed(context, tried, error);
  if (error.status === 409) throw await explainConflict(context, tried, error);
  if (error.status !== 403 && error.status !== 500) throw error;
  // Forgejo fails with these when only the deletion of the head branch failed (api-facts 0.1 row 14).
  const pull = await context.forge.pulls.get(context.repo, tried.number).catch(() => undefined);
  if (pull?.merged) {
    context.out.warn(`The head branch was not deleted${error.serverMessage === "" ? "" : `: ${error.serverMessage}`}`);
    return "merged";
  }
  throw (error.status === 500 && pull && (await unmapped(context, tried, pull, error))) || error;
}

/** The answer was lost: asks whether the merge took place, and never sends it twice. */
async function afterSilence(context: PullContext, tried: MergeTry, error: NoAnswerError): Promise<Outcome> {
  const pull = await context.forge.pulls.get(context.repo, tried.number).catch(() => undefined);
  if (pull === undefined) throw error;
  if (!pull.merged) throw error;
  context.out.warn(`${error.message}; but it is merged`);
  return "merged";
}
