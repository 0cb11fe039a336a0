import { defineCommand } from "../../../app/define.ts";
import { currentUser } from "../../../app/shared.ts";
import { one, optional } from "../../../command/args.ts";
import { toggle } from "../../../command/flags.ts";
import { call } from "../../../forge/operation.ts";
import {
  type OrgPermissions,
  orgGet,
  orgMemberCheck,
  orgPermissionGet,
  orgPermissions,
  orgPublicMemberCheck,
} from "../../../forge/orgs.ts";
import type { Sheet } from "../../../output/sheet.ts";

/** `tongs org member check`: GET the membership of a user; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether a user is a member of an organization",
  details: "If you are not a member, only public members are found.",
  on: "server",
  effect: "read",
  args: { org: one("organization"), user: one("username") },
  flags: { public: toggle("check whether the membership is public") },
  exits: { ok: "a member", failure: "not a member" },
  examples: [["Check in a script", "if tongs org member check tidewater jonas; then echo yes; fi"]],
  async run({ args, flags, http, out }) {
    const { org, user } = args;
    const found = await (flags.public
      ? call(http, orgPublicMemberCheck, { org, username: user })
      : call(http, orgMemberCheck, { org, username: user }));
    // The answer is the same for an unknown organization, which is an error here.
    if (!found) await call(http, orgGet, { org });
    out.note(`${user} is ${found ? "" : "not "}a ${flags.public ? "public " : ""}member of ${org}`);
    return found ? undefined : "failure";
  },
});

/** `tongs org member permission`: GET what a user may do in an organization. */
export const permission = defineCommand({
  summary: "View what a user may do in an organization",
  on: "server",
  effect: "read",
  args: { org: one("organization"), user: optional("username (default: you)") },
  output: orgPermissions,
  examples: [["Check whether you may create repositories", "tongs org member permission tidewater"]],
  async run(context) {
    const { args, http, out } = context;
    const user = args.user ?? (await currentUser(context));
    await out.record(await call(http, orgPermissionGet, { username: user, org: args.org }), (found) =>
      sheet(user, found),
    );
  },
});

function sheet(user: string, found: OrgPermissions): Sheet {
  return {
    title: user,
    fields: [
      ["owner", found.is_owner],
      ["administrator", found.is_admin],
      ["can write", found.can_write],
      ["can read", found.can_read],
      ["can create repositories", found.can_create_repository],
    ],
  };
}
