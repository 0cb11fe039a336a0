import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { when } from "../../output/cells.ts";
import { jsonText } from "../../text/json.ts";
import { actor, entryShape, findEntry, type ShownEntry, shownEntry, undoWord } from "./shared.ts";

/** `tongs journal view`: a command with its requests, and what was there before each. */
export const view = defineCommand({
  summary: "View a command and its requests",
  on: "nothing",
  effect: "read",
  args: { n: one("number of the entry") },
  output: entryShape,
  examples: [["View an entry", "tongs journal view 12"]],
  async run({ args, out, system }) {
    const entry = shownEntry(findEntry(args.n, system));
    await out.record(entry, () => ({
      title: `${entry.number}: ${entry.line}`,
      fields: [
        ["sent", when(entry.at)],
        ["about", entry.about],
        ["server", entry.host],
        ["user", actor(entry)],
        ["profile", entry.profile ?? ""],
        ["undo", entry.reason === null ? undoWord(entry) : `${undoWord(entry)}: ${entry.reason}`],
      ],
      sections: entry.requests.map((request) => ({
        title: `${request.method} ${request.path}: ${request.status ?? "no response"}`,
        body: textOf(request),
      })),
    }));
  },
});

function textOf(request: ShownEntry["requests"][number]): string {
  const { body, before, after, reason } = request;
  const values = Object.entries({ body, before, after }).filter(([, value]) => value !== undefined && value !== null);
  const undo = reason === null ? [] : [`undo: ${reason}`];
  return [...undo, ...values.map(([name, value]) => `${name}: ${jsonText(value)}`)].join("\n");
}
