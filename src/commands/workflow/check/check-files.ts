import { dirname } from "node:path";
import type { BaseContext, RepositoryContext } from "../../../app/context.ts";
import { Failure } from "../../../failure/failure.ts";
import { shownPath } from "../../../system/files.ts";
import { actionChecker, checkProgram, type Places } from "./actions.ts";
import { calledFile, checkCalls } from "./calls.ts";
import {
  type Clone,
  filesToCheck,
  folderOf,
  isInside,
  openClone,
  readWorkflow,
  readWorkflowText,
  type WorkflowFile,
} from "./files.ts";
import { type Finding, inOrder, type Report, reportOn } from "./finding.ts";
import { type Known, knownOn } from "./known.ts";
import { checkLabels } from "./labels.ts";
import { checkNames } from "./names.ts";
import { findOnline } from "./online.ts";
import { checkJobs, checkServer } from "./rules.ts";
import { type WorkflowServer, workflowServers } from "./servers.ts";
import type { Workflow } from "./workflow.ts";

/** What was found in how many files. */
export interface Checked {
  readonly files: number;
  readonly findings: readonly Finding[];
}

/** Checks workflow files, all of the clone if none is named. Without a server or repository, by the files alone. */
export async function checkFiles(
  typed: readonly string[],
  { online }: { readonly online: boolean },
  context: BaseContext,
): Promise<Checked> {
  const clone = await openClone(context);
  const files = [...(await filesToCheck(typed, clone, context))];
  const on = await repositoryHere(context);
  const known = on && knownOn(on);
  const product: Known["product"] = known?.product ?? (async () => undefined);
  const { system, options } = context;
  const seconds = options.timeout ?? 30;
  const places: Places = {
    on,
    online: online ? (url, ref) => findOnline(url, ref, { system, seconds }) : undefined,
    product,
  };
  const checkActions = actionChecker(places);
  const findings: Finding[] = [];
  const silent = reportOn("", []);
  const reads = new Map<string, Promise<Workflow | undefined>>();
  const read = async (path: string) => {
    const text = await readWorkflowText({ name: path, path, top: clone?.top }, silent, context).catch(() => undefined);
    return text === undefined ? undefined : readWorkflow(path, text, { product, report: silent });
  };
  const readCalled = (path: string) => {
    const called = reads.get(path) ?? read(path);
    reads.set(path, called);
    return called;
  };
  // Grows by the actions of the clone that are used.
  for (const file of files) {
    const found: Finding[] = [];
    const report = reportOn(file.name, found);
    const text = await readWorkflowText(file, report, context);
    const workflow = text === undefined ? undefined : await readWorkflow(file.name, text, { product, report });
    if (workflow !== undefined) {
      checkJobs(workflow, report);
      if (workflow.program) checkProgram(workflow.program, file.path && dirname(file.path), report);
      if (await isRead(file, clone, product, report)) {
        await checkServer(workflow, { product }, report);
        const top = clone && isInside(file, clone) ? clone.top : undefined;
        await checkActions(workflow, top, report);
        if (top !== undefined) {
          await checkCalls(workflow, { path: file.path, top, read: readCalled }, report);
          for (const step of workflow.jobs.flatMap(({ steps }) => steps)) {
            const path = step.uses && calledFile(step.uses.text, false, top);
            if (path !== undefined && !files.some((one) => one.path === path))
              files.push({ name: shownPath(path, system), path, top });
          }
        }
        if (known !== undefined) {
          await checkNames(workflow, known, report);
          await checkLabels(workflow, known, report);
        }
      }
    }
    findings.push(...inOrder(found));
  }
  return { files: files.length, findings };
}

/** The selected repository; undefined with a note if no server or repository is selected. */
async function repositoryHere({
  connect,
  locate,
  git,
  ...context
}: BaseContext): Promise<RepositoryContext | undefined> {
  const { options, isRepoGiven, out } = context;
  let isSelected = isRepoGiven || options.profile !== undefined || options.host !== undefined;
  try {
    // A server that was named must be known, but need not be that of a remote.
    const connected = await connect();
    isSelected = isRepoGiven;
    return { ...connected, repo: await locate() };
  } catch (error) {
    if (isSelected || !(error instanceof Failure) || !["usage", "not_signed_in"].includes(error.code)) throw error;
    out.note(`Checked only the files, not what a server has: ${error.message}`);
    return undefined;
  }
}

/** Whether the server reads a file: only those in one folder. Warns if it does not. */
async function isRead(
  file: WorkflowFile,
  clone: Clone | undefined,
  product: Known["product"],
  report: Report,
): Promise<boolean> {
  const folder = clone && folderOf(file, clone);
  if (clone === undefined || folder === undefined) return true;
  const servers: readonly WorkflowServer[] = [workflowServers.gitea, workflowServers.forgejo];
  const firsts = servers.map(({ folders }) => folders.find((one) => clone.folders.includes(one)));
  if (firsts.every((first) => first === folder)) return true;
  const server = firsts.includes(folder) ? await product() : "forgejo";
  if (server === undefined) return true;
  const first = firsts[server === "gitea" ? 0 : 1];
  if (first === folder) return true;
  const why = first === undefined ? "Gitea does not look there" : `the server reads only ${first}`;
  report.warning("folder", undefined, `This file starts nothing: ${why}`);
  return false;
}
