import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Outcome, replay } from "./replay.ts";

interface Difference {
  readonly file: string;
  /** The index of the exchange in its file. */
  readonly index: number;
  readonly reason: string;
}

const differences = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf8")) as Difference[];

const parts: readonly (readonly string[])[] = [
  // In the same second, artifacts were requested first.
  ["artifacts", "actions"],
  ["auth"],
  ["branches-files"],
  ["issues"],
  ["issue-details"],
  ["pulls"],
  ["commits-reviews"],
  ["repositories"],
  ["users"],
  ["keys-apps"],
  ["stars-follows"],
  ["organizations"],
  ["webhooks"],
  ["misc"],
  ["others"],
];

for (const files of parts) {
  const name = files.join(" and ");
  test(`the recorded requests of ${name} get the recorded responses, except for the listed differences`, async () => {
    const all = await replay(files);
    for (const file of files) check(file, all);
  });
}

function check(file: string, all: readonly Outcome[]): void {
  const outcomes = all.filter((one) => one.file === file);
  const reached = outcomes.filter(({ skipped }) => skipped === undefined);
  const differing = reached.filter(({ wrong }) => wrong.length > 0);
  const [agree, out] = [reached.length - differing.length, outcomes.length - reached.length];
  console.log(`${file}: ${agree} of ${reached.length} agree, ${out} not supported`);
  const listed = new Set(differences.filter((one) => one.file === file).map(({ index }) => index));
  const unlisted = differing.filter(({ index }) => !listed.has(index));
  expect.soft(unlisted.map(describeOutcome).join("\n"), `unlisted differences of ${file}`).toBe("");
  const gone = [...listed].filter((index) => !differing.some((outcome) => outcome.index === index));
  expect.soft(gone, `listed differences of ${file} that no longer occur`).toEqual([]);
}

function describeOutcome({ index, exchange: { label, auth, request }, wrong }: Outcome): string {
  return `${index} ${auth} ${request.method} ${request.path} (${label})\n    ${wrong.join("\n    ")}`;
}
