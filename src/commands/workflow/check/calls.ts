import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isString } from "@actions/workflow-parser";
import type { Report } from "./finding.ts";
import type { Reference } from "./references.ts";
import { didYouMean } from "./rules.ts";
import { actionFiles } from "./servers.ts";
import { type Declared, isOfType, type Job, type Step, type Word, type Workflow } from "./workflow.ts";

/** Reads a file without reporting what is wrong with it; undefined if it is no workflow and no action. */
export type ReadCalled = (path: string) => Promise<Workflow | undefined>;

/**
 * The file in the clone that `uses` names: a workflow, or that of an action which is none of a Dockerfile. Undefined if it is
 * elsewhere or is not there.
 */
export function calledFile(uses: string, isWorkflow: boolean, top: string): string | undefined {
  if (!/^\.\.?\//.test(uses) || uses.includes("${{")) return undefined;
  const full = join(top, uses);
  if (relative(top, full).split(sep)[0] === "..") return undefined;
  const paths = isWorkflow ? [full] : actionFiles.map((name) => join(full, name));
  return paths.find((path) => existsSync(path));
}

/** The file that is checked, the clone that it is in, and how others of it are read. */
export interface Caller {
  readonly path: string | undefined;
  readonly top: string;
  readonly read: ReadCalled;
}

/**
 * Compares what local workflows and actions are given, and what is read of their outputs, with what they declare, and finds
 * calls that come back to the file.
 */
export async function checkCalls(workflow: Workflow, caller: Caller, report: Report): Promise<void> {
  const { jobs, references } = workflow;
  const { top, read } = caller;
  const load = async (uses: Word | undefined, isWorkflow: boolean) => {
    const path = uses && calledFile(uses.text, isWorkflow, top);
    return path === undefined ? undefined : read(path);
  };
  const outputsOf = new Map<Job, readonly string[]>();
  for (const job of jobs) {
    const called = await load(job.uses, true);
    if (job.uses !== undefined && called?.kind === "workflow") {
      checkCall({ ...job, uses: job.uses }, called.declared, report);
      if (called.declared?.outputs !== undefined) outputsOf.set(job, called.declared.outputs);
    }
    const outputsOfStep = new Map<string, readonly string[]>();
    for (const step of job.steps) {
      const action = step.uses && (await load(step.uses, false));
      if (step.uses === undefined || action?.kind !== "action") continue;
      checkCall({ ...step, uses: step.uses, secrets: undefined }, action.declared, report);
      if (step.id !== undefined && action.declared?.outputs) outputsOfStep.set(step.id, action.declared.outputs);
    }
    for (const one of job.references) checkOutput(one, "steps", (id) => outputsOfStep.get(id), report);
  }
  const ofJob = (id: string) => {
    const job = jobs.find((one) => one.id.toLowerCase() === id);
    return job && outputsOf.get(job);
  };
  for (const one of jobs.flatMap((job) => job.references)) checkOutput(one, "needs", ofJob, report);
  for (const one of references) checkOutput(one, "jobs", ofJob, report);
  await checkCircles(workflow, caller, report);
}

/** A call of a file of the clone. */
interface LocalCall {
  readonly uses: Word;
  readonly path: string;
  /** Whether it depends on a condition. */
  readonly isConditional: boolean;
}

function localCalls({ jobs }: Workflow, top: string): readonly LocalCall[] {
  const callOf = ({ uses, isConditional }: Pick<Step, "uses" | "isConditional">, isWorkflow: boolean) => {
    const path = uses && calledFile(uses.text, isWorkflow, top);
    return uses === undefined || path === undefined ? [] : [{ uses, path, isConditional }];
  };
  return jobs.flatMap((job) => [...callOf(job, true), ...job.steps.flatMap((step) => callOf(step, false))]);
}

/** Finds calls that lead back to the file: without a condition, they have no end. */
async function checkCircles(workflow: Workflow, { path, top, read }: Caller, report: Report): Promise<void> {
  const returns = async (from: LocalCall, isTaken: (call: LocalCall) => boolean): Promise<boolean> => {
    const paths = new Set(isTaken(from) ? [from.path] : []);
    // Grows by what each file calls.
    for (const one of paths) {
      if (one === path) return true;
      const called = await read(one);
      for (const next of called === undefined ? [] : localCalls(called, top)) if (isTaken(next)) paths.add(next.path);
    }
    return false;
  };
  // What cannot be called is in no circle.
  if (workflow.declared === undefined) return;
  for (const call of localCalls(workflow, top)) {
    const { uses } = call;
    const what =
      call.path === path ? `${uses.text} is this file, which calls itself` : `${uses.text} calls this file again`;
    if (await returns(call, ({ isConditional }) => !isConditional))
      report.error("call", uses.at, `${what}, without end`);
    else if (await returns(call, () => true)) report.warning("call", uses.at, `${what}, unless a condition ends that`);
  }
}

type Call = Pick<Step, "with"> & { readonly uses: Word } & Pick<Job, "secrets">;

/** What is required is an error; servers ignore what is not declared. */
function checkCall(call: Call, declared: Declared | undefined, report: Report): void {
  const { uses } = call;
  if (declared === undefined) {
    report.error("call", uses.at, `${uses.text} cannot be called: it has no workflow_call`);
    return;
  }
  for (const { text, value } of call.with) {
    const type = declared.inputs.get(text.toLowerCase())?.type;
    if (!isOfType(value, type))
      report.warning(
        "call",
        value.range?.start,
        `The input '${text}' of ${uses.text} is a ${type}, not ${isString(value) ? "the text " : ""}'${value}'`,
      );
  }
  const compare = (what: string, known: Declared["inputs"], given: readonly Word[]) => {
    const names = [...known.values()].map(({ name }) => name);
    for (const { text, at } of given) {
      const isOfDocker = declared.secrets === undefined && ["args", "entrypoint"].includes(text.toLowerCase());
      if (!known.has(text.toLowerCase()) && !isOfDocker)
        report.warning("call", at, `${uses.text} has no ${what} '${text}'${didYouMean(text, names)}`);
    }
    for (const [key, { name, isRequired }] of known) {
      const isGiven = given.some(({ text }) => text.toLowerCase() === key);
      if (isRequired && !isGiven) report.error("call", uses.at, `${uses.text} needs the ${what} '${name}'`);
    }
  };
  compare("input", declared.inputs, call.with);
  // Without a list, it gets all secrets.
  if (declared.secrets !== undefined && call.secrets !== undefined) compare("secret", declared.secrets, call.secrets);
}

function checkOutput(
  { context, name, rest: [part, output], at }: Reference,
  of: "needs" | "jobs" | "steps",
  outputs: (id: string) => readonly string[] | undefined,
  report: Report,
): void {
  if (context.toLowerCase() !== of || typeof name !== "string" || part?.toLowerCase() !== "outputs") return;
  const known = outputs(name.toLowerCase());
  if (known === undefined || typeof output !== "string" || known.includes(output.toLowerCase())) return;
  const message = `${of}.${name}.outputs.${output}: what it calls has no output '${output}'${didYouMean(output, known)}`;
  report.error(of, at, message);
}
