import { defineCommand } from "../../../app/define.ts";
import { text, toggle } from "../../../command/flags.ts";
import { ownEmailList } from "../../../forge/account.ts";
import { type Email, email, emailList, emailSearch } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";
import { styled } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

/** The columns of a list of e-mail addresses. */
export const emailColumns = [
  column<Email>("EMAIL", "email", { style: "strong", flexible: true }),
  column<Email>("USER", "username"),
  column<Email>("PRIMARY", "primary", (item) => (item.primary ? "primary" : "")),
  column<Email>("VERIFIED", "verified", (item) => (item.verified ? "verified" : styled("warn", "not verified"))),
];

/** `tongs user email list`: GET /admin/emails or its search, or GET /user/emails. */
export const list = defineCommand({
  summary: "List the email addresses of all users, or your own",
  on: "server",
  effect: "read",
  lists: ["email address", "email addresses"],
  flags: {
    query: text("search in email address and username", { placeholder: "TEXT", filters: true }),
    own: toggle("list only your own addresses, which does not require an administrator"),
  },
  exclusive: [["query", "own"]],
  output: listOf(email),
  examples: [
    ["Find the user with an email address", "tongs user email list --query mara@example.org"],
    ["List your own addresses", "tongs user email list --own"],
  ],
  async run({ flags, http, out }) {
    const ofAll = () =>
      flags.query === undefined ? call(http, emailList, {}) : call(http, emailSearch, { q: flags.query });
    await out.list(flags.own ? call(http, ownEmailList, {}) : ofAll(), emailColumns);
  },
});
