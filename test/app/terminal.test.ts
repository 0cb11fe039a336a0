import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandSpec } from "../../src/command/spec.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { Interruption } from "../../src/failure/interruption.ts";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { type Cassette, cassette } from "../support/cassette.ts";
import { type AppendOptions, type MutatingServer, mutatingServer } from "../support/mutating-server.ts";
import { hostile, rawCodes } from "../support/raw-codes.ts";
import { isRecorded, readLines } from "../support/read-lines.ts";
import { emptyFolder, type Ran, tongs } from "../support/tongs.ts";

/** Fields by which commands find what they work on; with hostile text they end early. */
const finding = new Set(
  "full_name login username name sha ref label html_url url clone_url ssh_url base_url type path filename".split(" "),
);

/** How the server answers, and how the command prints it. */
const reading: readonly (readonly [AppendOptions, string])[] = [
  [{}, "--debug"],
  ...["--debug", "--json", "--csv"].map((flag) => [{ except: finding }, flag] as const),
];

const commands = await allCommands(table);

describe("every command on a terminal, with escape codes in every text of the server", () => {
  let sandbox: TestSandbox;
  let server: MutatingServer;
  /** A record of everything: the answer to writes that the sandbox refuses. */
  let anything: Record<string, unknown>;
  const cassettes: Cassette[] = [];
  const cwd = emptyFolder();
  const reached = new Set<string>();

  beforeAll(async () => {
    sandbox = await testSandbox();
    server = await mutatingServer(sandbox.url);
    anything = {};
    for (const path of [
      "/user",
      "/repos/mara/harbor",
      "/repos/mara/harbor/actions/runs/1",
      "/repos/mara/harbor/pulls/2",
    ]) {
      Object.assign(anything, (await sandbox.ask("GET", path, "harbormaster")).body);
    }
  });

  afterAll(async () => {
    await server.close();
    for (const one of cassettes) await one.close();
  });

  /** Runs a command line; one that runs or polls without end is interrupted. */
  async function run(line: readonly string[], url: string, { on }: CommandSpec, repo = "mara/harbor"): Promise<Ran> {
    const interruption = new AbortController();
    const stop = () => interruption.abort(new Interruption("SIGTERM"));
    const timer = setTimeout(stop, on === "nothing" ? 1000 : 10_000);
    // What a server says when it is ready.
    const onStderr = (text: string) => /Listening|Ctrl-C/.test(text) && stop();
    let waits = 0;
    const ran = await tongs(line, {
      cwd,
      terminal: true,
      signal: interruption.signal,
      onStderr,
      onSleep() {
        waits += 1;
        if (waits > 20) stop();
      },
      env: {
        TONGS_HOST: url,
        TONGS_TOKEN: sandbox.token("harbormaster"),
        TONGS_REPO: repo,
        PAGER: "cat",
        BROWSER: "false",
      },
    });
    clearTimeout(timer);
    return ran;
  }

  /** Writes fail, then succeed. Commands that ask no server are run once. */
  const waysFor = ({ on, effect }: CommandSpec): typeof reading => {
    if (on === "nothing") return reading.slice(0, 1);
    if (effect === "read") return reading;
    return [
      [{}, "--debug"],
      [{ except: finding }, "--json"],
      [{ except: finding, obliging: anything }, "--debug"],
      [{ except: finding, obliging: anything }, "--json"],
    ];
  };

  for (const { words, command } of commands) {
    const name = words.join(" ");
    it(`${name} writes nothing raw`, async () => {
      const found: string[] = [];
      const check = ({ stdout, stderr, asked }: Ran, line: readonly string[]) => {
        if (/owned/.test(stdout + stderr)) reached.add(name);
        // The prompt library would have shown the prompts.
        for (const text of [stdout, stderr, asked.join("\n")]) {
          found.push(...rawCodes(text, { drawing: true }).map((raw) => `${line.join(" ")}: ${raw}`));
        }
      };
      const lines = command.effect === "read" && command.on !== "nothing" ? (readLines[name] ?? [[]]) : [];
      const plain = [...lines.flatMap((line) => (isRecorded(line) ? [] : [line])), ...exampleLines(words, command)];
      for (const given of plain) {
        const line = [...words, ...given];
        for (const file of line.filter((word) => /^[\w-]+\.\w+$/.test(word))) writeFileSync(join(cwd, file), "1\n");
        for (const [way, flag] of waysFor(command)) {
          server.append(hostile, way);
          check(await run([...line, flag], server.url, command), [...line, flag]);
        }
      }
      for (const recorded of lines.filter(isRecorded)) {
        const player = await cassette(recorded.cassette, undefined, { repeat: true });
        cassettes.push(player);
        const front = await mutatingServer(player.url);
        for (const [way, flag] of reading) {
          front.append(hostile, way);
          const line = [...words, ...recorded.line, flag];
          check(await run(line, front.url, command, recorded.repo), line);
        }
        await front.close();
      }
      expect(found).toEqual([]);
    });
  }

  it("most commands showed the text", () => {
    const onServer = commands.filter(({ command }) => command.on === "server" || command.on === "repository");
    const silent = onServer.map(({ words }) => words.join(" ")).filter((name) => !reached.has(name));
    expect(silent.length, silent.join(", ")).toBeLessThan(onServer.length / 10);
  });
});

/** What follows the name of a command in its examples, without pipes and redirections; destructive actions go on. */
function exampleLines(words: readonly string[], { examples, effect }: CommandSpec): string[][] {
  const lines = examples.map(([, example]) => {
    const all = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, one, two, bare]) => one ?? two ?? bare ?? "",
    );
    const start = all.indexOf("tongs");
    const rest = all.slice(start + 1);
    const end = rest.findIndex((word) => /^([|<>]|&&)$/.test(word));
    const line = end < 0 ? rest : rest.slice(0, end);
    return words.every((word, index) => line[index] === word) ? line.slice(words.length) : line.slice(words.length - 1);
  });
  return effect === "read" ? lines : lines.map((line) => [...line, "--yes"]);
}
