import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { when } from "../../output/cells.ts";
import { jsonText } from "../../text/json.ts";
import { entryShape, findEntry, shownEntry } from "./shared.ts";

/** `tongs journal view`: one write, with what was there before. */
export const view = defineCommand({
  summary: "View a write that tongs sent",
  on: "nothing",
  effect: "read",
  args: { n: one("number of the entry") },
  output: entryShape,
  examples: [["View an entry", "tongs journal view 12"]],
  async run({ args, out, system }) {
    const entry = shownEntry(findEntry(args.n, system));
    const { number, at, command, host, profile, user, method, path, status, body, before, after, reason } = entry;
    await out.record(entry, () => ({
      title: `${number}: ${method} ${path}`,
      fields: [
        ["Sent", when(at)],
        ["Command", command],
        ["Server", host],
        ["User", user ?? ""],
        ["Profile", profile ?? ""],
        ["Status", status ?? "no response"],
        ["Undo", reason === null ? "yes" : `no: ${reason}`],
        ["Body", shown(body)],
        ["Before", before === undefined ? "not read" : shown(before)],
        ["After", shown(after)],
      ],
    }));
  },
});

function shown(value: unknown): string {
  return value === undefined ? "" : jsonText(value);
}
