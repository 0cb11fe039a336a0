import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { didYouMean, type Report } from "./finding.ts";
import { actionFiles } from "./servers.ts";
import type { Parameters, Word, Workflow } from "./workflow.ts";

/** What the jobs of a workflow and their steps use; `at`: which step of the job, none for a workflow. */
export const usesIn = ({ jobs }: Workflow) =>
  jobs.flatMap((job) =>
    [job, ...job.steps].flatMap(({ uses }, at) => (uses ? [{ uses, job, at: at - 1, isWorkflow: at === 0 }] : [])),
  );

export const anyOfAction = [...actionFiles, "Dockerfile"];

/** Whether `uses` names a path in the clone. */
export const isLocal = (uses: string): boolean => /^\.\.?(\/|$)/.test(uses) && !uses.includes("${{");

/** The file of the clone that a local `uses` names, or why there is none. */
export function localFile(uses: string, isWorkflow: boolean, top: string): { path: string } | { missing: string } {
  const full = join(top, uses);
  if (relative(top, full).split(sep)[0] === "..") return { missing: `${uses} is outside of the repository` };
  const path = (isWorkflow ? [full] : anyOfAction.map((name) => join(full, name))).find((one) => existsSync(one));
  if (path !== undefined) return { path };
  return { missing: existsSync(full) ? `${uses} has no ${anyOfAction.join(", ")}` : `${uses} does not exist` };
}

/** The workflows and actions of the clone that jobs and steps use, with the paths of their files, by their `uses`. */
export type Called = ReadonlyMap<Word | undefined, { readonly path: string; readonly callee: Workflow }>;

/** Reads the workflows and actions of the clone that a workflow uses; others are left out. */
export async function readCalled(
  workflow: Workflow,
  top: string | undefined,
  read: (path: string) => Promise<Workflow | undefined>,
): Promise<Called> {
  const found = new Map<Word, { path: string; callee: Workflow }>();
  for (const { uses, isWorkflow } of usesIn(workflow)) {
    const file = top === undefined || !isLocal(uses.text) ? undefined : localFile(uses.text, isWorkflow, top);
    if (file === undefined || !("path" in file)) continue;
    const callee = await read(file.path);
    if (callee?.kind === (isWorkflow ? "workflow" : "action")) found.set(uses, { ...file, callee });
  }
  return found;
}

/** Compares what local workflows and actions are given with what they declare. */
export function checkCalls({ jobs }: Workflow, called: Called, report: Report): void {
  for (const { uses, ...call } of jobs.flatMap((job) => [
    job,
    ...job.steps.map((step) => ({ ...step, secrets: undefined })),
  ])) {
    const callee = called.get(uses)?.callee;
    if (uses === undefined || callee === undefined) continue;
    if (callee.declared === undefined)
      report.error("call", uses.at, `${uses.text} cannot be called: it has no workflow_call`);
    else checkGiven("input", uses, callee.declared.inputs, call.with, report);
    const { secrets } = callee.declared ?? {};
    // Without a list, it gets all secrets.
    if (secrets && call.secrets) checkGiven("secret", uses, secrets, call.secrets, report);
  }
}

/** What is required is an error; servers ignore what is not declared, as they do `args` and `entrypoint` of Docker. */
function checkGiven(
  what: "input" | "secret",
  uses: Word,
  known: Parameters,
  given: readonly Word[],
  report: Report,
): void {
  const names = [...known.values()].map(({ name }) => name);
  for (const { text, at } of given) {
    if (!known.has(text.toLowerCase()) && !/^(args|entrypoint)$/i.test(text))
      report.warning("call", at, `${uses.text} has no ${what} '${text}'${didYouMean(text, names)}`);
  }
  for (const [key, { name, isRequired }] of known) {
    const isGiven = given.some(({ text }) => text.toLowerCase() === key);
    if (isRequired && !isGiven) report.error("call", uses.at, `${uses.text} needs the ${what} '${name}'`);
  }
}
