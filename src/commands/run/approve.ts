import { defineCommand } from "../../app/define.ts";
import { call } from "../../forge/operation.ts";
import { readRun } from "../../forge/read-run.ts";
import { type Run, run, runApprove, runGet } from "../../forge/runs.ts";
import { list } from "../../shape/shape.ts";
import { forRuns, manyFlags, type RunContext, runsArg } from "./many.ts";

/** `tongs run approve`: POST …/approve for each run, and GET the run afterwards. */
export const approve = defineCommand({
  summary: "Approve workflow runs of pull requests from forks",
  details:
    "With servers that cannot, the error message names the web page where you can. Filters match only runs that are " +
    "blocked, and prompt for confirmation, unless --yes is given.",
  on: "server",
  needs: [runApprove],
  effect: "write",
  args: { run: runsArg },
  flags: manyFlags,
  output: list(run),
  exits: {
    notFound: "the run does not exist, or the server has no API for it",
    refused: "the run does not wait for approval",
    partly: "some runs were approved, some failed",
  },
  examples: [
    ["Approve the newest run", "tongs run approve latest"],
    ["List the blocked runs of pull requests", "tongs run approve --event pull_request --plan"],
  ],
  async run(context) {
    const work = async ({ id }: Run, { http, repo, name }: RunContext) => {
      await call(http, runApprove, { repo, run: id });
      return { message: `Approved ${name}`, record: () => call(http, runGet, { repo, run: id }) };
    };
    return forRuns(
      {
        what: "approve a run",
        operation: runApprove,
        verb: "Approve",
        asks: false,
        work,
        states: ["waiting"],
        suits: (one) => readRun(one).state === "waiting",
      },
      context,
    );
  },
});
