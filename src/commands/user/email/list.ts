import { defineCommand } from "../../../app/define.ts";
import { text } from "../../../command/flags.ts";
import { type Email, email } from "../../../forge/admin-users.ts";
import { styled } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<Email>("EMAIL", (item) => styled("strong", item.email), true),
  column<Email>("USER", (item) => item.username),
  column<Email>("PRIMARY", (item) => (item.primary ? "primary" : "")),
  column<Email>("VERIFIED", (item) => (item.verified ? "verified" : styled("warn", "not verified"))),
];

/** `tongs user email list`: GET /admin/emails, or its search. */
export const list = defineCommand({
  summary: "List the email addresses of all users",
  on: "server",
  effect: "read",
  flags: { query: text("search in email address and user name", { placeholder: "TEXT" }) },
  output: listOf(email),
  examples: [["Find the user with an email address", "tongs user email list --query mara@example.org"]],
  async run({ flags, forge, out }) {
    const { emails, searchEmails } = forge.adminUsers;
    await out.list(flags.query === undefined ? emails() : searchEmails(flags.query), columns);
  },
});
