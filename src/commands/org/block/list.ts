import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { type BlockedUser, blockedUser, isOrgBlocked, listOrgBlocks } from "../../../forge/org-blocks.ts";
import { orgGet } from "../../../forge/orgs.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<BlockedUser>(
    "NAME",
    "login",
    ({ login, block_id }) => login ?? (block_id === undefined ? "" : `user ${block_id}`),
  ),
  column<BlockedUser>("FULL NAME", "full_name", { flexible: true }),
  column<BlockedUser>("SINCE", "created_at", { as: "time" }),
];

/** `tongs org block list`: GET the users whom an organization blocks. */
export const list = defineCommand({
  summary: "List the users that an organization blocks",
  details: "Forgejo returns the IDs of the users, not their names.",
  on: "server",
  effect: "read",
  lists: ["blocked user", "blocked users"],
  args: { org: one("organization") },
  output: listOf(blockedUser),
  examples: [["List the blocked users", "tongs org block list tidewater"]],
  web: { page: ({ args }) => pagePath("org", args.org, "settings/blocked_users") },
  async run({ args, http, out }) {
    await out.list(listOrgBlocks(http, args.org), columns);
  },
});

/** `tongs org block check`: GET the block of a user; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether an organization blocks a user",
  on: "server",
  effect: "read",
  args: { org: one("organization"), user: one("username") },
  exits: { ok: "blocked", failure: "not blocked" },
  examples: [["Check in a script", "if tongs org block check tidewater priya; then echo yes; fi"]],
  async run({ args, http, out }) {
    const { org, user } = args;
    const found = await isOrgBlocked(http, org, user);
    // The answer is the same for an unknown organization, which is an error here.
    if (!found) await call(http, orgGet, { org });
    out.note(`${org} ${found ? "blocks" : "does not block"} ${user}`);
    return found ? undefined : "failure";
  },
});
