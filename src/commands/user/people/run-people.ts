import { existsSync } from "node:fs";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import {
  completeLines,
  type Entry,
  openJournalFile,
  refuseUnfinished,
  unwrittenJournalFile,
} from "../../../app/rows/journal-file.ts";
import { currentUser } from "../../../app/shared.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import { Failure } from "../../../failure/failure.ts";
import { watchWrites } from "../../../failure/ignored.ts";
import { DryRun } from "../../../http/debug.ts";
import { asFailure } from "../../../output/report-failure.ts";
import { flagOf } from "../../../profiles/choose.ts";
import { accountLabel, addressText } from "../../../profiles/server.ts";
import { runRows } from "../rows/run-rows.ts";
import { type Outcome, outcomeColumns } from "./outcome.ts";

/** `3 users done, 1 failed`: the people by how they ended. */
function peopleText(ends: ReadonlyMap<string, number>): string {
  const parts = [...ends].map(([action, count], index) => {
    const noun = count === 1 ? "user" : "users";
    return index === 0 ? `${count} ${noun} ${action}` : `${count} ${action}`;
  });
  return parts.join(", ");
}

/** What is done for one person: steps as data, which the journal keeps. */
export interface PersonPlan<S> {
  readonly name: string;
  readonly steps: readonly S[];
  /** Why nothing is done. */
  readonly stops: readonly string[];
  /** What stays as it is. */
  readonly stays: readonly string[];
  /** What else the journal keeps of it. */
  readonly kept?: object;
  /** The steps that cannot be taken now, with the reason. */
  readonly held?: ReadonlyMap<S, string>;
  /** Whether an earlier run began: the steps are those that are left. */
  readonly isBegun?: boolean;
}

/** A plan for people, and how a step is made so. */
export interface People<S> {
  /** `offboarding`, `offboarded`. */
  readonly words: { readonly by: string; readonly noun: string; readonly did: string };
  readonly plans: readonly PersonPlan<S>[];
  readonly describe: (step: S) => Pick<Outcome, "step" | "target" | "reason">;
  /** Returns whether it was not so already, or that what it is about was deleted meanwhile. */
  readonly take: (step: S, plan: PersonPlan<S>) => Promise<boolean | "gone">;
  /** Why nothing is done for somebody after all; called before the first step. */
  readonly changed?: (plan: PersonPlan<S>) => Promise<string | undefined>;
  /** Whether a step is left out after others of the same person failed. */
  readonly waits: (step: S, failed: readonly S[]) => boolean;
}

/** Prints the steps of each person, those who are stopped first. */
export async function printPlan<S>(
  { plans, describe, waits }: Pick<People<S>, "plans" | "describe" | "waits">,
  { out }: Pick<BaseContext, "out">,
): Promise<ExitName | undefined> {
  const rows = plans.flatMap((plan): Outcome[] => [
    ...stopped(plan),
    ...(plan.stops.length > 0 ? [] : foretold(plan, { describe, waits })),
  ]);
  const take = async function* () {
    yield* rows;
  };
  await out.list({ take, total: undefined }, outcomeColumns, { unlimited: true, lists: ["step", "steps"] });
  for (const { name, stays, stops } of plans)
    if (stops.length === 0 && stays.length > 0) out.note(`${name} keeps ${stays.join(", ")}`);
  const steps = rows.filter(({ action }) => action === "plan").length;
  const count = plans.filter(({ stops }) => stops.length > 0).length;
  const held = plans.filter((plan) => (plan.held?.size ?? 0) > 0).length;
  const users = `${plans.length} ${plans.length === 1 ? "user" : "users"}`;
  out.note(
    `Plan: ${users}, ${steps === 1 ? "1 step" : `${steps} steps`}${count + held === 0 ? "" : `, ${count + held} stopped`}; nothing was changed.`,
  );
  return exitOf(plans.length, count, held);
}

/** The steps as they would be taken: some cannot be, and others wait for them. */
function foretold<S>(plan: PersonPlan<S>, { describe, waits }: Pick<People<S>, "describe" | "waits">): Outcome[] {
  const held: S[] = [];
  return plan.steps.map((step): Outcome => {
    const about = { user: plan.name, ...describe(step) };
    const reason = plan.held?.get(step);
    const one: Outcome | undefined = reason === undefined ? undefined : { ...about, action: "stopped", reason };
    if (one !== undefined) held.push(step);
    if (one !== undefined) return one;
    return held.length > 0 && waits(step, held)
      ? { ...about, action: "stopped", reason: waiting }
      : { ...about, action: "plan" };
  });
}

const waiting = "a step before it failed";

function stopped<S>({ name, stops }: PersonPlan<S>): Outcome[] {
  return stops.map((reason) => ({ user: name, step: "stop", action: "stopped", reason }));
}

/** `refused` if nobody could be worked on, `partly` if somebody could not. */
function exitOf(all: number, stops: number, failed: number): ExitName | undefined {
  if (stops > 0 && stops === all) return "refused";
  return stops + failed > 0 ? "partly" : undefined;
}

/** The journal of people, and what it has of an earlier run. */
export interface PeopleJournal {
  readonly path: string;
  readonly hash: string;
  readonly resume: boolean;
  readonly kept: unknown;
  readonly continuing: string;
}

/** The server that a journal is of, and the flag that selects the one of another journal. */
export function journalServer({ server, profiles }: Pick<ServerContext & BaseContext, "server" | "profiles">) {
  return { host: addressText(server.base), flagOf: (other: string) => flagOf(profiles.read(), other) };
}

/** The default path of a journal, or if that is the journal of another server, one with the name of this one. */
export function journalAt(
  path: string,
  words: People<unknown>["words"],
  { server: { base }, profiles }: Pick<ServerContext & BaseContext, "server" | "profiles">,
): { readonly path: string; readonly other?: string } {
  const own = path.replace(/\.journal$/, `.${base.host.replace(":", "-")}.journal`);
  if (existsSync(own) || !existsSync(path)) return { path: existsSync(own) ? own : path };
  const host = completeLines(path, words)[0]?.["host"];
  if (host === undefined || host === addressText(base)) return { path };
  const flag = flagOf(profiles.read(), String(host));
  return { path: own, other: `${path} is the journal of ${String(host)}. To continue there, pass ${flag}.` };
}

/** What the journal of an earlier run has: those who are finished, and of those who are not, the steps that are left. */
export function readEarlier(entries: readonly Entry[]) {
  const done = new Set<string>();
  const plans = new Map<string, Entry>();
  const taken = new Map<string, Set<unknown>>();
  const failures = new Map<string, Set<unknown>>();
  for (const entry of entries) {
    const { begin, took, failed, step, end, action } = entry;
    if (typeof begin === "string") {
      plans.set(begin.toLowerCase(), entry);
      taken.set(begin.toLowerCase(), new Set());
      failures.set(begin.toLowerCase(), new Set());
    }
    if (typeof took === "string") taken.get(took.toLowerCase())?.add(step);
    if (typeof failed === "string") failures.get(failed.toLowerCase())?.add(step);
    if (typeof end === "string" && action === "done") done.add(end.toLowerCase());
  }
  const left = [...plans].map(([name, entry]): [string, Entry] => {
    const { steps } = entry;
    if (!Array.isArray(steps)) return [name, entry];
    const all: readonly unknown[] = steps;
    const left = all.flatMap((step, index) => {
      if (taken.get(name)?.has(index) === true) return [];
      return [failures.get(name)?.has(index) === true ? Object.assign({ failed: true }, step) : step];
    });
    return [name, { ...entry, steps: left }];
  });
  return { done, plans: new Map(left) };
}

/** Opens the journal; `--dry-run` writes none. */
export function openPeopleJournal(
  { path, hash, resume, kept, continuing }: PeopleJournal,
  words: People<unknown>["words"],
  { server, system, options, profiles }: BaseContext & ServerContext,
) {
  const about = { ...words, ...journalServer({ server, profiles }), hash, resume, kept, now: system.now };
  if (!options.dryRun && !resume) refuseUnfinished(path, about, continuing);
  return options.dryRun ? unwrittenJournalFile(path, about) : openJournalFile(path, about);
}

/**
 * Takes the steps of each person in their order, several people at a time. A plan is in the journal before its first step; a
 * step that fails keeps only those from being taken that wait for it.
 */
export async function runPeople<S>(
  { words, plans, describe, take, waits, changed }: People<S>,
  journal: ReturnType<typeof openPeopleJournal>,
  { path, continuing }: PeopleJournal,
  context: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const { out, server, system } = context;
  const ends = new Map<string, number>();
  const soFar = () => peopleText(ends);

  const whyNot = (plan: PersonPlan<S>) =>
    changed?.(plan).catch((error: unknown) => {
      if (!(error instanceof Failure) || system.signal.aborted) throw error;
      return error.message;
    });

  async function work(planned: PersonPlan<S>) {
    const since = planned.stops.length === 0 && planned.steps.length > 0 ? await whyNot(planned) : undefined;
    const plan = since === undefined ? planned : { ...planned, stops: [since] };
    if (plan.stops.length > 0)
      return { outcomes: stopped(plan), recorded: journal.add({ end: plan.name, action: "stopped" }) };
    await journal.add({ begin: plan.name, steps: plan.steps, ...plan.kept });
    const outcomes: Outcome[] = [];
    const failed: S[] = [];
    for (const [index, step] of plan.steps.entries()) {
      const about = { user: plan.name, ...describe(step) };
      if (failed.length > 0 && waits(step, failed)) {
        outcomes.push({ ...about, action: "stopped", reason: waiting });
        continue;
      }
      const held = plan.held?.get(step);
      if (held !== undefined) {
        failed.push(step);
        outcomes.push({ ...about, action: "failed", reason: held });
        continue;
      }
      try {
        const { value, failure } = await watchWrites(() => take(step, plan));
        if (failure !== undefined) throw failure;
        if (value === "gone") outcomes.push({ ...about, action: "unchanged", reason: "is gone" });
        else outcomes.push({ ...about, action: value ? "done" : "unchanged" });
        await journal.add({ took: plan.name, step: index });
      } catch (error) {
        if (error instanceof DryRun || system.signal.aborted) throw error;
        if (error instanceof Failure && error.code === "disk") throw error;
        failed.push(step);
        outcomes.push({ ...about, action: "failed", reason: asFailure(error).message });
        await journal.add({ failed: plan.name, step: index });
      }
    }
    const action = failed.length > 0 ? "failed" : "done";
    return { outcomes, recorded: journal.add({ end: plan.name, action }) };
  }

  const isPrinted = await runRows<PersonPlan<S>, Outcome>(
    {
      rows: plans,
      count: plans.length,
      did: words.did,
      jobs: undefined,
      async work(plan) {
        const worked = await work(plan);
        const has = (action: Outcome["action"]) => worked.outcomes.some((one) => one.action === action);
        const ended = has("failed") ? "failed" : has("done") || plan.isBegun === true ? words.did : "unchanged";
        const isStopped = worked.outcomes.some(({ step }) => step === "stop");
        const end = isStopped ? "stopped" : ended;
        ends.set(end, (ends.get(end) ?? 0) + 1);
        return worked;
      },
      columns: outcomeColumns,
      onOutcome: ({ user, step, target = "", action, reason = "" }) =>
        action === "failed" || action === "stopped" ? `${[user, step, target].join(" ").trim()}: ${reason}` : undefined,
      async complete() {
        if (!ends.has("stopped") && !ends.has("failed")) await journal.finish();
      },
      close: () => journal.close(),
      soFar,
      journal: path,
      continuing,
    },
    context,
  );
  for (const { name, stays, stops } of plans)
    if (stops.length === 0 && stays.length > 0) out.note(`${name} keeps ${stays.join(", ")}`);
  const exit = exitOf(plans.length, ends.get("stopped") ?? 0, ends.get("failed") ?? 0);
  // The environment has no name of the user.
  const user = await currentUser(context).catch((error: unknown) => {
    // What was done is said anyway.
    if (error instanceof Failure) return undefined;
    throw error;
  });
  const result = `${plans.length === 0 ? "Nothing to do" : soFar()} ${accountLabel({ ...server, user })}`;
  if (exit === undefined) {
    await out.done(result);
    return isPrinted ? undefined : "failure";
  }
  out.note(result);
  out.note(`To try again, run: ${continuing}`);
  return exit;
}
