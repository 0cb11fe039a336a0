import { emailColumns } from "../../../app/columns.ts";
import type { Command } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { inAccount, resource } from "../../../app/resource.ts";
import { text, toggle } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { ownEmailAdd, ownEmailDelete, ownEmailList } from "../../../forge/account.ts";
import { emailProblem } from "../../../forge/account-rules.ts";
import { type Email, email, emailList, emailSearch } from "../../../forge/admin-users.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";

type Address = Pick<Email, "email"> & { readonly primary?: boolean | undefined };

const emails = resource({
  ...inAccount,
  noun: ["email address", "email addresses"],
  a: "an email address",
  record: email,
  argument: { key: "email", one: "email address", many: "email addresses" },
  target:
    () =>
    (typed): Address => ({ email: typed }),
  name: ({ email }: Address) => email,
});

/** The verbs of `tongs user email`. */
export const verbs: Table<Command> = {
  list: emails.list({
    summary: "List the email addresses of all users, or your own",
    flags: {
      query: text("search in email address and username", { placeholder: "TEXT", filters: true }),
      own: toggle("list only your own addresses, which does not require an administrator"),
    },
    exclusive: [["query", "own"]],
    columns: emailColumns,
    fetch({ flags: { own, query: q }, http }) {
      if (own) return call(http, ownEmailList, {});
      return q === undefined ? call(http, emailList, {}) : call(http, emailSearch, { q });
    },
    examples: [
      ["Find the user with an email address", "tongs user email list --query mara@example.org"],
      ["List your own addresses", "tongs user email list --own"],
    ],
  }),
  add: emails.each({
    verb: ["add", "added"],
    effect: "write",
    summary: "Add email addresses to your account",
    details: "The server may send a message to confirm each address.",
    async targets(typed, { system }) {
      const all = await readTargets(typed, system);
      const problem = all.map(emailProblem).find((one) => one !== undefined);
      if (problem !== undefined) throw new UsageError(`Invalid email address: ${problem}`);
      return all;
    },
    async work({ email }, { http }) {
      const all = await call(http, ownEmailAdd, {}, { emails: [email] });
      return all.find((one) => one.email.toLowerCase() === email.toLowerCase());
    },
    examples: [["Add an address", "tongs user email add mara@harbor.example.org"]],
  }),
  delete: emails.each({
    verb: ["delete", "deleted"],
    effect: "destroy",
    summary: "Delete email addresses from your account",
    details: "The primary address cannot be deleted.",
    exits: { refused: "the address is the primary one" },
    async target({ http }): Promise<(typed: string) => Address> {
      const own = await collect(call(http, ownEmailList, {}));
      return (typed) => own.find((one) => one.email.toLowerCase() === typed.toLowerCase()) ?? { email: typed };
    },
    async work({ email, primary }, { http }) {
      // Servers answer this with 500 (docs/server-differences.md, "Keys and applications").
      if (primary) throw new Failure("refused", `${email} is your primary email address`);
      await call(http, ownEmailDelete, {}, { emails: [email] });
    },
    examples: [["Delete an address", "tongs user email delete mara@harbor.example.org --yes"]],
  }),
};
