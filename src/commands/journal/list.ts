import { defineCommand } from "../../app/define.ts";
import { readEntries } from "../../app/journal/store.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { actor, entryShape, shownEntries, undoWord } from "./shared.ts";

/** `tongs journal list`: the writes of the last 90 days, newest first. */
export const list = defineCommand({
  summary: "List the writes that tongs sent",
  details:
    "The journal is kept on this machine for 90 days, readable by you only, without secrets. TONGS_JOURNAL=off switches " +
    "it off. UNDO shows which writes journal undo can undo; --only, that it can undo this one of its command, and not all.",
  on: "nothing",
  effect: "read",
  lists: ["write that tongs sent", "writes that tongs sent"],
  output: listOf(entryShape),
  examples: [
    ["List the latest writes", "tongs journal list"],
    ["List what was sent to a repository", `tongs journal list --all --jq '.[] | select(.path | test("mara/harbor"))'`],
  ],
  async run({ out, system }) {
    await out.list(shownEntries(readEntries(system)).toReversed(), [
      column("N", "number"),
      column("WHEN", "at", { as: "time" }),
      column("COMMAND", "command", { rank: "key" }),
      column("STATUS", "status", ({ status }) => status ?? ""),
      column("UNDO", "undoable", (entry) => styled("dim", undoWord(entry))),
      column("METHOD", "method"),
      column("PATH", "path", { cell: ({ path }) => path.replace("/api/v1/", ""), flexible: true }),
      column("HOST", "host", { flexible: true }),
      column("USER", "user", { cell: (entry) => actor(entry) || (entry.profile ?? ""), flexible: true }),
    ]);
  },
});
