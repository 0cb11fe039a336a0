import { defineCommand } from "../../src/app/define.ts";
import { any, many, one, word } from "../../src/command/args.ts";
import { choice, names, text, toggle, yesNo } from "../../src/command/flags.ts";
import type { Aliases } from "../../src/command/route.ts";
import type { Table } from "../../src/command/table.ts";
import { integer, list as listOf, record, string } from "../../src/shape/shape.ts";

const base = { on: "nothing", effect: "read", examples: [["Do it", "tongs it's done"]] } as const;
const crate = record({ id: integer, name: string, notes: string });

const list = defineCommand({
  ...base,
  summary: "List crates: all of them",
  flags: {
    state: choice(["open", "closed", "lost"], "in which [state]"),
    label: names("with this label"),
    draft: yesNo("drafts: or not"),
    rowdy: toggle("short like a global flag's, save for its case", { short: "r" }),
  },
  output: listOf(crate),
  run: async () => {},
});
const add = defineCommand({
  ...base,
  summary: "Add crates",
  args: { crate: many("the crates") },
  flags: { from: text("where `they` cost $5", { placeholder: "DIR" }) },
  run: async () => {},
});
const load = defineCommand({ ...base, summary: "Load files", args: { file: any("the files") }, run: async () => {} });
const paint = defineCommand({
  ...base,
  effect: "destroy",
  summary: "Paint a crate",
  args: { crate: one("the crate"), color: word(["red", "green"], "its colour") },
  run: async () => {},
});

/** A command table with every kind of entry. */
export const sampleTable: Table = {
  crate: {
    summary: "Work on crates",
    verbs: async () => ({
      list: async () => list,
      paint: async () => paint,
      side: {
        summary: "Sides of crates",
        verbs: async () => ({ list: async () => list, "turn-over": async () => paint }),
      },
    }),
  },
  hoist: {
    summary: "Hoist crates",
    verbs: async () => ({ add: async () => add, remove: async () => add }),
    defaultVerb: "add",
  },
  load: async () => load,
};

export const sampleAliases: Aliases = {
  commands: { lower: "hoist remove", "crate colour": "crate paint", gone: "no such" },
  verbs: { ls: ["list"], rm: ["delete", "remove"] },
};
