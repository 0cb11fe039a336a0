import { cpSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder } from "../support/tongs.ts";
import { ofRepositories } from "./of-repositories.ts";
import { ofServers } from "./of-servers.ts";
import { recorded, recordedOfForgejo } from "./recorded.ts";
import { withRecordings } from "./recordings.ts";
import { needsShell, type Preparation, run, type Surroundings, surroundings } from "./run.ts";

const preparations: Readonly<Record<string, Preparation>> = { ...ofRepositories, ...ofServers };
const commands = await allCommands(table);
const nouns = new Map(
  commands.map(({ words: [noun = ""] }) => [noun, commands.filter(({ words }) => words[0] === noun)]),
);

/** Starts a sandbox on a copy of a folder; background work takes no time. */
function copyOf(folder: string): Promise<TestSandbox> {
  const dir = emptyFolder();
  cpSync(folder, dir, { recursive: true });
  const delays = { checkStarts: 1, checkTakes: 1, autoMerge: 1, jobQueued: 1, jobStep: 1 };
  return testSandbox({ dir, delays });
}

/** What is prepared for an example beside what is for its noun: for the verb, and for the line itself. */
function ownPreparations(name: string, line: string): readonly Preparation[] {
  const keys = Object.keys(preparations).filter((key) => key.includes(" ") && `${name} `.startsWith(`${key} `));
  return [...keys.sort((one, other) => one.length - other.length), line].map((key) => preparations[key] ?? {});
}

function merged(all: readonly Preparation[]): Preparation {
  const every = <K extends "files" | "env" | "commits" | "words">(key: K) =>
    Object.assign({}, ...all.map((one) => one[key])) as Readonly<Record<string, string>>;
  const joined = { files: every("files"), env: every("env"), commits: every("commits"), words: every("words") };
  return Object.assign({}, ...all, joined) as Preparation;
}

/** The entry of the list of what recordings answer that is about an example. */
const isRecorded = (listed: readonly string[], name: string, line: string) =>
  listed.some((one) => one === line || `${name} `.startsWith(`${one} `));

async function check(line: string, around: Surroundings, prepared: Preparation): Promise<void> {
  const { code, stdout, stderr } = await run(line, around, prepared);
  expect(code, `${line}\n${stdout}${stderr}`).toBe(prepared.code ?? 0);
}

describe("the examples of the help", () => {
  describe.each([...nouns])("of %s", (noun, verbs) => {
    const world = emptyFolder();
    const general = preparations[noun] ?? {};
    let reading: TestSandbox;
    beforeAll(async () => {
      const sandbox = await testSandbox({ dir: world });
      const { before = [], files = {} } = general;
      const around = surroundings(sandbox, sandbox.url, { files });
      for (const line of before) await check(line, around, {});
      await sandbox.close();
      reading = await copyOf(world);
    });
    afterAll(() => reading.close());

    const lines = verbs.flatMap(({ words, command }) =>
      command.examples.map(([, line]) => ({ line, name: words.join(" "), effect: command.effect })),
    );
    it.each(lines.map((one) => [one.line, one] as const))("%s", async (line, { name, effect }) => {
      const own = ownPreparations(name, line);
      const before = own.flatMap((one) => one.before ?? []);
      const prepared = merged([general, ...own]);
      const isShared = effect === "read" && before.length === 0 && !needsShell(line);
      const sandbox = isShared ? reading : await copyOf(world);
      const isOfForgejo = isRecorded(recordedOfForgejo, name, line);
      const front =
        isOfForgejo || isRecorded(Object.values(recorded).flat(), name, line)
          ? await withRecordings(sandbox.url, isOfForgejo ? "16.0.0+gitea-1.22.0" : undefined)
          : undefined;
      try {
        const around = surroundings(sandbox, front?.url ?? sandbox.url, prepared);
        const { words = {}, commits = {}, inShell = false } = prepared;
        for (const one of before) await check(one, around, { words, commits, inShell });
        await check(line, around, prepared);
        if (front !== undefined) expect(front.answered(), "the sandbox serves all of it").not.toEqual([]);
      } finally {
        await front?.close();
        if (!isShared) await sandbox.close();
      }
    });
  });

  it("are all that is prepared for", () => {
    const known = commands.flatMap(({ words, command }) => [
      ...words.map((_word, at) => words.slice(0, at + 1).join(" ")),
      ...command.examples.map(([, line]) => line),
    ]);
    const named = [...Object.keys(preparations), ...Object.values(recorded).flat(), ...recordedOfForgejo];
    expect(named.filter((one) => !known.includes(one))).toEqual([]);
  });
});
