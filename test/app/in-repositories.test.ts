import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Interruption } from "../../src/failure/interruption.ts";
import { saveFile } from "../../src/prompts/keep-text.ts";
import { type OnSandbox, onSandbox } from "../commands/on-sandbox.ts";
import { droppingProxy } from "../support/dropping-proxy.ts";
import type { World } from "../support/tongs.ts";

let sandbox: OnSandbox;
beforeAll(async () => {
  sandbox = await onSandbox();
  await sandbox.ask("POST", "/orgs", "mara", { username: "fleet" });
  for (const name of ["buoy", "lamp", "log"]) await sandbox.ask("POST", "/orgs/fleet/repos", "mara", { name });
});

const run = (line: readonly string[], world: World = {}) => sandbox.run(line, { as: "mara", ...world });
const variables = async (name: string) =>
  (await run(["variable", "list", "-R", `fleet/${name}`, "--json", "name,data"])).json();

describe("a write in several repositories", () => {
  it("asks once, lists them, and gives each all of stdin", async () => {
    const line = ["variable", "set", "TIDE", "-R", "fleet/l*"];
    const refused = await run(line, { terminal: true, answers: [false] });
    expect([refused.code, refused.asked]).toEqual([
      3,
      [expect.stringContaining("Run 'variable set' in 2 repositories on ")],
    ]);
    expect(refused.stderr).toContain("fleet/lamp\nfleet/log\n");
    expect(await variables("lamp")).toEqual([]);
    const ran = await run([...line, "--yes"], { stdin: "high" });
    expect([ran.code, ran.stderr.split("Created variable TIDE of fleet/").length]).toEqual([0, 3]);
    for (const name of ["lamp", "log"]) expect(await variables(name)).toEqual([{ name: "TIDE", data: "high" }]);
    expect(await variables("buoy")).toEqual([]);
  });

  it("is made where it can be, and its JSON has the records of all", async () => {
    const stdin = "fleet/buoy\nfleet/none\nfleet/log\n";
    const ran = await run(["variable", "set", "EBB", "--body", "1", "-R", "-", "-y", "--jq", "map(.action)"], {
      stdin,
    });
    expect([ran.code, ran.json()]).toEqual([11, ["create", "create"]]);
    expect(ran.stderr).toMatch(/^\{"error":.*"target":"fleet\/none"\}\}$/m);
  });

  it("counts where some of it was done apart from where nothing was", async () => {
    for (const name of ["lamp", "log"]) await run(["variable", "set", "SPRING", "--body", "1", "-R", `fleet/${name}`]);
    const ran = await run(["variable", "delete", "SPRING", "NEAP", "-R", "fleet/*", "--yes"]);
    expect([ran.code, ran.stderr.trimEnd().split("\n").at(-1)]).toEqual([11, "3 of 3 failed, 2 of them only in part."]);
  });

  it("takes the argument of a verb on one repository", async () => {
    const ran = await run(["repo", "edit", "fleet/{buoy,log}", "--no-has-wiki", "--yes", "--json", "full_name"]);
    expect(ran.json()).toEqual([{ full_name: "fleet/buoy" }, { full_name: "fleet/log" }]);
    const archived = await run(["repo", "archive", "-R", "fleet/b*", "--yes"]);
    expect([archived.code, archived.stderr]).toEqual([0, expect.stringContaining("Archived fleet/buoy")]);
  });

  it("sends nothing without --yes in a script, with --plan and with --dry-run", async () => {
    const script = await run(["label", "create", "tide", "--color", "ff0000", "-R", "fleet/*"]);
    expect([script.code, script.stderr]).toEqual([
      2,
      expect.stringContaining("--yes is required to run 'label create'"),
    ]);
    const plan = await run(["variable", "set", "FLOW", "--body", "1", "-R", "fleet/*", "--plan"]);
    expect(plan.stdout).toContain("FLOW\tcreate");
    const dry = await run(["label", "create", "tide", "--color", "ff0000", "-R", "fleet/*", "--dry-run"]);
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining("POST ")]);
    expect(await variables("log")).not.toContainEqual({ name: "FLOW", data: "1" });
    expect((await run(["label", "list", "-R", "fleet/log", "--json"])).json()).toEqual([]);
  });

  it("removes a kept text when all were sent, and not before", async () => {
    const kept = await saveFile("text.md", "Foggy");
    const line = ["issue", "create", "--title", "Fog", "--body-file", kept];
    const some = await run([...line, "-R", "-", "--yes"], { stdin: "fleet/lamp\nfleet/none\n" });
    expect([some.code, existsSync(kept)]).toEqual([11, true]);
    expect((await run([...line, "-R", "fleet/l*", "--yes"])).code).toBe(0);
    expect(existsSync(kept)).toBe(false);
  });

  it("has the pattern typed before it destroys anything", async () => {
    const ran = await run(["repo", "delete", "fleet/b*"], { terminal: true, answers: ["fleet/b*"] });
    expect([ran.code, ran.asked]).toEqual([
      0,
      [expect.stringMatching(/1 repository on .*\. Type fleet\/b\* to confirm$/)],
    ]);
  });

  it("prompts for nothing in each, and says what to pass", async () => {
    const ran = await run(["secret", "set", "KEY", "-R", "fleet/l*"], { terminal: true, answers: [true] });
    expect([ran.code, ran.asked.length]).toEqual([2, 1]);
    expect(ran.stderr).toContain("--body-file");
  });

  it("is for commands on a repository: others are run once", async () => {
    const ran = await run(["org", "create", "armada", "-R", "fleet/*", "--json", "username"]);
    expect([ran.code, ran.json()]).toEqual([0, { username: "armada" }]);
  });

  it("is not made by a pattern among the names of several repositories", async () => {
    const ran = await run(["repo", "archive", "fleet/l*", "--dry-run"]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("To select what it matches: -R 'fleet/l*'")]);
  });

  it("is one entry of the journal, and is undone as one", async () => {
    const set = await run(["variable", "set", "MOON", "--body", "1", "-R", "fleet/l*", "--yes"]);
    expect(set.code).toBe(0);
    const [entry] = (await run(["journal", "list", "--limit", "1", "--json"])).json() as [{ readonly number: number }];
    expect(entry).toMatchObject({ command: "variable set", about: "fleet/l* MOON", requests: [{}, {}] });
    expect((await run(["journal", "undo", String(entry.number), "--yes"])).code).toBe(0);
    for (const name of ["lamp", "log"]) expect(await variables(name)).not.toContainEqual({ name: "MOON", data: "1" });
  });

  it("says what was sent and got no answer when it is interrupted", async () => {
    const stop = new AbortController();
    let writes = 0;
    const proxy = await droppingProxy(sandbox.url, {
      drops: () => false,
      swallows({ method }) {
        writes += method === "GET" ? 0 : 1;
        if (writes === 2) stop.abort(new Interruption("SIGINT"));
        return writes === 2;
      },
    });
    const line = ["variable", "set", "NEAP", "--body", "1", "-R", "-", "--yes"];
    const stdin = "fleet/lamp\nfleet/log\n";
    const ran = await run(line, { stdin, signal: stop.signal, env: { TONGS_HOST: proxy.url } });
    expect([ran.code, ran.stderr]).toEqual([130, expect.stringContaining("Sent, but the answer is not known: fleet/")]);
  });

  it("takes one selection: a second -R is refused, not left out", async () => {
    const two = await run(["variable", "set", "TIDE", "--body", "1", "-R", "fleet/log", "-R", "fleet/lamp"]);
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining("Specify only one --repo")]);
  });

  it("names no repository if none matches", async () => {
    const ran = await run(["variable", "set", "TIDE", "--body", "1", "-R", "fleet/x*", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("No repositories match 'fleet/x*'")]);
  });
});
