import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { ownerName } from "../../app/shared.ts";
import { optional } from "../../command/args.ts";
import { choice, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { label, labelCreate, labelDelete, labelEdit, labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { labelOwner, ownerFlags } from "./shared.ts";

/** `tongs label import`: compares the labels with a set, and creates, edits and deletes what differs. */
export const importLabels = defineCommand({
  summary: "Import labels from a template, a file or a repository",
  details:
    "Prints what changes, then creates the labels that do not exist and edits those that differ. --prune also deletes " +
    "labels that are not in the set, after a confirmation. A file is JSON or YAML, a list of records as label list " +
    "--json prints it or a label template as the servers have them, or CSV with the columns name, color, description, exclusive and is_archived; only name and color are " +
    "required. Settings that the set does not have are kept.",
  on: "server",
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
    const { args, flags, http, out, prompt, server } = context;
    const [{ readLabelSet }, { planImport, planLine }] = await Promise.all([
      import("./import-source.ts"),
      import("./import-plan.ts"),
    ]);
    if ((args.source === undefined) === (flags.from === undefined)) {
      throw new UsageError("Specify either a template or file, or --from");
    }
    const owner = await labelOwner(flags, context);
    const where = `in ${ownerName(owner)}`;
    const set = await readLabelSet(args.source, flags, context);
    const steps = planImport(set, await collect(call(http, labelList, { level: owner })), {
      prune: flags.prune,
      where,
    });
    if (steps.length === 0) {
      await out.done(`No changes: the labels ${where} match`, { record: [], unchanged: true });
      return undefined;
    }
    for (const step of steps) out.note(planLine(step));
    const deleted = steps.filter((step) => step.does === "delete").length;
    if (deleted > 0) {
      await prompt.confirmAction({
        what: `Delete ${deleted} label${deleted === 1 ? "" : "s"} ${where}`,
        sends: labelDelete,
      });
    }
    return batch(
      steps,
      async (step) => {
        if (step.does === "create") {
          const record = await call(http, labelCreate, { level: owner }, step.body);
          return { message: `Created label '${record.name}' ${where} ${accountLabel(server)}`, record };
        }
        if (step.does === "edit") {
          const record = await call(http, labelEdit, { level: owner, id: step.label.id }, step.body);
          return { message: `Updated label '${record.name}' ${where} ${accountLabel(server)}`, record };
        }
        await call(http, labelDelete, { level: owner, id: step.label.id });
        return { message: `Deleted label '${step.label.name}' ${where} ${accountLabel(server)}` };
      },
      context,
      { name: planLine },
    );
  },
});
