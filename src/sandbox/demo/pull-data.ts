import type { MergeStyle, ReviewState } from "../state/records/issues.ts";
import type { DemoUserName } from "./seed.ts";

/** A pull request of the demo project. */
export interface DemoPull {
  readonly title: string;
  readonly body?: string;
  readonly by: DemoUserName;
  /** A branch, or `owner:branch` of a fork. */
  readonly head: string;
  /** The files of a commit to create on that branch first, starting from main. */
  readonly files?: Readonly<Record<string, string>>;
  readonly labels?: readonly string[];
  readonly milestone?: string;
  readonly assignee?: DemoUserName;
  readonly checks?: Readonly<Record<string, string>>;
  readonly comments?: readonly (readonly [by: DemoUserName, body: string])[];
  readonly review?: {
    readonly by: DemoUserName;
    readonly state: ReviewState;
    readonly body: string;
    readonly line?: LineComment;
  };
  readonly merged?: { readonly by: DemoUserName; readonly style: MergeStyle; readonly deletes?: true };
  readonly closed?: true;
}

interface LineComment {
  readonly path: string;
  readonly line: number;
  readonly body: string;
}

export const demoPullData: readonly DemoPull[] = [
  {
    title: "Add the address of the harbor office",
    by: "jonas",
    head: "office",
    files: { "office.md": "# Office\n\nEast quay, the red door.\n" },
    review: { by: "mara", state: "APPROVED", body: "" },
    merged: { by: "mara", style: "merge", deletes: true },
  },
  {
    title: "Measure in fathoms",
    body: "As on the old charts.",
    by: "jonas",
    head: "fathoms",
    files: { "units.md": "Depths are in fathoms.\n" },
    comments: [["mara", "The charts have used metres since last year. Let's keep it that way."]],
    closed: true,
  },
  {
    title: "Two more berths",
    by: "mara",
    head: "new-berths",
    labels: ["enhancement"],
    checks: { "ci/build": "success" },
    merged: { by: "mara", style: "squash" },
  },
  {
    title: "Add the fog signal",
    body: "One long, two short, from the north pier.\n\nTested on a quiet morning.",
    by: "jonas",
    head: "fog-horn",
    labels: ["enhancement"],
    milestone: "Before the season",
    assignee: "jonas",
    checks: { "ci/build": "success", "ci/lint": "success" },
    comments: [["tomas", "I could hear it in the village, so it is loud enough."]],
    review: { by: "mara", state: "APPROVED", body: "Looks good to me." },
  },
  {
    title: "Sort the berths by size",
    by: "jonas",
    head: "berths-by-size",
    labels: ["question"],
    checks: { "ci/build": "failure", "ci/lint": "success" },
  },
  {
    title: "WIP: Tides for the whole year",
    by: "mara",
    head: "tide-year",
    files: { "tides-year.csv": "day,high,low\n" },
    labels: ["help wanted"],
    milestone: "Before the season",
    checks: { "ci/build": "pending" },
  },
  {
    title: "Show the depth of each berth",
    body: "Helps skippers avoid running aground.",
    by: "priya",
    head: "priya:depths",
    files: { "depths.md": "1 3.2 m\n2 4.0 m\n3 2.1 m\n4 5.5 m\n" },
    labels: ["bug"],
    checks: { "ci/build": "success" },
    review: {
      by: "mara",
      state: "REQUEST_CHANGES",
      body: "Please add the tide.",
      line: { path: "depths.md", line: 3, body: "2.1 m at low water?" },
    },
  },
];
