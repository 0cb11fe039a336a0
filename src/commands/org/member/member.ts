import { byLogin } from "../../../app/by-login.ts";
import { userColumns } from "../../../app/columns.ts";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import type { Command } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { explainLastOwner } from "../../../app/last-owner.ts";
import { resource } from "../../../app/resource.ts";
import { currentUser } from "../../../app/shared.ts";
import { pagePath } from "../../../app/web.ts";
import { any } from "../../../command/args.ts";
import { toggle } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { Failure } from "../../../failure/failure.ts";
import { call } from "../../../forge/operation.ts";
import {
  orgGet,
  orgMemberCheck,
  orgMemberConceal,
  orgMemberList,
  orgMemberPublish,
  orgMemberRemove,
  orgPublicMemberCheck,
  orgPublicMemberList,
} from "../../../forge/orgs.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { commandOn } from "../../../profiles/server.ts";
import { inOrg } from "../in-org.ts";

const members = resource({
  ...inOrg,
  ...byLogin,
  noun: ["member", "members"],
  a: "a member",
});

/** What `publish` and `conceal` are about: usernames, or else the signed-in user. */
const usersOrYou = {
  argument: any("usernames (default: you)", { dash: "lines" }),
  targets: async (typed: readonly string[], context: BaseContext & ServerContext) =>
    typed.length === 0 ? [await currentUser(context)] : readTargets(typed, context.system),
};

/** Throws if a user is no member: Gitea says that it published the membership of anyone. */
async function requireMember({ http, server }: ServerContext, org: string, username: string): Promise<void> {
  if (await call(http, orgMemberCheck, { org, username })) return;
  await call(http, orgGet, { org });
  throw new Failure("not_found", `${username} is not a member of ${org}`, {
    hint: `To add a member to a team, run: ${commandOn(server, `tongs team member add ${org}/TEAM ${username}`)}`,
  });
}

/** The verbs of `tongs org member`. */
export const verbs: Table<Command> = {
  list: members.list({
    summary: "List the members of an organization",
    details: "If you are not a member, only the public members are listed.",
    flags: { public: toggle("list only members whose membership is public", { filters: true }) },
    columns: userColumns,
    fetch: ({ flags, http, place: org }) =>
      flags.public ? call(http, orgPublicMemberList, { org }) : call(http, orgMemberList, { org }),
    page: ({ args }) => pagePath("org", args.org, "members"),
    examples: [["List the names of all members", "tongs org member list tidewater --all --jq '.[].login'"]],
  }),
  check: members.check({
    summary: "Check whether a user is a member of an organization",
    details: "If you are not a member, only public members are found.",
    flags: { public: toggle("check whether the membership is public") },
    holds: ({ login: username }, { flags, http, place: org }) =>
      flags.public
        ? call(http, orgPublicMemberCheck, { org, username })
        : call(http, orgMemberCheck, { org, username }),
    exists: (_, { http, place: org }) => call(http, orgGet, { org }),
    says: ({ login }, holds, { flags, place }) =>
      `${login} is ${holds ? "" : "not "}a ${flags.public ? "public " : ""}member of ${place}`,
    exits: { ok: "a member", failure: "not a member" },
    examples: [["Check in a script", "if tongs org member check tidewater jonas; then echo yes; fi"]],
  }),
  permission: () => import("./permission.ts").then((file) => file.permission),
  remove: members.each({
    verb: ["remove", "removed"],
    sends: orgMemberRemove,
    summary: "Remove members from an organization",
    details: "Removes the users from all teams of the organization. To add members, use: tongs team member add",
    // Several at a time could remove the last owners together.
    jobs: 1,
    exits: { refused: "the user is the last owner" },
    work: ({ login }, context) =>
      call(context.http, orgMemberRemove, { org: context.place, username: login }).catch(async (error: unknown) => {
        if (error instanceof NotFoundError)
          throw new NotFoundError(error.exchange, `User ${login} or ${context.place} not found`);
        throw await explainLastOwner(error, context, { org: context.place, user: login });
      }),
    examples: [["Remove a member", "tongs org member remove tidewater jonas --yes"]],
  }),
  publish: members.each({
    ...usersOrYou,
    verb: ["publish", "published"],
    already: "public",
    summary: "Make memberships of an organization public",
    details: "On Gitea, owners can change any member; on Forgejo, only your own membership.",
    leavesNothing: true,
    async work({ login }, context) {
      const { http, place: org } = context;
      await requireMember(context, org, login);
      return call(http, orgMemberPublish, { org, username: login });
    },
    says: (login, _, { place }) => `Made the membership of ${login} in ${place} public`,
    examples: [["Make your membership public", "tongs org member publish tidewater"]],
  }),
  conceal: members.each({
    ...usersOrYou,
    verb: ["conceal", "concealed"],
    summary: "Conceal memberships of an organization",
    leavesNothing: true,
    work: ({ login }, { http, place }) => call(http, orgMemberConceal, { org: place, username: login }),
    says: (login, _, { place }) => `Concealed the membership of ${login} in ${place}`,
    examples: [["Conceal your membership", "tongs org member conceal tidewater"]],
  }),
};
