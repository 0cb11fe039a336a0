import { many } from "../../command/args.ts";
import type { User } from "../../forge/users.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

/** Users by name, `-` for stdin. */
export const userNames = many("user names; - reads them from stdin, one a line");

/** An account in one line, for people who are not its administrator. */
export const personColumns = [
  column<User>("NAME", (user) => styled("strong", user.login)),
  column<User>("FULL NAME", (user) => user.full_name, true),
  column<User>("LOCATION", (user) => user.location, true),
  column<User>("FOLLOWERS", (user) => user.followers_count),
  column<User>("JOINED", (user) => when(user.created)),
];
