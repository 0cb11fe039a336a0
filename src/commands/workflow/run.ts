import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { findRun, recordOf, runPage } from "../../app/runs/find.ts";
import { withStateErrors } from "../../app/runs/state-errors.ts";
import { waitLimit, watchRun, withinLimit } from "../../app/runs/watch-run.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { checkedInputs, declaredInputs, givenInputs } from "../../app/workflow-inputs.ts";
import { one } from "../../command/args.ts";
import { inputFile, seconds, text, texts, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { artifactList } from "../../forge/artifacts.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { call } from "../../forge/operation.ts";
import { isTask, readRun } from "../../forge/read-run.ts";
import { defaultBranch, repoGet } from "../../forge/repos.ts";
import { run } from "../../forge/runs.ts";
import { tagGet } from "../../forge/tags.ts";
import { workflowSource } from "../../forge/workflow-source.ts";
import { dispatchWorkflow, workflowDispatch } from "../../forge/workflows.ts";
import { isFound } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { findDispatched, newestNumber } from "./dispatched.ts";

/** `tongs workflow run`: POST a dispatch, after checking the inputs against the workflow file. */
export const runWorkflow = defineCommand({
  summary: "Run a workflow manually and print the URL of the run",
  details:
    "Checks the inputs against the workflow file at the ref before sending anything, and prompts for them on a terminal. If the server does not report the " +
    "new run, looks for the only new run that matches. With --watch or --collect, the exit code reflects the result of the " +
    "run. --collect also downloads the artifacts of a failed run.",
  on: "repository",
  needs: [workflowDispatch],
  effect: "write",
  args: { workflow: one("workflow file, such as ci.yml, or workflow name", { source: "workflow" }) },
  flags: {
    ref: text("branch or tag to run the workflow on (default: the default branch)", {
      short: "r",
      placeholder: "REF",
      source: "ref",
    }),
    field: texts("add an input", { short: "f", placeholder: "KEY=VALUE", source: "input" }),
    inputsFile: inputFile("read inputs from a JSON or YAML file"),
    watch: toggle("wait until the run completes", { short: "w" }),
    wait: seconds("with --watch or --collect, stop waiting after this time (0: no limit)"),
    timeout: seconds("--wait", { hidden: true }),
    collect: text("wait, then download the run's artifacts into this directory", {
      names: "output file",
      placeholder: "DIR",
    }),
  },
  exclusive: [["wait", "timeout"]],
  output: run,
  exits: {
    awaitedFailed: "with --watch or --collect: the run failed",
    pending: "with --watch or --collect: --wait was reached",
    partly: "with --collect: the run succeeded, but some artifacts were not downloaded",
  },
  examples: [
    ["Run a workflow with an input", "tongs workflow run release.yml -f version=1.4.0"],
    ["Run a workflow on a branch and wait for it", "tongs workflow run Build --ref feature/lights --watch"],
    ["Run a workflow and download its artifacts", "tongs workflow run release.yml --collect dist"],
  ],
  async run(context) {
    const { args, flags, http, out, repo, server, system } = context;
    const timeout = waitLimit(flags, context);
    if (timeout !== undefined && !flags.watch && flags.collect === undefined) {
      throw new UsageError("--wait requires --watch or --collect");
    }
    const file = await workflowFile(args.workflow, { of: "repository", repo }, context);
    const given = await givenInputs(flags.field, flags.inputsFile, system);
    const ref =
      flags.ref === undefined ? defaultBranch(await call(http, repoGet, { repo })) : await refOf(flags.ref, context);
    const source = await workflowSource(http, repo, file, ref);
    const declared = await declaredInputs(source.text, file);
    const { askInputs } = await import("./ask-inputs.ts");
    const inputs = checkedInputs(await askInputs(context.prompt, given, declared), declared, source.trueValue);
    // Fails here on a server without artifacts, before the run is started.
    if (flags.collect !== undefined) await call(http, artifactList, { repo }).take(1).next();
    const after = await newestNumber(context);
    const id = await withStateErrors({ workflow: file }, context, () =>
      dispatchWorkflow(http, repo, file, { ref, inputs }, source.returnRun),
    );

    const listed = id === null ? await findDispatched({ file, ref, after }, context) : undefined;
    const message = `Started ${file} of ${fullName(repo)} on ${ref} ${accountLabel(server)}`;
    if (id === null && listed === undefined) {
      await out.done(message);
      const hint = "This server lists a run only after a runner has picked it up. Check with: tongs run list";
      throw new Failure("run_unknown", "Started the workflow, but its run is not listed yet", { hint });
    }
    const found = await findRun(
      id === null ? { by: "number", number: listed === undefined ? 0 : readRun(listed).number } : { by: "id", id },
      context,
    );
    const record = recordOf(found);
    const name = `#${readRun(record).number}${isTask(record) ? "" : ` (id ${record.id})`}`;
    if (!flags.watch && flags.collect === undefined)
      return out.done(`${message}: run ${name}`, { prints: runPage(record, context), record });
    if (!out.records) await out.raw(`${runPage(record, context)}\n`);
    out.note(`${message}: run ${name}`);
    const ended = await watchRun(
      found,
      { interval: undefined, failFast: false, logs: false, timeout },
      withinLimit(context, timeout),
    );
    if (flags.collect === undefined || ended === "pending") return ended;
    if (found.kind !== "run") {
      throw new Failure("no_artifacts", "This server has no API operation to download artifacts");
    }
    const { collectArtifacts } = await import("../../app/artifacts/fetch.ts");
    const collected = await collectArtifacts(context, found.run.id, { dir: flags.collect });
    return ended === "ok" ? (collected ?? ended) : ended;
  },
});

/** The full name of a tag, which Gitea does not find by its short one; a branch of the same name comes first. */
async function refOf(typed: string, { http, repo }: RepositoryContext): Promise<string> {
  const isTag = !typed.startsWith("refs/") && (await isFound(call(http, tagGet, { repo, tag: typed })));
  if (!isTag || (await isFound(call(http, branchHeadGet, { repo, branch: typed })))) return typed;
  return `refs/tags/${typed}`;
}
