import type { Change, Push } from "./pusher.ts";

const add = (path: string, text: string, message = `Add ${path.replace(/\..*$/, "")}`): Change => ({
  message,
  files: { [path]: text },
});
/** A branch from main with one new file named after the branch. */
const plain = (before: number, branch: string, text = `${branch}\n`): Push => ({
  before,
  branch,
  from: "main",
  commits: [add(`${branch}.md`, text)],
});

const week = (days: Readonly<Record<string, string>> = {}) => {
  const tides = { Monday: "06:10", Tuesday: "06:58", Wednesday: "07:40", Thursday: "08:21", ...days };
  return Object.entries(tides)
    .map(([day, time]) => `${day} ${time}\n`)
    .join("");
};
const tides = (message: string, days: Readonly<Record<string, string>>): Change =>
  add("tides.txt", week(days), message);
const crew = "Mara\nJonas\nPriya\n";
const berths = (...boats: readonly string[]) => ["number,boat", "1,Kittiwake", ...boats, ""].join("\n");
const days = Array.from({ length: 35 }, (_, at) => `logs/day-${String(at + 1).padStart(2, "0")}.md`);

const pulls: readonly Push[] = [
  {
    before: 23,
    branch: "main",
    commits: [
      {
        message: "Add tides, crew and berths",
        files: { "tides.txt": week(), "crew/list.md": crew, "berths.csv": berths("2,Razorbill", "3,Fulmar") },
      },
    ],
    tag: "v0.1",
  },
  {
    before: 23,
    branch: "feature/buoys",
    from: "main",
    commits: [
      add("buoys.md", "# Buoys\n\nRed to port.\n", "Add the buoys"),
      add("buoys.md", "# Buoys\n\nRed to port.\nGreen to starboard.\n", "Name the green buoys\n\nThey were missing."),
    ],
  },
  { before: 23, branch: "feature/lights", from: "main", commits: [add("lights.md", "# Lights\n\nFour flashes.\n")] },
  { before: 23, branch: "fix-tides-a", from: "main", commits: [tides("Correct Tuesday", { Tuesday: "06:59" })] },
  { before: 23, branch: "fix-tides-b", from: "main", commits: [tides("Correct Tuesday", { Tuesday: "07:01" })] },
  { before: 23, branch: "same-as-main", from: "main" },
  ...["ferry", "pilots"].map(
    (branch): Push => ({ ...plain(68, branch), as: "priya", repo: "priya/harbor", start: "mara/harbor" }),
  ),
  { ...plain(141, "crest"), commits: [{ message: "Add the crest", files: { "crest.bin": bytes() } }] },
  { before: 219, branch: "ropes", from: "main", commits: [add("ropes.md", "hemp\n"), add("knots.md", "bowline\n")] },
  plain(255, "sails"),
  {
    before: 262,
    branch: "oars",
    from: "main",
    commits: [add("oars.md", "ash\n"), add("oars.md", "ash\nspruce\n", "More oars")],
  },
  { before: 265, branch: "masts", from: "main", commits: [add("masts.md", "fir\n"), add("booms.md", "fir\n")] },
  {
    before: 269,
    as: "jonas",
    branch: "decks",
    from: "main",
    commits: [add("decks.md", "teak\n"), add("decks.md", "oiled teak\n", "Oil decks")],
  },
  { ...plain(270, "keels"), as: "jonas" },
  { ...plain(277, "hatches"), as: "jonas", late: 0 },
  ...(
    [
      [281, "wheels"],
      [282, "pumps"],
      [293, "bells"],
      [294, "flags"],
      [308, "nets"],
    ] as const
  ).map(([before, branch]) => plain(before, branch)),
  { before: 312, branch: "main", merge: "nets" },
  plain(316, "hooks"),
  { before: 317, branch: "main", merge: "hooks" },
  { before: 319, branch: "tides-c", from: "main", commits: [tides("Tuesday, third", { Tuesday: "07:11" })] },
  { before: 325, branch: "tides-d", from: "same-as-main", commits: [tides("Tuesday, fourth", { Tuesday: "07:22" })] },
  plain(326, "docks"),
  {
    before: 327,
    branch: "cranes",
    from: "main",
    commits: [add("cranes.md", "two\n"), add("cranes.md", "two, greased\n", "Grease cranes")],
  },
  { before: 328, branch: "main", commits: [add("gulls.md", "gulls\n")] },
  { before: 342, branch: "main", commits: [add("terns.md", "terns\n")] },
  {
    before: 343,
    branch: "tides-e",
    from: "main",
    commits: [tides("Wednesday, fifth", { Tuesday: "07:01", Wednesday: "07:45" })],
  },
  {
    before: 344,
    late: 100,
    branch: "main",
    commits: [tides("Wednesday, sixth", { Tuesday: "07:01", Wednesday: "07:50" })],
  },
  {
    before: 348,
    branch: "tides-f",
    from: "main",
    commits: [
      tides("Wrong Thursday", { Tuesday: "07:01", Wednesday: "07:50", Thursday: "09:99" }),
      {
        message: "Right Thursday again",
        files: { "tides.txt": week({ Tuesday: "07:01", Wednesday: "07:50" }), "thursday.md": "It was right.\n" },
      },
    ],
  },
  {
    before: 349,
    branch: "main",
    commits: [tides("Thursday, later", { Tuesday: "07:01", Wednesday: "07:50", Thursday: "08:25" })],
  },
  { ...plain(353, "gauges"), late: 0 },
  plain(404, "lamps"),
  plain(410, "bollards", "iron\n"),
  plain(471, "chains"),
  plain(472, "buckets"),
  plain(482, "anvils"),
  {
    before: 494,
    branch: "log-book",
    from: "main",
    commits: [
      { message: "Add the days", files: Object.fromEntries(days.map((path) => [path, "calm\n"])) },
      {
        message: "Rename, change, delete",
        files: {
          "crew/list.md": null,
          "crew/people.md": crew,
          "tides.txt": null,
          "berths.csv": berths("2,Razorbill", "3,Gannet"),
        },
      },
      { message: "Indent", files: { "berths.csv": berths("  2,Razorbill", "3,Gannet") } },
    ],
  },
  plain(517, "shortlived"),
  plain(527, "anchors-watch"),
  { before: 528, late: 300, branch: "anchors-watch", commits: [add("bells.txt", "every hour\n")] },
  { before: 557, branch: "adrift", from: "main" },
  plain(561, "twins"),
  { before: 561, branch: "main", commits: [add("twins.md", "twins\n", "The same")] },
  { before: 564, branch: "keys", from: "main", commits: [add("gate.key", "iron\n")] },
];

function bytes(): Buffer {
  return Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256));
}

/** The recorded commit has a signature. */
const signed: Push = {
  before: 14,
  repo: "mara/atlas",
  branch: "main",
  commits: [add("signed.txt", "signed\n", "A signed commit")],
};

export const pushesOf: Readonly<Record<string, readonly Push[]>> = { pulls, "commits-reviews": [signed] };
