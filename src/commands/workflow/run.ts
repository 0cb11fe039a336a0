import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { seconds, text, texts, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { isTask } from "../../forge/run-or-task.ts";
import { run } from "../../forge/runs.ts";
import { workflowSource } from "../../forge/workflow-source.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { findRun } from "../run/find.ts";
import { inState } from "../run/in-state.ts";
import { runPage } from "../run/unsupported.ts";
import { watchRun } from "../run/watch-run.ts";
import { workflowFile } from "../run/workflow-file.ts";
import { findDispatched, newestNumber } from "./dispatched.ts";
import { givenInputs } from "./given-inputs.ts";
import { checkedInputs, declaredInputs } from "./inputs.ts";

/** `tongs workflow run`: POST a dispatch, with the inputs checked against the workflow's file. */
export const start = defineCommand({
  summary: "Start a workflow by hand, and print its run's address",
  details:
    "The inputs are checked against the workflow file at the ref before anything is sent. A server that does not say " +
    "which run it made is asked for the only new one that fits. With --watch the exit code is the run's; a failed run's artifacts are " +
    "collected, too.",
  on: "repository",
  effect: "write",
  args: { workflow: one("its file, such as ci.yml, or its name") },
  flags: {
    ref: text("on this branch or tag, instead of the default branch", { short: "r", placeholder: "REF" }),
    field: texts("an input", { short: "f", placeholder: "KEY=VALUE" }),
    inputsFile: text("inputs from a JSON or YAML file; - is stdin", { placeholder: "FILE" }),
    watch: toggle("wait until the run is over", { short: "w" }),
    timeout: seconds("with --watch or --collect: stop waiting after so long (0 waits for ever)"),
    collect: text("wait, then download the run's artifacts into this folder", { placeholder: "DIR" }),
  },
  output: run,
  exits: { awaitedFailed: "with --watch: the run failed", pending: "with --watch: --timeout passed before" },
  examples: [
    ["With an input", "tongs workflow run release.yml -f version=1.4.0"],
    ["On a branch, and wait for it", "tongs workflow run Build --ref feature/lights --watch"],
    ["Wait, and fetch what it made", "tongs workflow run release.yml --collect dist"],
  ],
  async run(context) {
    const { args, flags, forge, out, repo, server, system } = context;
    if (flags.timeout !== undefined && !flags.watch && flags.collect === undefined) {
      throw new UsageError("--timeout goes with --watch or --collect");
    }
    const file = await workflowFile(args.workflow, { of: "repository", repo }, context);
    const given = await givenInputs(flags.field, flags.inputsFile, system);
    const ref = flags.ref ?? (await forge.repos.get(repo)).default_branch;
    const source = await workflowSource(forge, repo, file, ref);
    const inputs = checkedInputs(given, await declaredInputs(source.text, file), source.yes);
    const after = await newestNumber(context);
    const details = await inState(file, () => forge.workflows.dispatch(repo, file, { ref, inputs }));

    const number = details === null ? (await findDispatched({ file, ref, after }, context))?.run_number : undefined;
    const said = `Started ${file} of ${fullName(repo)} on ${ref} ${accountLabel(server)}`;
    if (details === null && number === undefined) {
      await out.done(said);
      const hint = "On a server without run records a run shows once a runner took it: tongs run list";
      throw new Failure("run_unknown", "pending", "It was started, but its run does not show yet", { hint });
    }
    const found = await findRun(
      details === null ? { by: "number", number: number ?? 0 } : { by: "id", id: details.workflow_run_id },
      context,
    );
    const record = found.kind === "run" ? found.run : found.tasks[0];
    const name = isTask(record) ? `#${record.run_number}` : `#${record.run_number} (id ${record.id})`;
    if (!flags.watch && flags.collect === undefined)
      return out.done(`${said}: run ${name}`, { prints: runPage(found, context), record });
    if (!out.records) await out.raw(`${runPage(found, context)}\n`);
    out.note(`${said}: run ${name}`);
    const ended = await watchRun(
      found,
      { interval: undefined, failFast: false, logs: false, timeout: flags.timeout },
      context,
    );
    if (flags.collect === undefined || ended === "pending") return ended;
    if (found.kind !== "run") {
      throw new Failure("no_artifacts", "notFound", "This server keeps tasks only, and no artifacts to collect");
    }
    const { collectArtifacts } = await import("../artifact/fetch.ts");
    const collected = await collectArtifacts(context, found.run.id, { dir: flags.collect });
    return ended ?? collected;
  },
});
