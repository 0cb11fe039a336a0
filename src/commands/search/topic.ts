import { defineCommand } from "../../app/define.ts";
import { filtered } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { type FoundTopic, foundTopic, topicSearch } from "../../forge/search.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";

const columns = [
  column<FoundTopic>("TOPIC", "topic_name"),
  column<FoundTopic>("REPOSITORIES", "repo_count"),
  column<FoundTopic>("UPDATED", "updated", { as: "time" }),
];

/** `tongs search topic`: GET /topics/search. */
export const topic = defineCommand({
  summary: "Search for topics of repositories",
  on: "server",
  effect: "read",
  lists: ["topic of repositories", "topics of repositories"],
  args: { text: one("part of a topic") },
  output: list(foundTopic),
  examples: [["Find topics", "tongs search topic sail"]],
  web: { page: ({ args }) => filtered("/explore/repos", { q: args.text, topic: "1" }) },
  async run({ args, http, out }) {
    await out.list(call(http, topicSearch, { q: args.text }), columns);
  },
});
