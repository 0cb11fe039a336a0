import { batch } from "../../app/batch.ts";
import { readTargets } from "../../app/input.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { runName } from "./look.ts";
import { parseRun } from "./selector.ts";
import { findRunFor, orPage, runPage } from "./unsupported.ts";
import type { WatchContext } from "./watch-run.ts";

/**
 * Cancels or approves runs on servers that have an operation for it. None has today (api-facts 3.6.6): then the page that
 * does it is named.
 */
export async function doLater(
  verb: "cancel" | "approve",
  typed: readonly string[],
  context: WatchContext,
): Promise<ExitName | undefined> {
  const { forge, repo, server, system } = context;
  const work = async (target: string) => {
    const run = await findRunFor(`${verb} a run`, parseRun(target), context);
    const page = runPage({ kind: "run", run }, context);
    await orPage(`${verb} a run`, page, context, () => forge.runs[verb](repo, run.id));
    const done = verb === "cancel" ? "Cancelled" : "Approved";
    return {
      message: `${done} ${runName(fullName(repo), run)} ${accountLabel(server)}`,
      record: () => forge.runs.get(repo, run.id),
    };
  };
  return batch(await readTargets(typed, system), work, context);
}
