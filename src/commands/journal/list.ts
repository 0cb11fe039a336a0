import { defineCommand } from "../../app/define.ts";
import { type Entry, readEntries } from "../../app/journal/store.ts";
import { text, toggle } from "../../command/flags.ts";
import { moment } from "../../command/time-flags.ts";
import type { Listing } from "../../http/pages.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { actor, entryShape, isFailed, type ShownEntry, shownEntry, undoWord } from "./shared.ts";

/** `tongs journal list`: the commands of the last 90 days that sent writes, newest first. */
export const list = defineCommand({
  summary: "List the commands that changed something on a server",
  details:
    "The journal is kept on this machine for 90 days, readable by you only, without secrets. TONGS_JOURNAL=off switches " +
    "it off. STATUS counts requests that failed, and UNDO shows what journal undo can undo.",
  on: "nothing",
  effect: "read",
  lists: ["command", "commands"],
  flags: {
    since: moment("filter by time: at or after this time", { filters: true }),
    command: text("filter by command: pr, or pr merge", { filters: true }),
    failed: toggle("filter by requests that failed or got no response", { filters: true }),
  },
  output: listOf(entryShape),
  examples: [
    ["List the latest commands", "tongs journal list"],
    ["List merges that failed", "tongs journal list --command 'pr merge' --failed"],
  ],
  async run({ flags, out, system }) {
    const { total, entries } = readEntries(system);
    const isGiven = flags.since !== undefined || flags.command !== undefined || flags.failed;
    const matches = ({ at, command, requests }: Entry) =>
      (flags.since === undefined || Date.parse(at) >= Date.parse(flags.since)) &&
      (flags.command === undefined || `${command} `.startsWith(`${flags.command} `)) &&
      (!flags.failed || requests.some(isFailed));
    const listing: Listing<ShownEntry> = {
      total: isGiven ? undefined : total,
      async *take(limit) {
        let count = 0;
        for (const entry of entries) {
          if (!matches(entry)) continue;
          yield shownEntry(entry);
          count += 1;
          if (count === limit) return;
        }
      },
    };
    await out.list(listing, [
      column("N", "number"),
      column("WHEN", "at", { as: "time" }),
      column("COMMAND", "command", { rank: "key" }),
      column("STATUS", "failed", statusText),
      column("UNDO", "undoable", (entry) => styled("dim", undoWord(entry))),
      column("ABOUT", "about", { flexible: true }),
      column("HOST", "host", { flexible: true }),
      column("USER", "user", { cell: (entry) => actor(entry) || (entry.profile ?? ""), flexible: true }),
    ]);
  },
});

function statusText({ requests }: ShownEntry): string {
  const failed = requests.filter(isFailed).length;
  if (failed === 0) return "ok";
  return requests.length === 1 ? "failed" : `${failed} of ${requests.length} failed`;
}
