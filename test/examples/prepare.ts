import { cpSync } from "node:fs";
import { expect } from "vitest";
import type { Effect } from "../../src/command/spec.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { parseRelease, type Release, versionOf } from "../../src/sandbox/release.ts";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder } from "../support/tongs.ts";
import { ofRepositories } from "./of-repositories.ts";
import { ofServers } from "./of-servers.ts";
import { recorded, recordedOfForgejo } from "./recorded.ts";
import { withRecordings } from "./recordings.ts";
import { type Ended, needsShell, type Preparation, run, type Surroundings, surroundings } from "./run.ts";

/** An example of the help, with the command that it is of. */
export interface Example {
  readonly line: string;
  readonly name: string;
  readonly effect: Effect;
}

type Product = "gitea" | "forgejo";

/** What examples need, by noun, by verb, or by the line itself. */
export const preparations: Readonly<Record<string, Preparation>> = { ...ofRepositories, ...ofServers };

/** The examples by noun. */
export async function examplesOfNouns(): Promise<ReadonlyMap<string, readonly Example[]>> {
  const found = new Map<string, Example[]>();
  for (const { words, command } of await allCommands(table)) {
    const of = command.examples.map(([, line]) => ({ line, name: words.join(" "), effect: command.effect }));
    found.set(words[0] ?? "", [...(found.get(words[0] ?? "") ?? []), ...of]);
  }
  return found;
}

/** What the examples of a noun run on: a sandbox, or for those that write a copy of it. */
export interface Stage {
  open(): Promise<void>;
  /** Runs an example as it is, or as `typed` without a terminal, after what is prepared for it and what is given here. */
  play(
    example: Example,
    given?: Preparation & { readonly typed?: string },
  ): Promise<Ended & { readonly prepared: Preparation }>;
  close(): Promise<void>;
}

export function stageOf(noun: string, product: Product = "gitea"): Stage {
  const world = emptyFolder();
  const release = parseRelease(product);
  const general = preparations[noun] ?? {};
  let reading: TestSandbox | undefined;
  return {
    async open() {
      const sandbox = await testSandbox({ dir: world, release });
      const { before = [], files = {} } = general;
      const around = surroundings(sandbox, sandbox.url, { files });
      for (const line of before) await prepare(line, around, {});
      await sandbox.close();
      reading = await copyOf(world, release);
    },
    async play({ line, name, effect }, { typed = line, ...given } = {}) {
      const own = [...ownPreparations(name, line), given];
      const before = own.flatMap((one) => one.before ?? []);
      const prepared = merged([general, ...own]);
      const isShared = effect === "read" && before.length === 0 && !needsShell(line) && reading !== undefined;
      const sandbox = isShared && reading !== undefined ? reading : await copyOf(world, release);
      const isOfForgejo = isRecorded(recordedOfForgejo, name, line);
      const version = product === "forgejo" || isOfForgejo ? versionOf(parseRelease("forgejo")) : undefined;
      const front =
        isOfForgejo || isRecorded(Object.values(recorded).flat(), name, line)
          ? await withRecordings(sandbox.url, product, version)
          : undefined;
      try {
        const around = surroundings(sandbox, front?.url ?? sandbox.url, prepared);
        const { words = {}, commits = {}, inShell = false } = prepared;
        for (const one of before) await prepare(one, around, { words, commits, inShell });
        const { answers: _terminal, ...bare } = prepared;
        const ended = await run(typed, around, typed === line ? prepared : bare);
        if (front !== undefined && ended.code === 0)
          expect(front.answered(), "the sandbox serves all of it").not.toEqual([]);
        // A recorded answer has the values of the request that was recorded, not those of the example.
        const isOfOthers = front?.answered().some((one) => !one.startsWith("GET ")) === true;
        const code = isOfOthers && `${ended.stdout}${ended.stderr}`.includes("did not apply") ? 0 : ended.code;
        return { ...ended, code, prepared };
      } finally {
        await front?.close();
        if (!isShared) await sandbox.close();
      }
    },
    close: async () => reading?.close(),
  };
}

/** Starts a sandbox on a copy of a folder; background work takes no time. */
function copyOf(folder: string, release: Release): Promise<TestSandbox> {
  const dir = emptyFolder();
  cpSync(folder, dir, { recursive: true });
  const delays = { autoMerge: 1, jobQueued: 1, jobStep: 1 };
  return testSandbox({ dir, delays, release });
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

async function prepare(line: string, around: Surroundings, prepared: Preparation): Promise<void> {
  const { code, stdout, stderr } = await run(line, around, prepared);
  expect(code, `${line}\n${stdout}${stderr}`).toBe(prepared.code ?? 0);
}
