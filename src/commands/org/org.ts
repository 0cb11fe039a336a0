import { readAvatar } from "../../app/avatar.ts";
import { orgColumns, repositoryColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { bodyOf } from "../../app/fields.ts";
import { listCommand } from "../../app/list-command.ts";
import { checkOrgName, orgFields } from "../../app/org-fields.ts";
import { inServer, resource } from "../../app/resource.ts";
import { pagePath } from "../../app/web.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one, optional } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import { orgActivityList } from "../../forge/activities.ts";
import { call } from "../../forge/operation.ts";
import {
  editOrg,
  orgAvatarDelete,
  orgAvatarSet,
  orgCreate,
  orgGet,
  orgList,
  orgRename,
  orgRepoList,
  ownOrgList,
} from "../../forge/orgs.ts";
import { repository } from "../../forge/repos.ts";
import { type Organization, organization, orgName, userOrgList } from "../../forge/users.ts";
import { addressText } from "../../profiles/server.ts";
import { dateFlag, feed } from "../activity.ts";

const organizations = resource({
  ...inServer,
  noun: ["organization", "organizations"],
  a: "an organization",
  record: organization,
  argument: { key: "org", one: "organization", many: "organizations" },
  get: (org, { http }) => call(http, orgGet, { org }),
  name: (org: Organization) => `organization ${orgName(org)}`,
});

/** The verbs of `tongs org`. */
export const verbs: Table<Command> = {
  list: listCommand({
    summary: "List organizations",
    details: "For another user, lists only organizations whose members you can see.",
    on: "server",
    lists: ["organization", "organizations"],
    args: { user: optional("user whose organizations to list (default: you)") },
    flags: { visible: toggle("list all organizations of the server that you can see") },
    record: organization,
    columns: orgColumns,
    fetch({ args: { user: username }, flags, http }) {
      if (flags.visible && username !== undefined) throw new UsageError("--visible cannot be used with a user");
      if (flags.visible) return call(http, orgList, {});
      return username === undefined ? call(http, ownOrgList, {}) : call(http, userOrgList, { username });
    },
    page: ({ args, flags }) =>
      flags.visible
        ? pagePath("explore/organizations")
        : args.user === undefined
          ? pagePath("user/settings/organization")
          : pagePath(args.user),
    pageUses: ["visible"],
    examples: [
      ["List your organizations", "tongs org list"],
      ["List all organizations of the server", "tongs org list --visible --all"],
    ],
  }),
  view: organizations.view({
    sheet: (org) => ({
      title: orgName(org),
      fields: [
        ["full name", org.full_name],
        ["description", org.description],
        ["visibility", org.visibility],
        ["email", org.email],
        ["website", org.website],
        ["location", org.location],
        ["repository administrators change teams", org.repo_admin_change_team_access],
        ["id", org.id],
      ],
    }),
    page: (_context, _place, org) => pagePath(org),
    examples: [["View an organization", "tongs org view tidewater"]],
  }),
  create: organizations.create({
    args: { name: one("name of the organization") },
    flags: orgFields,
    body({ args, flags }) {
      checkOrgName(args.name);
      return { ...bodyOf(orgFields, flags), username: args.name };
    },
    send: (body, { http }) => call(http, orgCreate, {}, body),
    prints: (created, { server }) => `${addressText(server.base)}/${orgName(created)}`,
    examples: [
      ["Create an organization", "tongs org create tidewater --full-name 'Tidewater Charts'"],
      ["Create a private organization", "tongs org create tidewater --visibility private"],
    ],
  }),
  edit: organizations.edit({
    flags: orgFields,
    body: ({ flags }) => bodyOf(orgFields, flags),
    send: (before, body, { http }) => editOrg(http, before, body),
    examples: [["Change the description", "tongs org edit tidewater --description 'Charts of the coast'"]],
  }),
  delete: () => import("./delete.ts").then((file) => file.remove),
  rename: () => rename(),
  activity: listCommand({
    ...feed,
    summary: "List the activity in an organization, newest first",
    details: "The list is empty for a private organization that you are not a member of.",
    on: "server",
    args: { org: one("organization") },
    flags: { date: dateFlag },
    fetch: ({ args: { org }, flags: { date }, http }) => call(http, orgActivityList, { org, date }),
    examples: [["List what happened on a day", "tongs org activity tidewater --date 2026-03-31 --all"]],
  }),
  member: noun("Manage organization members", () => import("./member/member.ts")),
  block: noun("Block users from organizations", () => import("./block/block.ts")),
  repo: {
    summary: "Manage organization repositories",
    verbs: async () => ({
      list: listCommand({
        summary: "List the repositories of an organization",
        on: "server",
        lists: ["repository", "repositories"],
        args: { org: one("organization") },
        record: repository,
        columns: repositoryColumns,
        fetch: ({ args: { org }, http }) => call(http, orgRepoList, { org }),
        page: ({ args }) => pagePath(args.org),
        examples: [["List the repositories of an organization", "tongs org repo list tidewater --all"]],
      }),
      delete: () => import("./delete-repositories.ts").then((file) => file.remove),
    }),
  },
  avatar: {
    summary: "Manage organization avatars",
    verbs: async () => ({
      set: writeCommand({
        summary: "Set the avatar of an organization",
        details: "The image is a png, jpeg, gif or webp file.",
        on: "server",
        result: "set",
        args: { org: one("organization"), file: one("image file", { dash: "stdin", names: "input file" }) },
        async work({ args: { org, file }, http, system }) {
          await call(http, orgAvatarSet, { org }, { image: await readAvatar(file, system) });
          return { done: `Set the avatar of ${org}` };
        },
        examples: [["Set the avatar", "tongs org avatar set tidewater anchor.png"]],
      }),
      delete: writeCommand({
        summary: "Delete the avatar of an organization",
        on: "server",
        result: "deleted",
        args: { org: one("organization") },
        asks: ({ args }) => ({ what: `Delete the avatar of ${args.org}`, sends: orgAvatarDelete }),
        async work({ args: { org }, http }) {
          await call(http, orgAvatarDelete, { org });
          return { done: `Deleted the avatar of ${org}`, already: `${org} has no avatar` };
        },
        examples: [["Delete the avatar", "tongs org avatar delete tidewater --yes"]],
      }),
    }),
  },
};

/** `tongs org rename`: POST /orgs/{org}/rename, which Forgejo lacks. */
const rename = writeCommand({
  summary: "Rename an organization",
  details:
    "The server redirects from the old name until someone else takes it. To update clones of its " +
    "repositories, run: git remote set-url",
  on: "server",
  needs: [orgRename],
  args: { org: one("organization"), name: one("new name") },
  output: organization,
  examples: [["Rename an organization", "tongs org rename tidewater lowwater"]],
  async work({ args: { org, name }, http, server }) {
    checkOrgName(name);
    const prints = `${addressText(server.base)}/${name}`;
    if (name === org) {
      const record = await call(http, orgGet, { org });
      return { done: `No change: ${org} has this name`, unchanged: true, prints, record };
    }
    await call(http, orgRename, { org }, { new_name: name });
    // Servers ignore the case of names.
    const isOther = name.toLowerCase() !== org.toLowerCase();
    return {
      done: `Renamed organization ${org} to ${name}`,
      prints,
      record: () => call(http, orgGet, { org: name }),
      notes: isOther ? [`${org} redirects to ${name} until someone else takes that name.`] : [],
    };
  },
});
