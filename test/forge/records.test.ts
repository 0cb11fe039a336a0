import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandSpec } from "../../src/command/spec.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { exitCodes } from "../../src/failure/exit-codes.ts";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { type MutatingServer, type Mutation, mutatingServer, mutationsOf } from "../support/mutating-server.ts";
import { emptyFolder, type Ran, tongs } from "../support/tongs.ts";

/** Command lines for the commands that need more than their name; `run` ids and the like are those of the sandbox. */
const lines: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "pr view": [["2"], ["2", "--comments"]],
  "pr diff": [["2", "--stat"]],
  "pr merged": [["2"]],
  "pr commits": [["2"]],
  "pr files": [["2"]],
  "pr checks": [["2"]],
  "pr reviews": [["2"]],
  "repo list": [["mara"]],
  "user key list": [["mara"]],
  "user badge list": [["mara"]],
  "follow check": [["mara"]],
  "star check": [["mara/harbor"]],
  "run view": [["latest"]],
  "run why": [["latest"]],
  "run watch": [["latest"]],
  "run logs": [["latest"]],
  "run jobs": [["latest"]],
  "workflow view": [["ci.yml"]],
  "runner list": [["--admin"]],
  "runner view": [["1", "--admin"]],
  "artifact view": [["1"]],
  "artifact download": [],
};

/** Commands that read no record: the status of the answer is all. */
const withoutRecord = new Set(["star check", "follow check"]);

const commands = (await allCommands(table)).filter(
  ({ words, command }) =>
    command.effect === "read" && (command.on === "repository" || command.on === "server") && words[0] !== "metrics",
);

describe("a record with a field that is missing or of another type", { timeout: 300_000 }, () => {
  let sandbox: TestSandbox;
  let server: MutatingServer;
  const cwd = emptyFolder();

  beforeAll(async () => {
    sandbox = await testSandbox();
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHM2nKve4IQ7qf0XUWmvoGYst7326zkdXaqJr6tjbpJQ mara";
    await sandbox.ask("POST", "/admin/users/mara/keys", "harbormaster", { title: "laptop", key });
    await sandbox.ask("PUT", "/user/starred/mara/harbor", "harbormaster");
    await sandbox.ask("PUT", "/user/following/mara", "harbormaster");
    await sandbox.ask("PUT", "/user/following/harbormaster", "mara");
    await sandbox.ask("POST", "/admin/users/mara/badges", "harbormaster", { badge_slugs: ["pilot"] });
    await sandbox.ask("POST", "/repos/mara/harbor/pulls/2/reviews", "harbormaster", { event: "COMMENT", body: "Neat" });
    const config = { url: "http://127.0.0.1:9/", content_type: "json" };
    await sandbox.ask("POST", "/repos/mara/harbor/hooks", "mara", { type: "gitea", config, events: ["push"] });
    server = await mutatingServer(sandbox.url);
  });

  afterAll(async () => {
    await server.close();
    await sandbox.close();
  });

  /** Runs a command line; one that polls without end is interrupted. */
  async function run(line: readonly string[]): Promise<Ran> {
    const interruption = new AbortController();
    let waits = 0;
    return tongs(line, {
      cwd,
      signal: interruption.signal,
      onSleep() {
        waits += 1;
        if (waits > 100) interruption.abort(new Error("polls without end"));
      },
      env: { TONGS_HOST: server.url, TONGS_TOKEN: sandbox.token("harbormaster"), TONGS_REPO: "mara/harbor" },
    });
  }

  for (const { words, command } of commands) {
    for (const rest of lines[words.join(" ")] ?? [[]]) {
      const line = [...words, ...rest];
      it(`ends ${line.join(" ")} with exit 7 or does no harm`, async () => {
        server.mutate(undefined);
        server.take();
        const first = await run(line);
        expect(faults(first, command), `add a line for '${words.join(" ")}' to the table above`).toEqual([]);
        const mutations = [...server.take()].flatMap(([url, body]) => mutationsOf(url, body));
        expect(mutations.length > 0, "this command reads no record").toBe(!withoutRecord.has(words.join(" ")));
        const found: string[] = [];
        for (const mutation of mutations) {
          server.mutate(mutation);
          const ran = await run(line);
          const wrong = faults(ran, command, mutation);
          if (wrong.length > 0) found.push(`${mutation.url} ${mutation.place.join(".")} = ${mutation.text}: ${wrong}`);
        }
        expect(found).toEqual([]);
      });
    }
  }
});

/** What is wrong with how a run ended. */
function faults({ code, stdout, stderr }: Ran, { exits = {} }: CommandSpec, mutation?: Mutation): string[] {
  const documented = Object.keys(exits).map((name) => exitCodes[name as keyof typeof exitCodes].code);
  // Another number is another record, which need not exist; no record has a negative one.
  const allowed = [0, ...documented, ...(mutation === undefined ? [] : [7]), ...(mutation?.sameType ? [5, 13] : [])];
  const text = `${stdout}\n${stderr}`;
  return [
    ...(allowed.includes(code) ? [] : [`exit ${code} ${stderr.slice(0, 300)}`]),
    ...["bug in tongs", "Unexpected:", "\n    at "].filter((words) => stderr.includes(words)).map(() => stderr),
    ...["undefined", "NaN", "[object Object]"]
      .filter((word) => text.includes(word))
      .map((word) => `${word} in ${text}`),
  ];
}
