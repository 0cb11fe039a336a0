import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { Interruption } from "../../src/failure/interruption.ts";
import { openProfiles } from "../../src/profiles/profiles.ts";
import { serve, type TestServer } from "../support/server.ts";
import { emptyFolder, type Ran, tongs, type World } from "../support/tongs.ts";
import { type OnSandbox, onSandbox } from "./on-sandbox.ts";

/** The commands that no other client has; of lists, the examples with --everywhere. */
const nouns = /^(pr why|run why|run digest|operation|mcp|policy|journal|hook (?!git)|status$)/;
/** What ends with another code than success, and why. */
const codes: Readonly<Record<string, number>> = {
  // The repository differs from the file.
  "policy check": 1,
};

const commands = await allCommands(table);
const examples = commands.flatMap(({ words, command }) => {
  const name = words.join(" ");
  const lines = command.examples.map(([, line]) => line);
  const own = lines.filter((line) => nouns.test(name) || line.includes("--everywhere"));
  return own.map((line) => ({ name, line }));
});
/** What removes something comes after what uses it. */
const isLast = ({ name }: { readonly name: string }) => /delete|undo/.test(name);
const ordered = [...examples.filter((one) => !isLast(one)), ...examples.filter(isLast)];

/** A command line in words, without `tongs` and what follows `>`. */
function wordsOf(line: string): string[] {
  const [command = ""] = line.split(" > ");
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, two, bare]) => one ?? two ?? bare ?? "",
  );
  return words.slice(words.indexOf("tongs") + 1);
}

/** The names that Gitea has for some operations of the sandbox. */
const giteaIds: Readonly<Record<string, string>> = {
  getRepoIssues: "issueListIssues",
  postRepoLabels: "issueCreateLabel",
};

/** The sandbox, with Gitea's names for operations in its description. */
function withGiteaIds(sandbox: string): Promise<TestServer> {
  return serve(async ({ method, url, headers, body }) => {
    const response = await fetch(`${sandbox}${url}`, {
      method,
      headers: { authorization: String(headers["authorization"] ?? ""), "content-type": "application/json" },
      ...(body === "" ? {} : { body }),
    });
    const text = await response.text();
    const renamed = text.replace(/"operationId":"(\w+)"/g, (whole, id: string) =>
      whole.replace(id, giteaIds[id] ?? id),
    );
    const sent = { "content-type": response.headers.get("content-type") ?? "text/plain" };
    return { status: response.status, headers: sent, body: url.includes("swagger") ? renamed : text };
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the examples of the help", { timeout: 120_000 }, () => {
  let box: OnSandbox;
  let front: TestServer;
  let receiver: TestServer;
  let config: string;
  const state = emptyFolder();

  beforeAll(async () => {
    box = await onSandbox();
    front = await withGiteaIds(box.url);
    receiver = await serve(() => ({ status: 200, body: "" }));
    const profiles = openProfiles({
      env: { TONGS_CONFIG_DIR: join(emptyFolder(), "tongs") },
      platform: process.platform,
    });
    config = profiles.folder;
    await profiles.update((all) => ({ ...all, default: "home", profiles: { home: { host: front.url } } }));
    await profiles.credentials.set("home", box.token("harbormaster"));
    const ask = (path: string, body: unknown) => box.ask("POST", `/repos/mara/harbor${path}`, "harbormaster", body);
    // The examples name pull request 12, hook 3 and entry 12 of the journal.
    for (;;) {
      const { body } = await ask("/issues", { title: "Fill" });
      if ((body as { number: number }).number === 11) break;
      expect((body as { number: number }).number).toBeLessThan(11);
    }
    await ask("/contents/why.txt", { content: "", message: "Why", new_branch: "why" });
    expect((await ask("/pulls", { title: "Why", head: "why", base: "main" })).body).toMatchObject({ number: 12 });
    for (let id = 0; id < 3; id += 1) {
      const config = { url: receiver.url, content_type: "json" };
      await ask("/hooks", { type: "gitea", active: true, events: ["push"], config });
    }
    const charts = { name: "charts", auto_init: true, default_branch: "main" };
    await box.ask("POST", "/orgs", "harbormaster", { username: "tidewater" });
    await box.ask("POST", "/orgs/tidewater/repos", "harbormaster", charts);
    for (let number = 1; number <= 12; number += 1) await run(["label", "create", `n${number}`, "--color", "ff0000"]);
  }, 60_000);
  afterAll(async () => {
    for (const server of [front, receiver, box]) await server.close();
  });

  function run(line: readonly string[], world: World = {}): Promise<Ran> {
    const own = { TONGS_CONFIG_DIR: config, XDG_STATE_HOME: state, TONGS_REPO: "mara/harbor" };
    const secrets = { HOOK_SECRET: "not-a-secret", DEPLOY_TOKEN: "not-a-secret" };
    return tongs(line, { ...world, env: { ...own, ...secrets, ...world.env } });
  }

  /** A folder with the files that the examples read. */
  function folder(line: string): string {
    const cwd = emptyFolder();
    const policy = readFileSync(join(import.meta.dirname, "../data/policy.yml"), "utf8");
    // Only a repository that is not empty has a branch to protect, and teams have names of their own.
    if (!line.includes("export")) writeFileSync(join(cwd, "policy.yml"), policy);
    writeFileSync(join(cwd, "secret.txt"), "not-a-secret\n");
    mkdirSync(join(cwd, "out"));
    return cwd;
  }

  /** Runs an example that waits for deliveries: on a free port, with one delivery from `hook test`. */
  async function listen(words: readonly string[]): Promise<Ran> {
    const port = `${await freePort()}`;
    const changed = words.map((word) =>
      word === "3001" ? port : word === "http://127.0.0.1:8080/hook" ? `${receiver.url}/hook` : word,
    );
    const stop = new AbortController();
    const own = changed.includes("--port") ? [] : ["--port", port];
    const ended = run([...changed, ...own], { signal: stop.signal });
    const url = `http://127.0.0.1:${port}/`;
    await expect.poll(() => fetch(url).then(({ status }) => status), { timeout: 10_000 }).toBe(200);
    const config = { url, content_type: "json", secret: "not-a-secret" };
    const hook = { type: "gitea", active: true, events: ["push"], config };
    const { body } = await box.ask("POST", "/repos/mara/harbor/hooks", "harbormaster", hook);
    await run(["hook", "test", `${(body as { id: number }).id}`]);
    if (!words.includes("--once")) {
      await expect.poll(async () => ((await (await fetch(url)).json()) as []).length, { timeout: 10_000 }).toBe(1);
      stop.abort(new Interruption("SIGINT"));
    }
    const ran = await ended;
    expect(JSON.parse(ran.stdout)).toMatchObject({ event: "push", repository: "mara/harbor" });
    await box.ask("DELETE", `/repos/mara/harbor/hooks/${(body as { id: number }).id}`, "harbormaster");
    return { ...ran, code: words.includes("--once") ? ran.code : ran.code - 130 };
  }

  it.each(ordered)("$line", async ({ name, line }) => {
    const words = wordsOf(line);
    if (name === "hook listen") {
      expect((await listen(words)).code).toBe(0);
      return;
    }
    const cwd = folder(line);
    const ran = await run(name === "journal undo" ? [...words, "--yes"] : words, { cwd });
    expect(ran.code, `${ran.stdout}${ran.stderr}`).toBe(codes[name] ?? 0);
    if (line.includes(" > ")) expect(ran.json()).toBeDefined();
    if (line.includes("--svg")) expect(readFileSync(join(cwd, "results.svg"), "utf8")).toContain("<svg");
  });

  it("are there for every one of these commands", () => {
    const wanted = commands.map(({ words }) => words.join(" ")).filter((name) => nouns.test(name));
    expect(wanted.length).toBeGreaterThan(20);
    const shown = new Set(examples.map(({ name }) => name));
    expect(wanted.filter((name) => !shown.has(name))).toEqual([]);
    for (const name of ["pr list", "issue list", "run list"]) expect([...shown]).toContain(name);
  });
});
