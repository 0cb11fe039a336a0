import { defineCommand } from "../../app/define.ts";
import { run } from "../../forge/runs.ts";
import { list } from "../../shape/shape.ts";
import { doLater } from "./later.ts";
import { manyRuns } from "./selector.ts";

/** `tongs run approve`: on servers that have, or describe, an operation for it. */
export const approve = defineCommand({
  summary: "Let runs of a fork's pull request begin",
  details: "Servers of today have no operation for it: then the address of the page that does it is said.",
  on: "repository",
  effect: "write",
  args: { run: manyRuns },
  output: list(run),
  exits: { partly: "some were approved, some could not be" },
  examples: [["The newest", "tongs run approve latest"]],
  run: (context) => doLater("approve", context.args.run, context),
});
