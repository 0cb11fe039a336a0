import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { ownEmailAdd, ownEmailDelete, ownEmailList } from "../../../forge/account.ts";
import { email } from "../../../forge/admin-users.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { emailProblem } from "../rules.ts";

const emails = many("email addresses; - reads them from stdin, one per line");

/** `tongs user email add`: POST /user/emails for each. */
export const add = defineCommand({
  summary: "Add email addresses to your account",
  details: "The server may send a message to confirm each address.",
  on: "server",
  effect: "write",
  args: { email: emails },
  output: list(email),
  exits: { partly: "some addresses were added, some failed" },
  examples: [["Add an address", "tongs user email add mara@harbor.example.org"]],
  async run(context) {
    const { args, http, server, system } = context;
    const targets = await readTargets(args.email, system);
    for (const address of targets) {
      const problem = emailProblem(address);
      if (problem !== undefined) throw new UsageError(`Invalid email address: ${problem}`);
    }
    const addOne = async (address: string) => {
      const all = await call(http, ownEmailAdd, {}, { emails: [address] });
      const record = all.find((one) => one.email.toLowerCase() === address.toLowerCase());
      return { message: `Added ${address} to your account ${accountLabel(server)}`, record };
    };
    return batch(targets, addOne, context);
  },
});

/** `tongs user email delete`: DELETE /user/emails for each. */
export const remove = defineCommand({
  summary: "Delete email addresses from your account",
  details: "The primary address cannot be deleted.",
  on: "server",
  effect: "destroy",
  args: { email: emails },
  exits: { partly: "some addresses were deleted, some failed", refused: "the address is the primary one" },
  examples: [["Delete an address", "tongs user email delete mara@harbor.example.org --yes"]],
  async run(context) {
    const { args, http, prompt, server, system } = context;
    const targets = await readTargets(args.email, system);
    const what = targets.length === 1 ? `${targets[0]}` : `${targets.length} email addresses`;
    await prompt.confirmAction({ what: `Delete ${what} from your account` });
    const own = await collect(call(http, ownEmailList, {}));
    const deleteOne = async (address: string) => {
      const found = own.find((one) => one.email.toLowerCase() === address.toLowerCase());
      // Servers answer this with 500 (docs/server-differences.md, "Keys and applications").
      if (found?.primary) throw new Failure("refused", `${address} is your primary email address`);
      await call(http, ownEmailDelete, {}, { emails: [found?.email ?? address] });
      return { message: `Deleted ${address} from your account ${accountLabel(server)}` };
    };
    return batch(targets, deleteOne, context);
  },
});
