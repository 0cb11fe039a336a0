import { byLogin } from "../../../app/by-login.ts";
import type { Command } from "../../../app/define.ts";
import { inServer, resource } from "../../../app/resource.ts";
import { Unchanged, unlessDone } from "../../../app/result.ts";
import { currentUser } from "../../../app/shared.ts";
import { pagePath } from "../../../app/web.ts";
import { text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { Failure } from "../../../failure/failure.ts";
import { blockUser, isBlocked, listBlocked, unblockUser } from "../../../forge/account.ts";
import { call } from "../../../forge/operation.ts";
import { type User, userGet } from "../../../forge/users.ts";
import { InvalidError } from "../../../http/errors.ts";
import { column } from "../../../output/table.ts";

const users = resource({
  ...inServer,
  ...byLogin,
  noun: ["user", "users"],
  a: "a user",
  argument: { ...byLogin.argument, source: "account" },
});

/** The verbs of `tongs user block`. */
export const verbs: Table<Command> = {
  list: users.list({
    summary: "List the users you blocked",
    lists: ["blocked user", "blocked users"],
    columns: [
      column<User>("ID", "id"),
      column<User>("NAME", "login", { style: "strong" }),
      column<User>("FULL NAME", "full_name", { flexible: true }),
    ],
    fetch: ({ http }) => listBlocked(http),
    page: () => pagePath("user/settings/blocked_users"),
    examples: [["List the users you blocked", "tongs user block list"]],
  }),
  add: users.each({
    verb: ["block", "blocked"],
    details:
      "A blocked user cannot open issues or pull requests in your repositories, comment on them, or follow you. You and " +
      "the user stop following each other.",
    flags: { note: text("note about the block, which only you can see") },
    async work({ login }, context) {
      const { flags, http } = context;
      // Forgejo says that it did, and does not.
      const own = await currentUser(context).catch(() => undefined);
      if (login.toLowerCase() === own?.toLowerCase()) throw new Failure("invalid", "You cannot block yourself");
      const record = () => call(http, userGet, { username: login });
      const unchanged = new Unchanged(`You already block ${login}`, record);
      const isSo = () => isBlocked(http, login);
      return (await unlessDone(blockUser(http, login, flags.note), InvalidError, isSo, unchanged)) ?? record;
    },
    examples: [["Block a user", "tongs user block add jonas"]],
  }),
  remove: users.each({
    verb: ["unblock", "unblocked"],
    async work({ login }, { http }) {
      const record = () => call(http, userGet, { username: login });
      const unchanged = new Unchanged(`You do not block ${login}`, record);
      const isSo = async () => !(await isBlocked(http, login));
      return (await unlessDone(unblockUser(http, login), InvalidError, isSo, unchanged)) ?? record;
    },
    examples: [["Unblock a user", "tongs user block remove jonas"]],
  }),
};
