import { batch } from "../../app/batch.ts";
import { type Command, defineCommand } from "../../app/define.ts";
import { run } from "../../forge/runs.ts";
import { list } from "../../shape/shape.ts";
import { findRunRecord, runPage } from "./find.ts";
import { manyRuns, type RunTarget, readRuns } from "./selector.ts";
import { unsupported } from "./shared.ts";

/** `tongs run cancel`: no released server has an operation for it. */
export const cancel = webPageOnly("cancel", "Cancel workflow runs");

/** `tongs run approve`: no released server has an operation for it. */
export const approve = webPageOnly("approve", "Approve workflow runs of pull requests from forks");

/** A command that finds each run and fails with the address of its web page, where the action is available. */
function webPageOnly(verb: "cancel" | "approve", summary: string): Command {
  return defineCommand({
    summary,
    details: "No server has an API for this yet. The error message names the web page where you can do it.",
    on: "server",
    effect: "write",
    args: { run: manyRuns },
    output: list(run),
    exits: {
      ok: "not before a server has an API for it",
      notFound: "no server has an API for it; the message names the web page",
    },
    examples: [[`${verb === "cancel" ? "Cancel" : "Approve"} the newest run`, `tongs run ${verb} latest`]],
    async run(context) {
      const work = async ({ selector, repo }: RunTarget): Promise<never> => {
        const what = `${verb} a run`;
        const inRepo = { ...context, repo };
        const found = await findRunRecord({ what }, selector, inRepo);
        throw unsupported(what, runPage({ kind: "run", run: found }, inRepo), context);
      };
      return batch(await readRuns(context.args.run, context), work, context, { name: ({ typed }) => typed });
    },
  });
}
