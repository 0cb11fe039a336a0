import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { call } from "../../../forge/operation.ts";
import { topicList } from "../../../forge/topics.ts";
import { wordColumn } from "../../../output/table.ts";
import { list as listOf, string } from "../../../shape/shape.ts";
import { repoArgument } from "../shared.ts";

/** `tongs repo topic list`: GET the topics of a repository. */
export const list = defineCommand({
  summary: "List the topics of a repository",
  on: "repository",
  effect: "read",
  lists: ["topic", "topics"],
  args: { repo: repoArgument },
  output: listOf(string),
  examples: [["List the topics", "tongs repo topic list mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo) },
  async run({ http, repo, out }) {
    await out.list(call(http, topicList, { repo }), [wordColumn("TOPIC")]);
  },
});
