import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { any } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import type { DescribedOperation } from "../../forge/openapi/operations.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { boolean, type Infer, list as listOf, record, string } from "../../shape/shape.ts";
import { describedOperations } from "./cached-description.ts";

/** An operation in a list. */
export const operationSummary = record({
  id: string,
  method: string,
  path: string,
  summary: string,
  tags: listOf(string),
  deprecated: boolean,
});

type Summary = Infer<typeof operationSummary>;

/** The summary of an operation. */
export function summaryOf({ id, method, path, summary, tags, deprecated }: DescribedOperation): Summary {
  return { id, method, path, summary, tags, deprecated };
}

const columns = [
  column<Summary>("ID", "id", (one) => (one.deprecated ? styled("dim", one.id) : one.id)),
  column<Summary>("METHOD", "method"),
  column<Summary>("PATH", "path", { flexible: true }),
  column<Summary>("SUMMARY", "summary", { flexible: true }),
];

/** `tongs operation list`: the operations in the description that the server publishes. */
export const list = defineCommand({
  summary: "List the operations of the server",
  details:
    "Reads the description that the server publishes about itself, at most once a day. An operation is listed if its " +
    "ID, path and summary contain every WORD, ignoring case.",
  on: "server",
  effect: "read",
  lists: ["operation", "operations"],
  args: { word: any("words to search for") },
  flags: { tag: text("only operations with this tag", { placeholder: "TAG", filters: true }) },
  output: listOf(operationSummary),
  exits: { notFound: "the server does not publish a description (code no_description)" },
  examples: [
    ["Search for operations", "tongs operation list dispatch workflow"],
    [
      "Count the operations of each tag",
      "tongs operation list --all --jq '[.[].tags[]] | group_by(.) | map({(.[0]): length}) | add'",
    ],
  ],
  web: { page: () => pagePath("api/swagger") },
  async run(context) {
    const { args, flags, out } = context;
    const words = args.word.map((word) => word.toLowerCase());
    const tag = flags.tag?.toLowerCase();
    const found = (await describedOperations(context)).filter((one) => {
      const text = `${one.id}\n${one.path}\n${one.summary}`.toLowerCase();
      return words.every((word) => text.includes(word)) && (tag === undefined || hasTag(one, tag));
    });
    await out.list(found.map(summaryOf), columns);
  },
});

function hasTag({ tags }: DescribedOperation, tag: string): boolean {
  return tags.some((one) => one.toLowerCase() === tag);
}
