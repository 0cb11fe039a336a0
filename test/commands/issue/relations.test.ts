import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";

const file = join(import.meta.dirname, "../../data/cassettes/issue-relations.ndjson");
const exchanges = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Exchange);
interface Exchange {
  readonly label: string;
  readonly response: { readonly body?: readonly object[] };
}
const record = exchanges.find(({ label }) => label === "pinned issues in their order")?.response.body?.[0];

/** The answers to requests that only prepare: issues, pinned or not, the release and a user. */
const madeFor = (line: string) => ({
  "GET /api/v1/version": { version: "1.26.0" },
  "GET /api/v1/users/mara": { id: 2, login: "mara" },
  ...Object.fromEntries(
    [1, 2, 6].map((number) => [
      `GET /api/v1/repos/mara/beacon/issues/${number}`,
      { ...record, number, pin_order: line.startsWith("issue unpin") ? 1 : 0 },
    ]),
  ),
});

/** Command lines that the sandbox does not play, the recorded request that each sends, and what it says. */
const lines: readonly (readonly [line: string, request: string, wanted: string])[] = [
  ["issue pin 1", "POST /issues/1/pin", "Pinned"],
  ["issue pin 1 --position 3", "PATCH /issues/1/pin/3", "Pinned"],
  ["issue pinned", "GET /issues/pinned", "1\t"],
  ["issue unpin 1", "DELETE /issues/1/pin", "Unpinned"],
  ["issue block add 1 6", "POST /issues/1/blocks", "mara/beacon#6"],
  ["issue block list 1", "GET /issues/1/blocks", "6\t"],
  ["issue block remove 1 6", "DELETE /issues/1/blocks", "mara/beacon#6"],
  ["issue dependency add 1 2", "POST /issues/1/dependencies", "mara/beacon#2"],
  ["issue dependency list 1", "GET /issues/1/dependencies", "2\t"],
  ["issue dependency remove 1 2", "DELETE /issues/1/dependencies", "mara/beacon#2"],
  ["user badge add mara keeper", "POST //admin/users/mara/badges", "keeper"],
  ["user badge list mara", "GET //admin/users/mara/badges", "keeper"],
  ["user badge remove mara diver", "DELETE //admin/users/mara/badges", "diver"],
];

const journal = { env: { TONGS_JOURNAL: "" } };

it.each(lines)("tongs %s asks what Gitea was asked, and says what it answered", async (line, request, wanted) => {
  const player = await cassette("issue-relations", undefined, {
    repo: "mara/beacon",
    made: madeFor(line),
    repeat: true,
  });
  const ran = await player.run(line.split(" "), journal);
  expect([ran.code, ran.stdout + ran.stderr], line).toEqual([0, expect.stringContaining(wanted)]);
  const asked = player.lines().map((one) => one.replace(/\?.*/, "").replace(/\/api\/v1(\/repos\/mara\/beacon)?/, ""));
  expect(asked.map((one) => one.replace(" /admin", " //admin"))).toContain(request);
  const read = await player.run([...line.split(" "), "--json"], journal);
  expect(read.code, read.stderr).toBe(0);
});

it("tongs package prune deletes old versions as Gitea lists them", async () => {
  const player = await cassette("packages", undefined, { made: madeFor(""), repeat: true });
  const line = ["package", "prune", "generic/charts", "--keep", "1", "--owner", "mara", "--yes", "--json"];
  const ran = await player.run(line, journal);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.json()).toEqual([expect.objectContaining({ version: "1.0.0", action: "deleted" })]);
});
