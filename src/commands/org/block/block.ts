import { byLogin } from "../../../app/by-login.ts";
import type { Command } from "../../../app/define.ts";
import { listCommand } from "../../../app/list-command.ts";
import { resource } from "../../../app/resource.ts";
import { Unchanged, unlessDone } from "../../../app/result.ts";
import { pagePath } from "../../../app/web.ts";
import { text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import {
  type BlockedUser,
  blockedUser,
  blockInOrg,
  isOrgBlocked,
  listOrgBlocks,
  orgBlockAdd,
  unblockInOrg,
} from "../../../forge/org-blocks.ts";
import { orgGet } from "../../../forge/orgs.ts";
import { InvalidError } from "../../../http/errors.ts";
import { column } from "../../../output/table.ts";
import { inOrg } from "../in-org.ts";

const users = resource({
  ...inOrg,
  ...byLogin,
  noun: ["user", "users"],
  a: "a user",
});

/** The verbs of `tongs org block`. */
export const verbs: Table<Command> = {
  // Forgejo's records are no users.
  list: listCommand({
    summary: "List the users that an organization blocks",
    details: "Forgejo returns the IDs of the users, not their names.",
    on: "server",
    lists: ["blocked user", "blocked users"],
    args: inOrg.args,
    record: blockedUser,
    columns: [
      column<BlockedUser>("NAME", "login", ({ login, block_id }) => login ?? (block_id ? `user ${block_id}` : "")),
      column<BlockedUser>("FULL NAME", "full_name", { flexible: true }),
      column<BlockedUser>("SINCE", "created_at", { as: "time" }),
    ],
    fetch: ({ args, http }) => listOrgBlocks(http, args.org),
    page: ({ args }) => pagePath("org", args.org, "settings/blocked_users"),
    examples: [["List the blocked users", "tongs org block list tidewater"]],
  }),
  check: users.check({
    summary: "Check whether an organization blocks a user",
    holds: ({ login }, { http, place }) => isOrgBlocked(http, place, login),
    exists: (_, { http, place: org }) => call(http, orgGet, { org }),
    says: ({ login }, holds, { place }) => `${place} ${holds ? "blocks" : "does not block"} ${login}`,
    exits: { ok: "blocked", failure: "not blocked" },
    examples: [["Check in a script", "if tongs org block check tidewater priya; then echo yes; fi"]],
  }),
  add: users.each({
    verb: ["block", "blocked"],
    summary: "Block users from an organization",
    flags: { note: text("note about the block, for owners", { needs: [orgBlockAdd] }) },
    leavesNothing: true,
    work: ({ login }, { flags, http, place }) =>
      unlessDone(
        blockInOrg(http, place, login, flags.note),
        InvalidError,
        () => isOrgBlocked(http, place, login),
        new Unchanged(`${place} already blocks ${login}`),
      ),
    says: (login, _, { place }) => `Blocked ${login} from ${place}`,
    examples: [["Block a user", "tongs org block add tidewater priya --note spam"]],
  }),
  remove: users.each({
    verb: ["unblock", "unblocked"],
    summary: "Unblock users of an organization",
    leavesNothing: true,
    work: ({ login }, { http, place }) =>
      unlessDone(
        unblockInOrg(http, place, login),
        InvalidError,
        async () => !(await isOrgBlocked(http, place, login)),
        new Unchanged(`${place} does not block ${login}`),
      ),
    says: (login, _, { place }) => `Unblocked ${login} from ${place}`,
    examples: [["Unblock a user", "tongs org block remove tidewater priya"]],
  }),
};
