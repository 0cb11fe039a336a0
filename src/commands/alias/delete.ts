import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { openAliases } from "../../profiles/aliases.ts";
import { nearest } from "../../text/nearest.ts";

/** `tongs alias delete`: removes stored aliases. */
export const remove = defineCommand({
  summary: "Delete aliases",
  on: "profiles",
  effect: "write",
  result: "deleted",
  args: { name: many("names of aliases", { dash: "lines", source: "alias" }) },
  exits: { partly: "some aliases were deleted, some failed" },
  examples: [["Delete an alias", "tongs alias delete co"]],
  async run(context) {
    const { args, options, out, system } = context;
    const store = openAliases(system);
    const targets = await readTargets(args.name, system);
    if (await reportDryRun({ out, options }, `delete alias ${targets.join(", ")}`)) return;
    return batch(
      targets,
      async (name) => {
        await store.update((aliases) => {
          const { [name]: _gone, ...rest } = aliases;
          if (!Object.hasOwn(aliases, name)) {
            const [near] = nearest(name, Object.keys(aliases));
            throw new Failure("not_found", `Alias '${name}' not found`, {
              hint: near === undefined ? "List them with: tongs alias list" : `Did you mean: ${near}?`,
            });
          }
          return rest;
        });
        return { message: `Deleted alias ${name}` };
      },
      context,
    );
  },
});
