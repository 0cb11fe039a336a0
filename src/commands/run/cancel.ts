import { batch } from "../../app/batch.ts";
import { type Command, defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { run } from "../../forge/runs.ts";
import { list } from "../../shape/shape.ts";
import { manyRuns, parseRun } from "./selector.ts";
import { findRunFor, runPage, unsupported } from "./unsupported.ts";

/** `tongs run cancel`: no released server has an operation for it. */
export const cancel = onPageOnly("cancel", "Cancel workflow runs");

/** `tongs run approve`: no released server has an operation for it. */
export const approve = onPageOnly("approve", "Let runs of a fork's pull request begin");

/** Looks each run up and fails with the address of the page that does what no operation does. */
function onPageOnly(verb: "cancel" | "approve", summary: string): Command {
  return defineCommand({
    summary,
    details: "No server offers this operation yet. The error names the page that does.",
    on: "repository",
    effect: "write",
    args: { run: manyRuns },
    output: list(run),
    examples: [["The newest", `tongs run ${verb} latest`]],
    async run(context) {
      const work = async (typed: string): Promise<never> => {
        const what = `${verb} a run`;
        const found = await findRunFor(what, parseRun(typed), context);
        throw unsupported(what, runPage({ kind: "run", run: found }, context), context);
      };
      return batch(await readTargets(context.args.run, context.system), work, context);
    },
  });
}
