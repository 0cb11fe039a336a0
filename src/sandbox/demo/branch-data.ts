import { ciWorkflow } from "./ci.ts";
import type { DemoUserName } from "./seed.ts";

/** A branch of a demo repository. */
export interface DemoBranch {
  readonly name: string;
  /** The branch it starts from; undefined for the first one. */
  readonly from?: string;
  readonly commits: readonly DemoCommit[];
}

interface DemoCommit {
  readonly by: DemoUserName;
  readonly message: string;
  /** Contents by path; `null` deletes a file. */
  readonly files: Readonly<Record<string, string | null>>;
}

const readme = "# harbor\n\nTide tables, berths and the log of a small harbor.\n";
const tides = ["day,high,low", "1,06:12,12:25", "2,07:03,13:17", "3,07:55,14:08", ""].join("\n");
const berths = ["1 free", "2 Kittiwake", "3 free", "4 Razorbill", ""].join("\n");
const script = ["#!/bin/sh", "# Prints the day's tides.", 'grep "^$1," tides.csv', ""].join("\n");

export const harborBranches: readonly DemoBranch[] = [
  {
    name: "main",
    commits: [
      { by: "mara", message: "Open the harbor", files: { "README.md": readme } },
      { by: "mara", message: "Add the tide table", files: { "tides.csv": tides } },
      { by: "jonas", message: "List the berths", files: { "berths.txt": berths } },
      {
        by: "jonas",
        message: "Print the tides for a day",
        files: { "bin/tides": script, ".gitea/workflows/ci.yml": ciWorkflow },
      },
      {
        by: "mara",
        message: "Add a pull request template\n\nIt asks for what reviewers need to know.",
        files: { ".gitea/pull_request_template.md": "## Changes\n\n## Testing\n" },
      },
    ],
  },
  {
    name: "fog-horn",
    from: "main",
    commits: [
      {
        by: "jonas",
        message: "Add the fog signal",
        files: { "signals.md": "# Signals\n\nFog: one long, two short.\n" },
      },
      {
        by: "jonas",
        message: "Mention the location of the horn",
        files: { "README.md": `${readme}\nThe fog horn is on the north pier.\n` },
      },
    ],
  },
  {
    name: "new-berths",
    from: "main",
    commits: [{ by: "mara", message: "Two more berths", files: { "berths.txt": `${berths}5 free\n6 free\n` } }],
  },
  {
    name: "berths-by-size",
    from: "main",
    commits: [
      {
        by: "priya",
        message: "Sort the berths by size",
        files: { "berths.txt": "4 Razorbill\n2 Kittiwake\n1 free\n3 free\n" },
      },
    ],
  },
];

export const toolingBranches: readonly DemoBranch[] = [
  {
    name: "main",
    commits: [
      {
        by: "tomas",
        message: "Start the toolbox",
        files: { "README.md": "# tooling\n\nEveryday tools for the pilots.\n" },
      },
      {
        by: "jonas",
        message: "Add the radio plan",
        files: { "radio.md": "Channel 12: harbor. Channel 16: calling.\n" },
      },
    ],
  },
];
