import { emailColumns } from "../../app/columns.ts";
import type { BaseContext } from "../../app/context.ts";
import type { Command } from "../../app/define.ts";
import { bodyOf } from "../../app/fields.ts";
import { readTargets } from "../../app/input.ts";
import { listCommand } from "../../app/list-command.ts";
import { checkOrgName, createdOrgFields } from "../../app/org-fields.ts";
import { currentUser } from "../../app/shared.ts";
import { batchCommand, writeCommand } from "../../app/write-command.ts";
import { many, one } from "../../command/args.ts";
import { choice, text } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  allOrgList,
  type ListedOrganization,
  listedOrganization,
  unadoptedAdopt,
  unadoptedDelete,
  unadoptedList,
  userOrgCreate,
} from "../../forge/admin.ts";
import { email, emailList, emailSearch } from "../../forge/admin-users.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { organization, visibilities } from "../../forge/users.ts";
import { notFound } from "../../http/errors.ts";
import { column, wordColumn } from "../../output/table.ts";
import { addressText } from "../../profiles/server.ts";
import type { RepoName } from "../../repo/repo-name.ts";
import { string } from "../../shape/shape.ts";
import { percentEncoded } from "../../text/percent.ts";

/** What the verbs for unadopted repositories have alike. */
const givenUnadopted = {
  on: "server",
  args: { repository: many("repositories as OWNER/NAME", { dash: "lines" }) },
  async targets({ args, system }: BaseContext & { readonly args: { readonly repository: readonly string[] } }) {
    const targets = await readTargets(args.repository, system);
    for (const target of targets) ownerAndName(target);
    return targets;
  },
} as const;

function ownerAndName(target: string): RepoName {
  const [owner = "", name = "", ...rest] = target.split("/");
  if (owner === "" || name === "" || rest.length > 0) throw new UsageError(`'${target}' is not OWNER/NAME`);
  return { owner, name };
}

/** Says that a repository is not on the disk, or is one that the server knows already. */
const notUnadopted = (target: string) =>
  notFound(`Unadopted repository ${target}`, "To see them, run: tongs admin unadopted list");

/** The verbs of `tongs admin`. */
export const verbs: Table<Command> = {
  cron: noun("List and run cron tasks", () => import("./cron.ts")),
  org: {
    summary: "List and create organizations",
    verbs: async () => ({
      list: listCommand({
        summary: "List all organizations of the server",
        on: "server",
        lists: ["organization", "organizations"],
        flags: {
          query: text("search in name and full name", { placeholder: "TEXT", filters: true }),
          visibility: choice(visibilities, "only organizations with this visibility", { filters: true }),
        },
        record: listedOrganization,
        columns: [
          column<ListedOrganization>("NAME", "name", { style: "strong" }),
          column<ListedOrganization>("FULL NAME", "full_name", { flexible: true }),
          column<ListedOrganization>("VISIBILITY", "visibility"),
          column<ListedOrganization>("DESCRIPTION", "description", { flexible: true }),
        ],
        fetch({ flags, http }) {
          const query = flags.query?.toLowerCase() ?? "";
          const matches = (org: ListedOrganization) =>
            [org.name, org.full_name].some((name) => name?.toLowerCase().includes(query) === true) &&
            (flags.visibility === undefined || org.visibility === flags.visibility);
          const all = call(http, allOrgList, {});
          return query === "" && flags.visibility === undefined ? all : filterListing(all, matches);
        },
        examples: [["List the private organizations", "tongs admin org list --visibility private"]],
      }),
      create: writeCommand({
        summary: "Create an organization for a user",
        on: "server",
        args: { name: one("name of the organization") },
        flags: {
          owner: text("user who owns the organization (default: you)", { placeholder: "USER" }),
          ...createdOrgFields,
        },
        output: organization,
        async work(context) {
          const { args, flags, http, server } = context;
          checkOrgName(args.name);
          const owner = flags.owner ?? (await currentUser(context));
          const body = { username: args.name, ...bodyOf(createdOrgFields, flags) };
          const record = await call(http, userOrgCreate, { username: owner }, body);
          const prints = `${addressText(server.base)}/${percentEncoded(record.name)}`;
          return { done: `Created organization ${record.name}, owned by ${owner}`, prints, record };
        },
        examples: [["Create an organization that mara owns", "tongs admin org create tidewater --owner mara"]],
      }),
    }),
  },
  unadopted: {
    summary: "Adopt or delete repositories on disk",
    verbs: async () => ({
      // Filtered by tongs (docs/server-differences.md, "Server information").
      list: listCommand({
        summary: "List unadopted repositories",
        details: "Unadopted repositories are on the server's disk, but not in its database.",
        on: "server",
        lists: ["unadopted repository", "unadopted repositories"],
        flags: { query: text("search in OWNER/NAME", { placeholder: "TEXT", filters: true }) },
        record: string,
        columns: [wordColumn("NAME")],
        fetch({ flags, http }) {
          const query = flags.query?.toLowerCase();
          const all = call(http, unadoptedList, {});
          return query === undefined ? all : filterListing(all, (name) => name.toLowerCase().includes(query));
        },
        examples: [["List the unadopted repositories", "tongs admin unadopted list"]],
      }),
      adopt: batchCommand({
        ...givenUnadopted,
        summary: "Adopt repositories that are on the server's disk",
        result: "adopted",
        exits: { partly: "some repositories were adopted, some failed" },
        async work(target, { http, server }) {
          await call(http, unadoptedAdopt, { repo: ownerAndName(target) }).catch(notUnadopted(target));
          return { done: `Adopted ${target}`, prints: `${addressText(server.base)}/${target}` };
        },
        examples: [["Adopt a repository", "tongs admin unadopted adopt mara/foundling"]],
      }),
      delete: batchCommand({
        ...givenUnadopted,
        summary: "Delete unadopted repositories from the server's disk",
        result: "deleted",
        exits: { partly: "some repositories were deleted, some failed" },
        asks: ([first = "", ...others]) =>
          others.length === 0
            ? { what: `Delete the files of ${first}`, typed: first, sends: unadoptedDelete }
            : { what: `Delete the files of ${others.length + 1} repositories`, sends: unadoptedDelete },
        async work(target, { http }) {
          await call(http, unadoptedDelete, { repo: ownerAndName(target) }).catch(notUnadopted(target));
          return { done: `Deleted the files of ${target}` };
        },
        examples: [["Delete an unadopted repository", "tongs admin unadopted delete mara/wreck --yes"]],
      }),
    }),
  },
  email: {
    summary: "List users' email addresses",
    verbs: async () => ({
      list: listCommand({
        summary: "List the email addresses of all users",
        on: "server",
        lists: ["email address", "email addresses"],
        flags: { query: text("search in email address and username", { placeholder: "TEXT", filters: true }) },
        record: email,
        columns: emailColumns,
        fetch: ({ flags: { query: q }, http }) =>
          q === undefined ? call(http, emailList, {}) : call(http, emailSearch, { q }),
        examples: [
          ["List all email addresses", "tongs admin email list --all"],
          ["Find a user by email address", "tongs admin email list --query mara@example.org"],
        ],
      }),
    }),
  },
};
