import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { when } from "../../output/cells.ts";
import { jsonText } from "../../text/json.ts";
import { actor, entriesOfCommand, entryShape, findEntry, shownEntry, undoWord } from "./shared.ts";

/** `tongs journal view`: one write, with what was there before. */
export const view = defineCommand({
  summary: "View a write that tongs sent",
  on: "nothing",
  effect: "read",
  args: { n: one("number of the entry") },
  output: entryShape,
  examples: [["View an entry", "tongs journal view 12"]],
  async run({ args, out, system }) {
    const found = findEntry(args.n, system);
    const entry = shownEntry(found, entriesOfCommand(found, system));
    const { number, at, command, host, profile, method, path, status, body, before, after, reason } = entry;
    await out.record(entry, () => ({
      title: `${number}: ${method} ${path}`,
      fields: [
        ["sent", when(at)],
        ["command", command],
        ["server", host],
        ["user", actor(entry)],
        ["profile", profile ?? ""],
        ["status", status ?? "no response"],
        ["undo", reason === null ? undoWord(entry) : `no: ${reason}`],
        ["body", shown(body)],
        ["before", before === undefined ? "not read" : shown(before)],
        ["after", shown(after)],
      ],
    }));
  },
});

function shown(value: unknown): string {
  return value === undefined ? "" : jsonText(value);
}
