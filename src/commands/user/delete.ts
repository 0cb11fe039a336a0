import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type User, user } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { belongings, describe } from "./belongings.ts";
import { explainRefusal, notAUser } from "./delete-refusal.ts";

/** `tongs user delete`: DELETE /admin/users/{username}, after showing what would go. */
export const remove = defineCommand({
  summary: "Delete accounts",
  details:
    "First shows the repositories, organizations and packages of each account. Without --purge the server refuses to " +
    "delete one that still has some; with --purge they are destroyed, too.",
  on: "server",
  effect: "destroy",
  args: { name: many("user names; - reads them from stdin, one a line") },
  flags: { purge: toggle("destroy the repositories, organizations and packages, too") },
  output: list(user),
  exits: { partly: "some were deleted, some could not be", invalid: "refused: the account owns something" },
  examples: [
    ["Delete one, and be asked", "tongs user delete jonas"],
    ["In a script, with everything it owns", "tongs user delete jonas --purge --yes"],
  ],
  async run(context) {
    const { args, flags, forge, out, prompt, server, system, options } = context;
    const names = await readTargets(args.name, system);
    const known = new Map<string, User>();
    if (!options.yes) {
      for (const name of names) {
        const [account, isOrganization] = await Promise.all([forge.users.get(name), forge.users.isOrganization(name)]);
        if (isOrganization) throw new UsageError(...notAUser(account.login));
        known.set(name, account);
        const owned = await belongings(forge, account.login);
        out.note(describe(account, owned, flags.purge));
        const what = flags.purge ? `Destroy ${account.login} and all that it owns` : `Delete ${account.login}`;
        await prompt.confirmAction({ what, typed: account.login });
      }
    }
    const work = async (name: string) => {
      const record = known.get(name) ?? (out.records ? await forge.users.get(name) : undefined);
      await forge.adminUsers.delete(name, flags.purge).catch((error: unknown) => explainRefusal(forge, name, error));
      return {
        message: `Deleted ${name}${flags.purge ? " and all it owned" : ""} ${accountLabel(server)}`,
        record,
      };
    };
    return batch(names, work, context);
  },
});
