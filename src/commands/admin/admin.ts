import { emailColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { choice, text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { allOrgList, type ListedOrganization, listedOrganization, unadoptedList } from "../../forge/admin.ts";
import { email, emailList, emailSearch } from "../../forge/admin-users.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { visibilities } from "../../forge/users.ts";
import { column, wordColumn } from "../../output/table.ts";
import { string } from "../../shape/shape.ts";

/** The verbs of `tongs admin`. */
export const verbs: Table<Command> = {
  cron: {
    summary: "List and run cron tasks",
    verbs: () => import("./cron.ts").then((file) => file.verbs),
  },
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
      create: () => import("./create-organization.ts").then((file) => file.create),
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
      adopt: () => import("./unadopted.ts").then((file) => file.adopt),
      delete: () => import("./unadopted.ts").then((file) => file.remove),
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
