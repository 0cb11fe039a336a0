import type { Command } from "../../app/define.ts";
import { bodyOf } from "../../app/fields.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { resource } from "../../app/resource.ts";
import { ownerName } from "../../app/shared.ts";
import { pagePath, repoPage } from "../../app/web.ts";
import { text, yesNo } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Label, label, labelDelete, labelEdit, labelList } from "../../forge/labels.ts";
import { collect, filterByAll } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { findLabel, labelColumns, labelExists, labelOwner, ownerFlags, settingFlags } from "./shared.ts";

const labels = resource({
  on: "server",
  noun: ["label", "labels"],
  a: "a label",
  record: label,
  argument: {
    key: "label",
    one: "name of the label, or its ID",
    many: "names of labels, or their IDs",
    source: "label",
  },
  flags: ownerFlags,
  place: ({ flags, locate }) => labelOwner(flags, { locate }),
  async select({ http, place }) {
    const all = await collect(call(http, labelList, { level: place }));
    return (typed) => findLabel(all, typed, place);
  },
  name: ({ name }: Label) => `label '${name}'`,
  where: ownerName,
});

/** The verbs of `tongs label`. */
export const verbs: Table<Command> = {
  list: labels.list({
    details: "Labels of an organization are not listed with those of its repositories.",
    flags: {
      search: text("filter by words in name or description", { short: "S", filters: true }),
      exclusive: yesNo("show only exclusive labels, or none", { filters: true }),
      isArchived: yesNo("show only archived labels, or none", { filters: true }),
    },
    columns: labelColumns,
    fetch({ flags: { search, exclusive, isArchived }, http, place }) {
      const tests: ((label: Label) => boolean)[] = [];
      if (search !== undefined) tests.push(contains(search));
      if (exclusive !== undefined) tests.push((one) => (one.exclusive ?? false) === exclusive);
      if (isArchived !== undefined) tests.push((one) => (one.is_archived ?? false) === isArchived);
      return filterByAll(call(http, labelList, { level: place }), tests);
    },
    async page(_, place) {
      const of = await place();
      return of.of === "repository" ? repoPage(of.repo, "labels") : pagePath("org", of.org, "settings/labels");
    },
    pageUses: ["org"],
    examples: [
      ["List the labels of the current repository", "tongs label list"],
      ["List the names of an organization's labels", "tongs label list --org tidewater --json name"],
    ],
  }),
  create: () => import("./create.ts").then((file) => file.create()),
  edit: labels.edit({
    flags: { name: text("new name", { short: "n", placeholder: "NAME" }), ...settingFlags },
    body({ flags: { name, ...flags } }) {
      if (name?.trim() === "") throw new UsageError("--name must not be empty");
      return { ...(name === undefined ? {} : { name }), ...bodyOf(settingFlags, flags) };
    },
    async send({ id, name }, body, { http, place }) {
      const isNew = body.name !== undefined && body.name !== name;
      const all = isNew ? await collect(call(http, labelList, { level: place })) : [];
      const same = all.find((one) => one.id !== id && one.name === body.name);
      if (same !== undefined) throw labelExists(same, place);
      return call(http, labelEdit, { level: place, id }, body);
    },
    exits: { refused: "a label with the new name exists" },
    examples: [
      ["Rename a label", "tongs label edit bug --name defect"],
      ["Archive a label", "tongs label edit stale --is-archived"],
    ],
  }),
  delete: labels.delete({
    sends: labelDelete,
    details: "A deleted label is removed from all issues and pull requests.",
    before: ({ http, place }) => requirePresentOwner(place, http),
    work: ({ id }, { http, place }) => call(http, labelDelete, { level: place, id }),
    examples: [["Delete two labels", "tongs label delete wontfix invalid --yes"]],
  }),
  import: () => import("./import.ts").then((file) => file.importLabels),
};

function contains(search: string): (label: Label) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, description = "" }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
