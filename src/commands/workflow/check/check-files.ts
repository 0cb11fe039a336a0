import type { BaseContext, RepositoryContext } from "../../../app/context.ts";
import { Failure } from "../../../failure/failure.ts";
import { once } from "../../../system/concurrency.ts";
import { shownPath } from "../../../system/files.ts";
import { actionChecker, checkProgram } from "./actions.ts";
import { checkCalls, readCalled } from "./calls.ts";
import { filesToCheck, isInside, openClone, readWorkflowText, type WorkflowFile } from "./files.ts";
import { type Finding, type Report, reportOn } from "./finding.ts";
import { knownOn } from "./known.ts";
import { checkLabels, checkNames } from "./names.ts";
import { findOnline } from "./online.ts";
import { readWorkflow } from "./read-workflow.ts";
import { checkReferences, checkServer, checkWords } from "./rules.ts";

/**
 * Checks workflow files, all of the clone if none is named, and returns their number with what was found. Without a server or
 * repository, by the files alone.
 */
export async function checkFiles(
  typed: readonly string[],
  { online }: { readonly online: boolean },
  context: BaseContext,
): Promise<readonly [files: number, findings: readonly Finding[]]> {
  const { system, options } = context;
  const top = await openClone(context);
  const files = [...filesToCheck(typed, top, context)];
  const on = await repositoryHere(context);
  const known = on && (await knownOn(on));
  const seconds = options.timeout ?? 30;
  const search = (url: string, ref: string) => findOnline(url, ref, { system, seconds });
  const checkActions = actionChecker({ on, online: online ? search : undefined, product: known?.product });
  const read = async (file: WorkflowFile, report: Report) => {
    const text = await readWorkflowText(file, report, context);
    return text === undefined ? undefined : readWorkflow(file.name, text, known?.product, report);
  };
  const readAgain = once(
    (path: string) => path,
    (path) => read({ name: path, path, top }, reportOn("", [])).catch(() => undefined),
  );
  const findings: Finding[] = [];
  // Grows by the actions of the clone that are used.
  for (const file of files) {
    const found: Finding[] = [];
    const report = reportOn(file.name, found);
    const workflow = await read(file, report);
    if (workflow !== undefined) {
      const around = top !== undefined && isInside(file.path, top) ? top : undefined;
      const called = await readCalled(workflow, around, readAgain);
      checkReferences(workflow, called, report);
      checkWords(workflow, report);
      checkProgram(workflow, report);
      checkServer(workflow, known?.product, report);
      await checkActions(workflow, around, report);
      checkCalls(workflow, called, report);
      for (const { path, callee } of called.values()) {
        if (callee.kind === "action" && !files.some((one) => one.path === path))
          files.push({ name: shownPath(path, system), path, top: around });
      }
      if (known !== undefined) {
        await checkNames(workflow, known, report);
        await checkLabels(workflow, known, report);
      }
    }
    findings.push(...found.sort((one, other) => one.line - other.line || one.column - other.column));
  }
  return [files.length, findings];
}

/** The selected repository; undefined with a note if no server or repository is selected. */
async function repositoryHere(context: BaseContext): Promise<RepositoryContext | undefined> {
  const { options, isRepoGiven, out } = context;
  let isSelected = isRepoGiven || options.profile !== undefined || options.host !== undefined;
  try {
    // A server that was named must be known, but need not be that of a remote.
    const connected = await context.connect();
    isSelected = isRepoGiven;
    return { ...context, ...connected, repo: await context.locate() };
  } catch (error) {
    if (isSelected || !(error instanceof Failure) || !["usage", "not_signed_in"].includes(error.code)) throw error;
    out.note(`Checked only the files, not what a server has: ${error.message}`);
    return undefined;
  }
}
