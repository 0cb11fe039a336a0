import { defineCommand } from "../../app/define.ts";
import { pagePath, repoPage } from "../../app/web.ts";
import { text, yesNo } from "../../command/flags.ts";
import { type Label, label, labelList } from "../../forge/labels.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { list as listOf } from "../../shape/shape.ts";
import { labelColumns, labelOwner, ownerFlags } from "./shared.ts";

/** `tongs label list`: GET the labels of a repository or an organization. */
export const list = defineCommand({
  summary: "List labels",
  details: "Labels of an organization are not listed with those of its repositories.",
  on: "server",
  effect: "read",
  flags: {
    ...ownerFlags,
    search: text("filter by words in name or description", { short: "S" }),
    exclusive: yesNo("show only exclusive labels, or none"),
    isArchived: yesNo("show only archived labels, or none"),
  },
  output: listOf(label),
  examples: [
    ["List the labels of the current repository", "tongs label list"],
    ["List the names of an organization's labels", "tongs label list --org tidewater --json name"],
  ],
  web: {
    page: async ({ flags, locate }) =>
      flags.org === undefined ? repoPage(await locate(), "labels") : pagePath("org", flags.org, "settings/labels"),
    uses: ["org"],
  },
  async run(context) {
    const { flags, http, out } = context;
    const tests: ((label: Label) => boolean)[] = [];
    if (flags.search !== undefined) tests.push(contains(flags.search));
    if (flags.exclusive !== undefined) tests.push((one) => (one.exclusive ?? false) === flags.exclusive);
    if (flags.isArchived !== undefined) tests.push((one) => (one.is_archived ?? false) === flags.isArchived);
    const all = call(http, labelList, { level: await labelOwner(flags, context) });
    const found = tests.length === 0 ? all : filterListing(all, (one) => tests.every((test) => test(one)));
    await out.list(found, labelColumns);
  },
});

function contains(search: string): (label: Label) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, description = "" }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
