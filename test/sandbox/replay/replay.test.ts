import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Outcome, replay } from "./replay.ts";

interface Difference {
  readonly file: string;
  /** The place of the exchange in its file, from 0. */
  readonly index: number;
  readonly reason: string;
}

const differences = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf8")) as Difference[];

const parts: readonly { readonly file: string; readonly only?: RegExp }[] = [
  { file: "actions" },
  { file: "auth" },
  { file: "branches-files" },
  { file: "pulls" },
  { file: "repositories" },
  { file: "users" },
  { file: "stars-follows" },
  { file: "organizations", only: /\/hooks\b/ },
  { file: "misc", only: /\/hooks\b/ },
];

for (const { file, only } of parts) {
  const name = only === undefined ? file : `${file} (hooks)`;
  test(`the recorded exchanges of ${name} are answered as Gitea answered them, save for the listed differences`, async () => {
    const outcomes = await replay(file, only);
    const reached = outcomes.filter(({ skipped }) => skipped === undefined);
    const differing = reached.filter(({ wrong }) => wrong.length > 0);
    const out = outcomes.length - reached.length;
    console.log(`${name}: ${reached.length - differing.length} of ${reached.length} agree, ${out} out of reach`);
    const listed = new Set(differences.filter((one) => one.file === file).map(({ index }) => index));
    const unlisted = differing.filter(({ index }) => !listed.has(index));
    expect(unlisted.map(told).join("\n"), "differences that are not listed").toBe("");
    const gone = [...listed].filter((index) => !differing.some((outcome) => outcome.index === index));
    expect(gone, "listed differences that have gone").toEqual([]);
  }, 240_000);
}

function told({ index, exchange: { label, auth, request }, wrong }: Outcome): string {
  return `${index} ${auth} ${request.method} ${request.path} (${label})\n    ${wrong.join("\n    ")}`;
}
