import { defineCommand } from "../../app/define.ts";
import { filtered } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { userSearch } from "../../forge/search.ts";
import { type User, user as userRecord } from "../../forge/users.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";

const columns = [
  column<User>("USERNAME", "login"),
  column<User>("FULL NAME", "full_name", { flexible: true }),
  column<User>("CREATED", "created", { as: "time" }),
];

/** `tongs search user`: GET /users/search. */
export const user = defineCommand({
  summary: "Search for users",
  details: "Searches user name, full name and public email.",
  on: "server",
  effect: "read",
  lists: ["user", "users"],
  args: { text: one("part of a name") },
  output: list(userRecord),
  examples: [["Find users by name", "tongs search user mara"]],
  web: { page: ({ args }) => filtered("/explore/users", { q: args.text }) },
  async run({ args, http, out }) {
    await out.list(call(http, userSearch, { q: args.text }), columns);
  },
});
