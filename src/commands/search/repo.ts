import { defineCommand } from "../../app/define.ts";
import { filtered } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { choice, text, toggle, yesNo } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { repository } from "../../forge/repos.ts";
import { repoSearch } from "../../forge/search.ts";
import { userGet } from "../../forge/users.ts";
import { list } from "../../shape/shape.ts";
import { repositoryColumns } from "../repo/shared.ts";

const sorts = ["alpha", "created", "updated", "size", "id"] as const;

/** `tongs search repo`: GET /repos/search. */
export const repo = defineCommand({
  summary: "Search for repositories",
  on: "server",
  effect: "read",
  lists: ["repository", "repositories"],
  args: { text: one("words in the name") },
  flags: {
    topic: toggle("find repositories with this topic instead", { filters: true }),
    description: toggle("search in descriptions, too", { filters: true }),
    owner: text("filter by owner", { placeholder: "OWNER", filters: true }),
    private: yesNo("show only private repositories, or none", { filters: true }),
    archived: yesNo("show only archived repositories, or none", { filters: true }),
    mode: choice(["fork", "source", "mirror", "collaborative"], "filter by kind", { filters: true }),
    sort: choice(sorts, "sort order (default: alpha)"),
    order: choice(["asc", "desc"], "sort direction"),
  },
  exclusive: [["topic", "description"]],
  output: list(repository),
  examples: [
    ["Find repositories by name", "tongs search repo harbor"],
    ["Find repositories with a topic, newest first", "tongs search repo sailing --topic --sort created --order desc"],
  ],
  web: {
    page: ({ args, flags }) => filtered("/explore/repos", { q: args.text, topic: flags.topic ? "1" : undefined }),
    uses: ["topic"],
  },
  async run({ args, flags, http, out }) {
    const owner = flags.owner === undefined ? undefined : await call(http, userGet, { username: flags.owner });
    const found = call(http, repoSearch, {
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
    await out.list(found, repositoryColumns);
  },
});
