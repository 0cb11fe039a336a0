import { unlessFailed } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { isFromFork, pullGet } from "../../forge/pulls.ts";
import { type RunOrTask, readRun } from "../../forge/read-run.ts";
import type { Run } from "../../forge/runs.ts";
import type { RepositoryContext } from "../context.ts";
import { howToApprove } from "./find.ts";

/** Says that a run waits for an approval, and how to give it. */
export async function approvalNote(record: RunOrTask, context: RepositoryContext): Promise<string> {
  const { number } = readRun(record);
  return `Run #${number} waits for an approval before any of its jobs can start. ${await howToApprove(record, context)}`;
}

/** Whether a run is of a pull request from a fork; undefined if that one could not be read. */
export async function isOfFork(run: Run, { http, repo }: RepositoryContext): Promise<boolean | undefined> {
  const index = Number(/^#(\d+)$/.exec(readRun(run).branch)?.[1]);
  if (Number.isNaN(index)) return false;
  const pull = await unlessFailed(call(http, pullGet, { repo, index }));
  return pull && isFromFork(pull);
}
