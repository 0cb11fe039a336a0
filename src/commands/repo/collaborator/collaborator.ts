import { byLogin } from "../../../app/by-login.ts";
import { userColumns } from "../../../app/columns.ts";
import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { currentUser } from "../../../app/shared.ts";
import { viewCommand } from "../../../app/view-command.ts";
import { repoPage } from "../../../app/web.ts";
import { optional } from "../../../command/args.ts";
import { choiceOr } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { Failure } from "../../../failure/failure.ts";
import {
  collaboratorAdd,
  collaboratorCheck,
  collaboratorList,
  collaboratorPermission,
  collaboratorPermissionGet,
  collaboratorRemove,
  permissions,
} from "../../../forge/collaborators.ts";
import { call } from "../../../forge/operation.ts";
import { repoGet } from "../../../forge/repos.ts";
import { HttpError, NotFoundError } from "../../../http/errors.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { repoArgument } from "../arguments.ts";

/** Explains an unknown user, which is 422 or 404 here (docs/server-differences.md, "Repositories"). */
function explainUnknownUser(user: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HttpError) || !/^user does not exist/.test(error.serverMessage)) throw error;
    throw new NotFoundError(error.exchange, `User ${user} not found on ${error.exchange.server}`);
  };
}

const collaborators = resource({
  ...inRepository,
  ...byLogin,
  noun: ["collaborator", "collaborators"],
  a: "a collaborator",
  argument: { ...byLogin.argument, source: "account" },
});

/** The verbs of `tongs repo collaborator`. */
export const verbs: Table<Command> = {
  list: collaborators.list({
    summary: "List the collaborators of a repository",
    details: "The owner, and members of teams with access, are not collaborators.",
    args: { repo: repoArgument },
    columns: userColumns,
    fetch: ({ http, repo }) => call(http, collaboratorList, { repo }),
    page: ({ repo }) => repoPage(repo, "settings", "collaboration"),
    examples: [["List the collaborators", "tongs repo collaborator list mara/harbor"]],
  }),
  add: collaborators.each({
    verb: ["add", "added"],
    summary: "Add collaborators to a repository",
    details: "Changes the permission of users who are collaborators already.",
    flags: { permission: choiceOr(permissions, "write", "what the collaborators may do", { short: "p" }) },
    output: collaboratorPermission,
    exits: { refused: "the user owns the repository" },
    async work({ login: collaborator }, { flags: { permission }, http, repo }) {
      // Servers list the owner as a collaborator then, who stays the owner.
      if (collaborator.toLowerCase() === repo.owner.toLowerCase())
        throw new Failure("refused", `${repo.owner} owns ${fullName(repo)}`);
      await call(http, collaboratorAdd, { repo, collaborator }, { permission }).catch(explainUnknownUser(collaborator));
      return () => call(http, collaboratorPermissionGet, { repo, collaborator });
    },
    says: (login, where, { flags }) => `Added ${login} to ${where} (${flags.permission})`,
    examples: [
      ["Add a collaborator who can write", "tongs repo collaborator add jonas"],
      ["Add two collaborators who can read", "tongs repo collaborator add jonas priya --permission read"],
    ],
  }),
  remove: collaborators.each({
    verb: ["remove", "removed"],
    summary: "Remove collaborators from a repository",
    leavesNothing: true,
    work: ({ login: collaborator }, { http, repo }) =>
      call(http, collaboratorRemove, { repo, collaborator }).catch(explainUnknownUser(collaborator)),
    examples: [["Remove a collaborator", "tongs repo collaborator remove jonas"]],
  }),
  check: collaborators.check({
    summary: "Check whether a user is a collaborator of a repository",
    holds: ({ login: collaborator }, { http, repo }) =>
      call(http, collaboratorCheck, { repo, collaborator }).catch(explainUnknownUser(collaborator)),
    exists: (_, { http, repo }) => call(http, repoGet, { repo }),
    says: ({ login }, holds, { repo }) => `${login} is ${holds ? "" : "not "}a collaborator of ${fullName(repo)}`,
    exits: { ok: "a collaborator", failure: "not a collaborator" },
    examples: [["Check in a script", "if tongs repo collaborator check jonas; then echo yes; fi"]],
  }),
  permission: viewCommand({
    summary: "View a user's permission for a repository",
    details: "The access that a team gives to single units does not count.",
    on: "repository",
    args: { user: optional("username (default: you)") },
    record: collaboratorPermission,
    async fetch(context) {
      const { args, http, repo } = context;
      const collaborator = args.user ?? (await currentUser(context));
      return call(http, collaboratorPermissionGet, { repo, collaborator }).catch(explainUnknownUser(collaborator));
    },
    sheet: ({ permission, role_name, user }, { args }) => ({
      title: user?.login ?? args.user ?? "",
      fields: [
        ["permission", permission],
        ["role", role_name === permission ? undefined : role_name],
      ],
    }),
    examples: [["Print a user's permission", "tongs repo collaborator permission jonas --jq .permission"]],
  }),
};
