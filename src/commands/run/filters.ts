import type { ServerContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { choicesOf, type FlagValues, text } from "../../command/flags.ts";
import type { RunFilter } from "../../forge/list-runs.ts";

/** The states that a list of runs can be filtered by (docs/server-differences.md, "Runs and jobs"). */
export const runStatuses = [
  "queued",
  "waiting",
  "pending",
  "requested",
  "action_required",
  "in_progress",
  "completed",
  "success",
  "failure",
  "cancelled",
  "timed_out",
  "skipped",
  "neutral",
  "running",
  "blocked",
] as const;

/** The flags that filter runs. */
export const runFilterFlags = {
  workflow: text("filter by workflow file or name", {
    short: "w",
    placeholder: "WORKFLOW",
    source: "workflow",
    filters: true,
  }),
  branch: text("filter by branch, or by tag: refs/tags/NAME", {
    short: "b",
    placeholder: "BRANCH",
    source: "branch",
    filters: true,
  }),
  event: text("filter by event: push, pull_request, schedule, workflow_dispatch …", {
    short: "e",
    placeholder: "EVENT",
    filters: true,
  }),
  state: choicesOf(runStatuses, "filter by state", { short: "s", filters: true, aliases: [{ name: "status" }] }),
  actor: text("filter by the user who triggered the run", {
    short: "u",
    placeholder: "USER",
    source: "user",
    filters: true,
  }),
  headSha: text("filter by commit (full SHA)", { short: "c", placeholder: "SHA", filters: true }),
};

export type RunFilterValues = FlagValues<typeof runFilterFlags>;

/** What the flags filter by; `workflow` is the file. */
export async function runFilter(
  { branch, event, headSha, state, actor }: RunFilterValues,
  workflow: string | undefined,
  server: ServerContext,
): Promise<RunFilter> {
  return {
    workflow,
    branch,
    event,
    head_sha: headSha,
    status: state.length === 0 ? undefined : state,
    actor: actor === "@me" ? await currentUser(server) : actor,
  };
}
