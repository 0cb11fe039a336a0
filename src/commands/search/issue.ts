import { defineCommand } from "../../app/define.ts";
import { filtered } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { choice, names, text, toggle } from "../../command/flags.ts";
import { type Issue, issueSearch, issue as issueShape } from "../../forge/issues.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { numbered } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list, present } from "../../shape/shape.ts";

const columns = [
  column<Issue>("REPOSITORY", "repository.full_name"),
  column<Issue>("NUMBER", "number", (one) => numbered(one.number, "link")),
  column<Issue>("TITLE", "title", { flexible: true }),
  column<Issue>("STATE", "state", { as: "state" }),
  column<Issue>("AUTHOR", "user.login"),
  column<Issue>("LABELS", "labels", {
    cell: (one) =>
      present(one.labels)
        .map((label) => label.name)
        .join(", "),
    flexible: true,
  }),
  column<Issue>("UPDATED", "updated_at", { as: "time" }),
];

/** `tongs search issue`: GET /repos/issues/search, over all repositories. */
export const issue = defineCommand({
  summary: "Search for issues and pull requests in all repositories",
  on: "server",
  effect: "read",
  lists: ["issue or pull request", "issues and pull requests"],
  args: { text: one("words in the title, the text or comments") },
  flags: {
    type: choice(["issues", "pulls"], "only issues, or only pull requests", { filters: true }),
    state: choice(["open", "closed", "all"], "filter by state (default: open)", { short: "s", filters: "state" }),
    label: names("filter by labels", { short: "l", source: "label", filters: true }),
    owner: text("filter by owner of the repository", { placeholder: "OWNER", filters: true }),
    assigned: toggle("only those assigned to you", { filters: true }),
    created: toggle("only those that you created", { filters: true }),
    mentioned: toggle("only those that mention you", { filters: true }),
  },
  output: list(issueShape),
  examples: [["Find open pull requests of an owner", "tongs search issue lantern --type pulls --owner mara"]],
  web: {
    page: ({ args, flags }) =>
      filtered(flags.type === "pulls" ? "/pulls" : "/issues", { q: args.text, state: flags.state }),
    uses: ["type", "state"],
  },
  async run({ args, flags, http, out }) {
    const found = call(http, issueSearch, {
      ...{ q: args.text, type: flags.type, state: flags.state, owner: flags.owner },
      labels: flags.label.length === 0 ? undefined : flags.label.join(","),
      assigned: flags.assigned || undefined,
      created: flags.created || undefined,
      mentioned: flags.mentioned || undefined,
    });
    // The servers ignore unknown labels, and return what has any of the known ones (docs/server-differences.md, "Issues").
    const fits = ({ labels }: Issue) =>
      flags.label.every((name) => present(labels).some((label) => label.name.toLowerCase() === name.toLowerCase()));
    await out.list(flags.label.length === 0 ? found : filterListing(found, fits), columns);
  },
});
