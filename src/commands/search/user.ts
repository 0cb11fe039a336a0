import { defineCommand } from "../../app/define.ts";
import { filtered } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { userSearch } from "../../forge/search.ts";
import { type User, user as userRecord } from "../../forge/users.ts";
import { when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";

const columns = [
  column<User>("USERNAME", (one) => one.login),
  column<User>("FULL NAME", (one) => one.full_name, true),
  column<User>("CREATED", (one) => when(one.created)),
];

/** `tongs search user`: GET /users/search. */
export const user = defineCommand({
  summary: "Search for users",
  details: "Finds users whose name, full name or visible email address has the text.",
  on: "server",
  effect: "read",
  args: { text: one("part of a name") },
  output: list(userRecord),
  examples: [["Find users by name", "tongs search user mara"]],
  web: { page: ({ args }) => filtered("/explore/users", { q: args.text }) },
  async run({ args, http, out }) {
    await out.list(call(http, userSearch, { q: args.text }), columns);
  },
});
