import { defineCommand } from "../../../app/define.ts";
import { text } from "../../../command/flags.ts";
import { email, emailList, emailSearch } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { emailColumns } from "../../user/email/list.ts";

/** `tongs admin email list`: GET /admin/emails, or GET /admin/emails/search. */
export const list = defineCommand({
  summary: "List the email addresses of all users",
  on: "server",
  effect: "read",
  lists: ["email address", "email addresses"],
  flags: { query: text("search in email address and username", { placeholder: "TEXT", filters: true }) },
  output: listOf(email),
  examples: [
    ["List all email addresses", "tongs admin email list --all"],
    ["Find a user by email address", "tongs admin email list --query mara@example.org"],
  ],
  async run({ flags, http, out }) {
    await out.list(
      flags.query === undefined ? call(http, emailList, {}) : call(http, emailSearch, { q: flags.query }),
      emailColumns,
    );
  },
});
