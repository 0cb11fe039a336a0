import { batch } from "../../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { currentUser } from "../../../app/shared.ts";
import { any, one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { orgMemberConceal, orgMemberPublish } from "../../../forge/orgs.ts";
import { accountLabel } from "../../../profiles/server.ts";

const args = {
  org: one("organization"),
  user: any("usernames (default: you); - reads them from stdin, one per line"),
};

/** `tongs org member publish`: PUT /orgs/{org}/public_members/{username} for each. */
export const publish = defineCommand({
  summary: "Make memberships of an organization public",
  details: "On Gitea, owners can do this for other members, too; on Forgejo, members can do it only for themselves.",
  on: "server",
  effect: "write",
  args,
  exits: { partly: "some memberships were made public, some failed" },
  examples: [["Make your membership public", "tongs org member publish tidewater"]],
  async run(context) {
    const { http, server } = context;
    const { org, user } = context.args;
    const work = async (name: string) => {
      await call(http, orgMemberPublish, { org, username: name });
      return { message: `Made the membership of ${name} in ${org} public ${accountLabel(server)}` };
    };
    return batch(await usersOrMe(user, context), work, context);
  },
});

/** `tongs org member conceal`: DELETE /orgs/{org}/public_members/{username} for each. */
export const conceal = defineCommand({
  summary: "Conceal memberships of an organization",
  on: "server",
  effect: "write",
  args,
  exits: { partly: "some memberships were concealed, some failed" },
  examples: [["Conceal your membership", "tongs org member conceal tidewater"]],
  async run(context) {
    const { http, server } = context;
    const { org, user } = context.args;
    const work = async (name: string) => {
      await call(http, orgMemberConceal, { org, username: name });
      return { message: `Concealed the membership of ${name} in ${org} ${accountLabel(server)}` };
    };
    return batch(await usersOrMe(user, context), work, context);
  },
});

async function usersOrMe(typed: readonly string[], context: BaseContext & ServerContext): Promise<string[]> {
  return typed.length === 0 ? [await currentUser(context)] : readTargets(typed, context.system);
}
