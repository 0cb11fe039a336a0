import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { type Tag, tag, tagGet } from "../../forge/tags.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { addressText } from "../../profiles/server.ts";

/** `tongs tag view`: GET a tag. */
export const view = defineCommand({
  summary: "View a tag",
  details: "Shows the message of an annotated tag, or else of its commit.",
  on: "repository",
  effect: "read",
  args: { tag: one("name of the tag", { source: "tag", from: "tag" }) },
  output: tag,
  examples: [["View a tag", "tongs tag view v1.2.0"]],
  web: { page: ({ args, repo }) => repoPage(repo, "src/tag", args.tag) },
  async run({ args, http, repo, server, out }) {
    const page = `${addressText(server.base)}/${repo.owner}/${repo.name}/src/tag/${args.tag}`;
    await out.record(await call(http, tagGet, { repo, tag: args.tag }), (shown) => tagSheet(shown, page));
  },
});

function tagSheet({ name, id, commit, message }: Tag, page: string): Sheet {
  return {
    title: name,
    fields: [
      ["kind", id === commit?.sha ? "lightweight" : "annotated"],
      ["commit", styled("warn", commit?.sha)],
      ["created", when(commit?.created)],
      ["url", styled("link", page)],
    ],
    body: message,
  };
}
