import { describe, expect, it } from "vitest";
import { resultNames } from "../../src/app/result.ts";
import type { Arg } from "../../src/command/args.ts";
import { parseCommand } from "../../src/command/parse.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { each } from "../../src/output/output.ts";
import { onSandbox } from "../commands/on-sandbox.ts";
import { type Reply, serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

const repository = "mara/harbor";
const sandbox = await onSandbox();
const run = (line: string) => sandbox.run([...line.split(" "), "-R", repository]);

describe("a write that is answered with nothing", () => {
  it("prints the names that it was given and the result as JSON, each target in the order given", async () => {
    expect((await run("repo collaborator add jonas")).code).toBe(0);
    const ran = await run("repo collaborator remove jonas --json");
    expect(ran.json()).toEqual([{ user: "jonas", repository, result: "removed" }]);
    for (const name of ["kelp", "foam"]) await run(`label create ${name} --color 000001`);
    const lines = (await run("label delete kelp foam --yes --jsonl")).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      ["kelp", "foam"].map((label) => ({ label, result: "deleted" })),
    );
  });

  it("prints chosen fields, CSV and jq's results of that, too", async () => {
    const added = async (topic: string, ...form: string[]) =>
      (await sandbox.run(["repo", "topic", "add", "-R", repository, topic, ...form])).stdout;
    expect(await added("lee", "--json=topic,result")).toBe('[{"topic":"lee","result":"added"}]\n');
    expect(await added("luff", "--csv")).toBe(`topic,repository,result\nluff,${repository},added\n`);
    expect(await added("leech", "--jq", ".[].result")).toBe("added\n");
    expect(await added("leech", "--jq", ".[].result")).toBe("unchanged\n");
  });

  it("prints as text what it did before", async () => {
    expect(await run("repo topic add clew")).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining("✓ Added topic clew"),
    });
  });

  it("prints one record if it has one target", async () => {
    const server = await serve(() => ({ status: 204 }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["hook", "test", "3", "-R", repository, "--json"], { env });
    expect(ran.json()).toEqual({ id: "3", repository, result: "requested" });
  });

  it("is in the schema of every command that writes", async () => {
    const without = (await allCommands(table)).filter(
      ({ command: { effect, output } }) => effect !== "read" && output === undefined,
    );
    expect(without.map(({ words }) => words.join(" "))).toEqual([]);
    const described = (await tongs(["schema", "label", "delete", "--jq", ".commands[0].output"])).json();
    expect(described).toEqual({
      type: "array",
      items: {
        type: "object",
        properties: { label: { type: "string" }, result: { type: "string", examples: ["deleted", "unchanged"] } },
        required: ["label", "result"],
      },
    });
  });
});

describe("the names of a write that is answered with nothing", () => {
  it("has the words that were typed, in every command", async () => {
    const wrong = (await allCommands(table)).flatMap(({ words, command }) => {
      if (command.result === undefined) return [];
      const typed = Object.entries(command.args).map(([key, arg]) => wordFor(arg, key));
      const parsed = parseCommand(command, words, typed);
      const names = Object.values(resultNames(command, parsed.args, parsed.typed, undefined));
      return names.every((name) => name === each || typed.includes(name)) ? [] : [[words.join(" "), ...names]];
    });
    expect(wrong).toEqual([]);
  });

  it("has the team of its members and repositories", async () => {
    await sandbox.ask("POST", "/orgs", "mara", { username: "lagoon" });
    await sandbox.ask("POST", "/orgs/lagoon/repos", "mara", { name: "reef" });
    expect((await sandbox.run(["team", "create", "lagoon/divers"], { as: "mara" })).code).toBe(0);
    for (const [line, becomes] of [
      ["member add lagoon/divers jonas", { user: "jonas", result: "added" }],
      ["member remove lagoon/divers jonas", { user: "jonas", result: "removed" }],
      ["repo add lagoon/divers lagoon/reef", { repository: "lagoon/reef", result: "added" }],
      ["repo remove lagoon/divers lagoon/reef", { repository: "lagoon/reef", result: "removed" }],
    ] as const) {
      const ran = await sandbox.run(["team", ...line.split(" "), "--json"], { as: "mara" });
      expect(ran.stderr, line).toContain("✓");
      expect(ran.json(), line).toEqual([{ team: "lagoon/divers", ...becomes }]);
    }
  });
});

/** A word that the argument can be read from. */
function wordFor({ choices, read, locate }: Arg<unknown>, key: string): string {
  const reads = (word: string) => {
    try {
      locate?.([word]);
      read([word], key);
      return true;
    } catch {
      return false;
    }
  };
  return [...(choices ?? []), "7", "lagoon/divers"].find(reads) ?? "none fits";
}

describe("what was so already", () => {
  it("is not said to be done, and sends no other write", async () => {
    await run("repo unwatch mara/harbor");
    sandbox.writes();
    const ran = await run("repo unwatch mara/harbor --json");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^You were not watching mara\/harbor\n/) });
    expect(ran.json()).toEqual([{ repository, result: "unchanged" }]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("is no failure where the server refuses it", async () => {
    const ran = await run("repo topic remove nothing --json");
    expect(ran).toMatchObject({ code: 0, stderr: "nothing is not a topic of mara/harbor\n" });
    expect(ran.json()).toEqual([{ topic: "nothing", repository, result: "unchanged" }]);
    expect((await sandbox.run(["repo", "topic", "remove", "nothing", "-R", "mara/none", "--json"])).code).toBe(5);
  });

  it("is looked up after a refusal of Gitea, whose reason can be another", async () => {
    const answers: Record<string, Reply> = {
      "DELETE /api/v1/orgs/tidewater/blocks/jonas": { status: 400, body: { message: "cannot unblock the user" } },
      "GET /api/v1/orgs/tidewater/blocks/jonas": { status: 404 },
      "PUT /api/v1/orgs/tidewater/blocks/jonas": { status: 400, body: { message: "cannot block the user" } },
    };
    const server = await serve(({ method, url }) => answers[`${method} ${url}`] ?? { status: 500 });
    const asked = (verb: string) =>
      tongs(["org", "block", verb, "tidewater", "jonas", "--json"], {
        env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" },
      });
    const removed = await asked("remove");
    expect(removed).toMatchObject({ code: 0, stderr: "tidewater does not block jonas\n" });
    expect(removed.json()).toEqual([{ org: "tidewater", user: "jonas", result: "unchanged" }]);
    expect(await asked("add")).toMatchObject({ stdout: "", stderr: expect.stringContaining("cannot block the user") });
  });
});

describe("a command whose only target fails", () => {
  it("prints nothing on stdout", async () => {
    for (const line of ["label delete nothing --yes", "file get nothing", "release download v0"])
      expect(await run(`${line} --json`), line).toMatchObject({ stdout: "", code: 5 });
  });

  it("is told from an empty list, and from several targets that all fail", async () => {
    expect((await run("release list --json")).stdout).toBe("[]\n");
    expect((await run("label delete no none --yes --json")).stdout).toBe("[]\n");
  });

  it("prints nothing if the only server does not answer", async () => {
    const server = await serve(() => ({ status: 500 }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    expect(await tongs(["status", "--json"], { env })).toMatchObject({ stdout: "" });
    expect(await tongs(["issue", "list", "--everywhere", "--json"], { env })).toMatchObject({ stdout: "" });
  });
});
