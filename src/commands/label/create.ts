import { bodyOf } from "../../app/fields.ts";
import { ownerName } from "../../app/shared.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { UsageError, withHint } from "../../failure/failure.ts";
import { label, labelCreate, labelEdit, labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { findLabel, labelExists, labelOwner, ownerFlags, settingFlags } from "./shared.ts";

/** `tongs label create`: POST a label. A second label of a name is not created, although the servers allow it. */
export const create = writeCommand({
  summary: "Create a label",
  details: "Without --color, the color is random.",
  on: "server",
  args: { name: one("name of the label") },
  flags: { ...ownerFlags, ...settingFlags, force: toggle("update the label if it exists", { short: "f" }) },
  output: label,
  exits: { refused: "a label with this name exists" },
  examples: [
    ["Create a label", 'tongs label create bug --color ff0000 --description "Something is broken"'],
    ["Create an exclusive label of an organization", "tongs label create kind/lamp --exclusive --org tidewater"],
  ],
  async work(context) {
    const { args, flags, http, system } = context;
    if (args.name.trim() === "") throw new UsageError("The name must not be empty");
    const given = bodyOf(settingFlags, flags);
    const owner = await labelOwner(flags, context);
    const where = `in ${ownerName(owner)}`;
    const existing = (await collect(call(http, labelList, { level: owner }))).filter(({ name }) => name === args.name);
    const [same] = existing;
    if (same !== undefined && !flags.force) throw withHint(labelExists(same, owner), "Pass --force to update it.");
    const record = await (same === undefined
      ? call(http, labelCreate, { level: owner }, { name: args.name, color: randomColor(system.random), ...given })
      : call(http, labelEdit, { level: owner, id: findLabel(existing, args.name, owner).id }, given));
    const what = `label '${record.name}'`;
    return { done: `${same === undefined ? "Created" : "Updated"} ${what} ${where}`, prints: record.id, record, what };
  },
});

/** A random color that is light enough for dark text. */
function randomColor(random: () => number): string {
  const part = () => Math.floor(96 + random() * 160).toString(16);
  return `${part()}${part()}${part()}`;
}
