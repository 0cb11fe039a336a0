import pMap from "p-map";
import { defineCommand } from "../../app/define.ts";
import { latestStatusList } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { state, styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list, optional, record, string } from "../../shape/shape.ts";
import { checkRows, summary } from "./check-rows.ts";
import { findPull, pullSelector } from "./find.ts";
import { headName, type PullContext, pullState, requireOpen } from "./pull.ts";
import { openPulls, pathTo, stackOf } from "./stack-chain.ts";
import { explainPull } from "./why-reasons.ts";

/** A pull request of a stack, with its checks in words, and the code of the first reason why it cannot be merged. */
const stacked = record({ ...pullRequest.fields, checks: optional(string), why: optional(string) });

type Stacked = PullRequest & { readonly checks: string; readonly why: string };

/** How many pull requests are read at the same time. */
const concurrency = 4;

const columns = [
  column<Stacked>("ID", "number"),
  column<Stacked>("TITLE", "title", { flexible: true, rank: "key" }),
  column<Stacked>("BRANCH", "head.label", { cell: (pull) => styled("link", headName(pull)), flexible: true }),
  column<Stacked>("BASE", "base.ref", { flexible: true }),
  column<Stacked>("STATE", "state", (pull) => state(pullState(pull))),
  column<Stacked>("CHECKS", "checks"),
  column<Stacked>("WHY", "why", {
    cell: ({ why }) => styled(why === "ready" ? "good" : "warn", why.replaceAll("_", " ")),
    whole: true,
  }),
];

/** `tongs pr stack`: GET the open pull requests, and what `pr why` reads for each of the stack. */
export const stack = defineCommand({
  summary: "Show the stack of a pull request",
  details:
    "A stack is a chain of pull requests, each of which is based on the branch of the one before. Lists them from the bottom, " +
    "the one to merge first, with their checks and the first reason why each cannot be merged, or ready: tongs pr why has all " +
    "reasons. The rules are those of the branch that the stack goes into. Only the bases on the server count, whatever tool made " +
    "the branches.",
  on: "repository",
  effect: "read",
  lists: ["pull request", "pull requests"],
  args: { pr: pullSelector },
  output: list(stacked),
  examples: [
    ["Show the stack of the current branch", "tongs pr stack"],
    ["Print the numbers from the bottom", "tongs pr stack 12 --jq '.[].number'"],
  ],
  async run(context) {
    const { args, out } = context;
    const [pull, open] = await Promise.all([findPull(args.pr, context), openPulls(context)]);
    requireOpen(pull, context);
    const into = pathTo(pull, open)[0]?.base.ref ?? pull.base.ref;
    const rows = await pMap(stackOf(pull, open), (one) => describe(one, into, context), { concurrency });
    await out.list(rows, columns, { unlimited: true });
  },
});

async function describe(pull: PullRequest, into: string, context: PullContext): Promise<Stacked> {
  const { http, repo } = context;
  const statuses = collect(call(http, latestStatusList, { repo, ref: pull.head.sha }));
  const [rows, { reasons, mergeable }] = await Promise.all([
    statuses.then((all) => checkRows(all, [])),
    explainPull(context, pull, { patience: 0, statuses, into }),
  ]);
  const why = reasons[0]?.code ?? (mergeable === null ? "checking" : "ready");
  return { ...pull, checks: rows.length === 0 ? "" : summary(rows), why };
}
