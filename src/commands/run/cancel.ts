import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { isFinished, runState } from "../../forge/run-or-task.ts";
import { run, runCancel, runGet } from "../../forge/runs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { runName } from "./columns.ts";
import { findRunRecord, runPage } from "./find.ts";
import { manyRuns, type RunTarget, readRuns } from "./selector.ts";
import { orWebPage, unsupported } from "./shared.ts";

/** `tongs run cancel`: POST …/cancel for each run, and GET the run afterwards, because the answer does not tell. */
export const cancel = defineCommand({
  summary: "Cancel workflow runs",
  details: "Needs Gitea 1.28 or Forgejo 16.0. With older servers, the error message names the web page where you can.",
  on: "server",
  effect: "write",
  args: { run: manyRuns },
  output: list(run),
  exits: {
    notFound: "the run does not exist, or the server has no API for it",
    refused: "the run has already finished",
    partly: "some runs were cancelled, some failed",
  },
  examples: [["Cancel the newest run", "tongs run cancel latest"]],
  async run(context) {
    const { http, server } = context;
    const work = async ({ selector, repo }: RunTarget) => {
      const inRepo = { ...context, repo };
      const found = await findRunRecord({ what: "cancel a run", since }, selector, inRepo);
      const name = runName(fullName(repo), found);
      const page = runPage({ kind: "run", run: found }, inRepo);
      await orWebPage("cancel a run", page, context, () => call(http, runCancel, { repo, run_id: found.id }));
      const record = await call(http, runGet, { repo, run: found.id });
      const state = runState(record);
      // Forgejo accepts it for a finished run, too (docs/server-differences.md, "Runs and jobs").
      if (isFinished(found) || (isFinished(record) && state !== "cancelled"))
        throw new Failure("wrong_state", `${name} has already finished: ${state}`);
      const done = state === "cancelled" ? "Cancelled" : "Requested cancellation of";
      return { message: `${done} ${name} ${accountLabel(server)}`, record };
    };
    return batch(await readRuns(context.args.run, context), work, context, { name: ({ typed }) => typed });
  },
});

const since = "1.28 and Forgejo 16.0";

/** `tongs run approve`: finds each run and fails with the address of its web page, where the action is available. */
export const approve = defineCommand({
  summary: "Approve workflow runs of pull requests from forks",
  details: "No released server has an API for this yet. The error message names the web page where you can do it.",
  on: "server",
  effect: "write",
  args: { run: manyRuns },
  output: list(run),
  exits: {
    ok: "not before a server has an API for it",
    notFound: "no server has an API for it; the message names the web page",
  },
  examples: [["Approve the newest run", "tongs run approve latest"]],
  async run(context) {
    const work = async ({ selector, repo }: RunTarget): Promise<never> => {
      const inRepo = { ...context, repo };
      const found = await findRunRecord({ what: "approve a run" }, selector, inRepo);
      throw unsupported("approve a run", runPage({ kind: "run", run: found }, inRepo), context);
    };
    return batch(await readRuns(context.args.run, context), work, context, { name: ({ typed }) => typed });
  },
});
