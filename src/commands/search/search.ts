import { repositoryColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { filtered } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { choice, names, text, toggle, yesNo } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { type Issue, issue, issueSearch, namesQuery } from "../../forge/issues.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { repository } from "../../forge/repos.ts";
import { type FoundTopic, foundTopic, repoSearch, topicSearch, userSearch } from "../../forge/search.ts";
import { type User, user, userGet } from "../../forge/users.ts";
import { numbered } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { present } from "../../shape/shape.ts";

const labelNames = ({ labels }: Issue) => present(labels).map(({ name }) => name);

/** The verbs of `tongs search`. */
export const verbs: Table<Command> = {
  repo: listCommand({
    summary: "Search for repositories",
    on: "server",
    lists: ["repository", "repositories"],
    args: { text: one("words in the name", { filters: true }) },
    flags: {
      topic: toggle("find repositories with this topic instead", { filters: true }),
      description: toggle("also search in descriptions", { filters: true }),
      owner: text("filter by owner", { placeholder: "OWNER", filters: true }),
      private: yesNo("show only private repositories, or none", { filters: true }),
      archived: yesNo("show only archived repositories, or none", { filters: true }),
      mode: choice(["fork", "source", "mirror", "collaborative"], "filter by kind", { filters: true }),
      sort: choice(["alpha", "created", "updated", "size", "id"], "sort order (default: alpha)"),
      order: choice(["asc", "desc"], "sort direction"),
    },
    exclusive: [["topic", "description"]],
    record: repository,
    columns: repositoryColumns,
    async fetch({ args, flags, http }) {
      const owner = flags.owner === undefined ? undefined : await call(http, userGet, { username: flags.owner });
      return call(http, repoSearch, {
        q: args.text,
        topic: flags.topic || undefined,
        includeDesc: flags.description || undefined,
        uid: owner?.id,
        exclusive: owner === undefined ? undefined : true,
        is_private: flags.private,
        archived: flags.archived,
        mode: flags.mode,
        sort: flags.sort ?? (flags.order === undefined ? undefined : "alpha"),
        order: flags.order,
      });
    },
    page: ({ args, flags }) => filtered("/explore/repos", { q: args.text, topic: flags.topic ? "1" : undefined }),
    pageUses: ["topic"],
    examples: [
      ["Find repositories by name", "tongs search repo harbor"],
      ["Find repositories with a topic, newest first", "tongs search repo sailing --topic --sort created --order desc"],
    ],
  }),
  user: listCommand({
    summary: "Search for users",
    details: "Searches user name, full name and public email.",
    on: "server",
    lists: ["user", "users"],
    args: { text: one("part of a name", { filters: true }) },
    record: user,
    columns: [
      column<User>("USERNAME", "login"),
      column<User>("FULL NAME", "full_name", { flexible: true }),
      column<User>("CREATED", "created", { as: "time" }),
    ],
    fetch: ({ args, http }) => call(http, userSearch, { q: args.text }),
    page: ({ args }) => filtered("/explore/users", { q: args.text }),
    examples: [["Find users by name", "tongs search user mara"]],
  }),
  issue: listCommand({
    summary: "Search for issues and pull requests in all repositories",
    on: "server",
    lists: ["issue or pull request", "issues and pull requests"],
    args: { text: one("words in the title, the text or comments", { filters: true }) },
    flags: {
      type: choice(["issues", "pulls"], "only issues, or only pull requests", { filters: true }),
      state: choice(["open", "closed", "all"], "filter by state (default: open)", { short: "s", filters: "state" }),
      label: names("filter by labels", { short: "l", source: "label", filters: true }),
      owner: text("filter by owner of the repository", { placeholder: "OWNER", filters: true }),
      assigned: toggle("only those assigned to you", { filters: true }),
      created: toggle("only those that you created", { filters: true }),
      mentioned: toggle("only those that mention you", { filters: true }),
    },
    record: issue,
    columns: [
      column<Issue>("REPOSITORY", "repository.full_name"),
      column<Issue>("NUMBER", "number", (one) => numbered(one.number, "link")),
      column<Issue>("TITLE", "title", { flexible: true }),
      column<Issue>("STATE", "state", { as: "state" }),
      column<Issue>("AUTHOR", "user.login"),
      column<Issue>("LABELS", "labels", { cell: (one) => labelNames(one).join(", "), flexible: true }),
      column<Issue>("UPDATED", "updated_at", { as: "time" }),
    ],
    fetch({ args, flags: { label, type, state, owner, ...flags }, http }) {
      const found = call(http, issueSearch, {
        q: args.text,
        type,
        state,
        owner,
        labels: namesQuery(label),
        assigned: flags.assigned || undefined,
        created: flags.created || undefined,
        mentioned: flags.mentioned || undefined,
      });
      // The servers ignore unknown labels, and return what has any of the known ones (docs/server-differences.md, "Issues").
      const fits = (one: Issue) =>
        label.every((wanted) => labelNames(one).some((name) => name.toLowerCase() === wanted.toLowerCase()));
      return label.length === 0 ? found : filterListing(found, fits);
    },
    page: ({ args, flags }) =>
      filtered(flags.type === "pulls" ? "/pulls" : "/issues", { q: args.text, state: flags.state }),
    pageUses: ["type", "state"],
    examples: [["Find open pull requests of an owner", "tongs search issue lantern --type pulls --owner mara"]],
  }),
  topic: listCommand({
    summary: "Search for topics of repositories",
    on: "server",
    lists: ["topic of repositories", "topics of repositories"],
    args: { text: one("part of a topic", { filters: true }) },
    record: foundTopic,
    columns: [
      column<FoundTopic>("TOPIC", "topic_name"),
      column<FoundTopic>("REPOSITORIES", "repo_count"),
      column<FoundTopic>("UPDATED", "updated", { as: "time" }),
    ],
    fetch: ({ args, http }) => call(http, topicSearch, { q: args.text }),
    page: ({ args }) => filtered("/explore/repos", { q: args.text, topic: "1" }),
    examples: [["Find topics", "tongs search topic sail"]],
  }),
};
