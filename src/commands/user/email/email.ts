import { emailColumns } from "../../../app/columns.ts";
import type { Command } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { inAccount, resource } from "../../../app/resource.ts";
import { optional } from "../../../command/args.ts";
import { text, toggle } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { ownEmailAdd, ownEmailDelete, ownEmailList } from "../../../forge/account.ts";
import { emailProblem } from "../../../forge/account-rules.ts";
import {
  type Email,
  email,
  emailList,
  emailSearch,
  userEmailDelete,
  userEmailList,
} from "../../../forge/admin-users.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";

type Address = Pick<Email, "email"> & { readonly primary?: boolean | undefined };

const common = {
  noun: ["email address", "email addresses"],
  a: "an email address",
  record: email,
  argument: { key: "email", one: "email address", many: "email addresses" },
  name: ({ email }: Address) => email,
} as const;

const emails = resource({
  ...inAccount,
  ...common,
  target:
    () =>
    (typed): Address => ({ email: typed }),
});

/** The same of a user, for administrators. */
const deletable = resource({
  ...common,
  on: "server",
  flags: {
    user: text("delete from the account of this user, as an administrator", {
      placeholder: "USER",
      source: "account",
      needs: [userEmailDelete],
    }),
  },
  place: ({ flags: { user } }) => (user === undefined ? "your account" : `user ${user}`),
  where: String,
});

/** The verbs of `tongs user email`. */
export const verbs: Table<Command> = {
  list: emails.list({
    summary: "List the email addresses of all users, of one, or your own",
    args: { user: optional("username (default: all users)", { source: "account" }) },
    flags: {
      query: text("search in email address and username", { placeholder: "TEXT", filters: true }),
      own: toggle("list only your own addresses, which does not require an administrator"),
    },
    exclusive: [["query", "own"]],
    columns: emailColumns,
    check({ args: { user }, flags: { own, query } }) {
      if (user !== undefined && (own || query !== undefined))
        throw new UsageError("Specify only one of USER, --own or --query");
    },
    fetch({ args: { user: username }, flags: { own, query: q }, http }) {
      if (username !== undefined) return call(http, userEmailList, { username });
      if (own) return call(http, ownEmailList, {});
      return q === undefined ? call(http, emailList, {}) : call(http, emailSearch, { q });
    },
    examples: [
      ["Find the user with an email address", "tongs user email list --query mara@example.org"],
      ["List your own addresses", "tongs user email list --own"],
      ["List the addresses of a user", "tongs user email list mara"],
    ],
  }),
  add: emails.each({
    verb: ["add", "added"],
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
  delete: deletable.delete({
    sends: ownEmailDelete,
    summary: "Delete email addresses from your account, or a user's",
    details: "The primary address cannot be deleted.",
    exits: { refused: "the address is the primary one" },
    async target({ flags: { user: username }, http }): Promise<(typed: string) => Address> {
      const all = username === undefined ? call(http, ownEmailList, {}) : call(http, userEmailList, { username });
      const addresses = await collect(all);
      return (typed) => {
        const found = addresses.find((one) => one.email.toLowerCase() === typed.toLowerCase());
        if (found !== undefined) return found;
        // Forgejo answers the deletion of an unknown one with 204.
        throw new Failure("not_found", `${typed} is not an email address of ${username ?? "your account"}`);
      };
    },
    async work({ email, primary }, { flags: { user: username }, http }) {
      // Servers answer this with 500 (docs/server-differences.md, "Keys and applications").
      const whose = username === undefined ? "your primary email address" : `the primary email address of ${username}`;
      if (primary) throw new Failure("refused", `${email} is ${whose}`);
      const body = { emails: [email] };
      await (username === undefined
        ? call(http, ownEmailDelete, {}, body)
        : call(http, userEmailDelete, { username }, body));
    },
    examples: [
      ["Delete an address", "tongs user email delete mara@harbor.example.org --yes"],
      ["Delete an address of a user", "tongs user email delete mara@harbor.example.org --user mara --yes"],
    ],
  }),
};
