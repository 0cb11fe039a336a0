import { defineCommand } from "../../app/define.ts";
import { runPlan } from "../../app/plan.ts";
import { ownerName } from "../../app/shared.ts";
import { optional } from "../../command/args.ts";
import { choice, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { label, labelDelete, labelList, labelSettings } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { list as listOf } from "../../shape/shape.ts";
import { safeLine } from "../../text/safe.ts";
import { labelOwner, ownerFlags } from "./shared.ts";

/** `tongs label import`: compares the labels with a set, and creates, edits and deletes what differs. */
export const importLabels = defineCommand({
  summary: "Import labels from a template, a file or a repository",
  details:
    "Prints what changes, then creates the labels that do not exist and edits those that differ. --prune also deletes " +
    "labels that are not in the set, after a confirmation. A file is JSON or YAML, a list of records as label list " +
    "--json prints it or a label template as the servers have them, or CSV with the columns " +
    `name, ${Object.keys(labelSettings).join(", ")}; only name and color are required. Settings that the set does not have ` +
    "are kept.",
  on: "server",
  alone: "importing labels",
  effect: "write",
  args: { source: optional("label template of the server, or a file", { dash: "stdin" }) },
  flags: {
    ...ownerFlags,
    from: text("import the labels of this repository", { placeholder: "OWNER/NAME" }),
    format: choice(["json", "yaml", "csv"], "format of the file (default: by its name)"),
    prune: toggle("delete labels that are not in the set"),
  },
  output: listOf(label),
  exits: { partly: "some labels were changed, some failed" },
  examples: [
    ["Import the label template Default", "tongs label import Default"],
    ["Make the labels the same as in another repository", "tongs label import --from mara/harbor --prune --yes"],
    ["Show what a file would change", "tongs label import labels.csv --dry-run"],
  ],
  async run(context) {
    const { args, flags, http, options, out } = context;
    const [{ readLabelSet }, { planImport }] = await Promise.all([
      import("./import-source.ts"),
      import("./import-plan.ts"),
    ]);
    if ((args.source === undefined) === (flags.from === undefined)) {
      throw new UsageError("Specify either a template or file, or --from");
    }
    const owner = await labelOwner(flags, context);
    const where = `in ${ownerName(owner)}`;
    const set = await readLabelSet(args.source, flags, context);
    const all = await collect(call(http, labelList, { level: owner }));
    const { changes, deleted } = planImport(set, all, { http, level: owner, where, prune: flags.prune });
    for (const { line } of options.yes ? changes : []) out.note(safeLine(line));
    return runPlan(
      changes,
      {
        asks: deleted === 0 ? undefined : `Delete ${deleted} label${deleted === 1 ? "" : "s"} ${where}`,
        sends: labelDelete,
        isPlan: false,
        nothing: `No changes: the labels ${where} match`,
      },
      context,
    );
  },
});
