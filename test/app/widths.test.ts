import stringWidth from "string-width";
import { beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { cassette } from "../support/cassette.ts";
import { isRecorded, type ReadLine, readLines } from "../support/read-lines.ts";
import { emptyFolder, type Ran, tongs } from "../support/tongs.ts";

/** Commands that print a text as it is, in a form of git or as YAML, or do not end. */
const others =
  /^(run logs|pr diff|policy export|file view|render|template \w+ view|hook (git view|listen)|mcp serve|token list|metrics .*)$/;

const commands = (await allCommands(table)).filter(
  ({ words, command }) => command.effect === "read" && command.on !== "nothing" && !others.test(words.join(" ")),
);

describe("every command that reads", () => {
  let sandbox: TestSandbox;
  const cwd = emptyFolder();
  beforeAll(async () => {
    sandbox = await testSandbox();
  });

  async function run(words: readonly string[], line: ReadLine, columns: number): Promise<Ran> {
    const env = { TONGS_REPO: "mara/harbor", TONGS_PAGER: "cat", NO_COLOR: "1", CI: "1" };
    if (!isRecorded(line)) {
      const server = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("harbormaster") };
      return tongs([...words, ...line], { cwd, terminal: true, columns, env: { ...env, ...server } });
    }
    const player = await cassette(line.cassette, undefined, { repeat: true });
    const repo = line.repo === undefined ? {} : { TONGS_REPO: line.repo };
    const ran = await player.run([...words, ...line.line], { cwd, terminal: true, columns, env: { ...env, ...repo } });
    await player.close();
    return ran;
  }

  it.each([40, 50, 80, 120])("fits a terminal of %i columns, but for a word that is longer", async (columns) => {
    const found: string[] = [];
    for (const { words } of commands) {
      for (const line of readLines[words.join(" ")] ?? [[]]) {
        const { stdout, stderr } = await run(words, line, columns);
        for (const text of `${stdout}\n${stderr}`.split("\n")) {
          // The value of a field begins behind two spaces; an address or a hash has none.
          const value = text.trim().replace(/^✗ /, "").split(/ {2,}/).at(-1) ?? "";
          if (stringWidth(text) > columns && value.includes(" ")) found.push(`${words.join(" ")}: ${text}`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  it("says what a list has", async () => {
    for (const { words } of commands) {
      for (const line of readLines[words.join(" ")] ?? [[]]) {
        const { stderr } = await run(words, line, 120);
        expect(stderr, words.join(" ")).not.toMatch(/^(Showing \d+( of \d+)?|No) results/m);
        expect(stderr, words.join(" ")).not.toMatch(/^Showing 1( of 1)? (?!status|access)[\w-]*s$/m);
      }
    }
  });
});
