import { execFileSync } from "node:child_process";
import { getEventListeners, setMaxListeners } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { afterEach, describe, expect, it } from "vitest";
import { run } from "../../../src/app/run.ts";
import { kebab } from "../../../src/command/flags.ts";
import { allCommands } from "../../../src/command/write-help.ts";
import { aliases, table } from "../../../src/commands/index.ts";
import { commandTools, declared } from "../../../src/commands/mcp/tools.ts";
import { Interruption } from "../../../src/failure/interruption.ts";
import { streamed } from "../../../src/system/output-stream.ts";
import type { System } from "../../../src/system/system.ts";
import { isRecorded, readLines } from "../../support/read-lines.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();

interface Session {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Ends the session and returns the exit code. */
  close(): Promise<number>;
  tools(): Promise<string[]>;
  call(name: string, given?: Record<string, unknown>): ReturnType<Client["callTool"]>;
}

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

/** tongs in this process, with streams of its own. */
function start(
  argv: readonly string[],
  env: Record<string, string> = {},
  sleep: System["sleep"] = async () => undefined,
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stderr.resume();
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const cwd = emptyFolder();
  const server = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("harbormaster"), TONGS_REPO: "mara/harbor" };
  const system = {
    stdin,
    stdout: streamed(stdout),
    stderr: streamed(stderr),
    signal,
    cwd,
    platform: process.platform,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, TONGS_CONFIG_DIR: cwd, ...server, ...env },
    now: () => new Date(),
    random: () => 0.5,
    sleep,
  };
  return { stdin, stdout, signal, ended: run(["mcp", "serve", ...argv], system, { table, aliases }) };
}

/** tongs, and the SDK's own client at the other end of its streams. */
async function session(flags: readonly string[], env: Record<string, string> = {}, tools = "verb"): Promise<Session> {
  const { stdin, stdout, signal, ended } = start(["--tools", tools, ...flags], env);
  const client = new Client({ name: "test", version: "1" });
  // The transport of the server fits the client, too: it reads one stream and writes the other.
  await client.connect(new StdioServerTransport(stdout, stdin));
  let code: Promise<number> | undefined;
  const one: Session = {
    client,
    signal,
    close() {
      code ??= client.close().then(() => {
        stdin.end();
        stdout.resume();
        return ended;
      });
      return code;
    },
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (name, given = {}) => client.callTool({ name, arguments: given }),
  };
  open.push(one);
  return one;
}

interface Answer {
  readonly id: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

/** What tongs answers to lines, after which stdin is closed. */
async function answersTo(lines: string, flags: readonly string[] = []): Promise<Answer[]> {
  const { stdin, stdout, ended } = start(flags, {}, (time, signal) => setTimeout(time, undefined, { signal }));
  stdin.end(lines);
  let said = "";
  stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  expect(await ended).toBe(0);
  return said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

describe("mcp serve lists", () => {
  it("one tool for each command that reads, with its schema from the declaration", async () => {
    const { client } = await session([]);
    const { tools } = await client.listTools();
    const list = tools.find((tool) => tool.name === "pr_list");
    expect(list).toMatchObject({
      annotations: { readOnlyHint: true, destructiveHint: false },
      inputSchema: {
        properties: { state: { enum: ["open", "closed", "merged", "all"] }, limit: { type: "integer" } },
        additionalProperties: false,
      },
    });
    expect(tools.every((tool) => tool.annotations?.readOnlyHint === true)).toBe(true);
    const names = tools.map((tool) => tool.name);
    expect(names).toContain("output_more");
    for (const name of ["pr_merge", "repo_delete", "api", "auth_token", "mcp_serve", "sandbox", "artifact_download"]) {
      expect(names).not.toContain(name);
    }
    // They write files here.
    for (const name of ["run_download", "metrics_report", "policy_export"]) expect(names).not.toContain(name);
  });

  it("what writes with --allow write, and what destroys with --allow destroy, which includes write", async () => {
    const write = await (await session(["--allow", "write"])).tools();
    expect(write).toEqual(expect.arrayContaining(["pr_merge", "label_create", "policy_export"]));
    for (const name of ["label_delete", "hook_git_edit"]) expect(write).not.toContain(name);
    // They save files, always.
    for (const name of ["artifact_download", "file_get", "repo_clone"]) expect(write).not.toContain(name);
    expect(write).not.toContain("api");
    const destroy = await (await session(["--allow", "destroy"])).tools();
    expect(destroy).toEqual(
      expect.arrayContaining(["pr_merge", "label_delete", "api", "operation_call", "hook_git_edit"]),
    );
    expect(destroy).toContain("journal_undo");
    for (const name of ["auth_token", "auth_login", "profile_use", "profile_delete", "alias_set", "repo_set_default"])
      expect(destroy).not.toContain(name);
  });

  it("only the nouns of --only, and refuses an unknown one", async () => {
    const names = await (await session(["--only", "label,milestone"])).tools();
    expect(names).toEqual(["label_list", "milestone_list", "milestone_view", "output_more"]);
    const { code, stderr } = await sandbox.run(["mcp", "serve", "--only", "labels"]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("Unknown noun 'labels'") });
  });

  it("only tools that read make no file here, whichever of their flags is given", async () => {
    const cwd = emptyFolder();
    const env = { HOME: emptyFolder(), TONGS_CONFIG_DIR: emptyFolder(), TONGS_REPO: "mara/harbor" };
    for (const { words, command } of await commandTools(table, { only: [], allowed: "read" })) {
      const known = (readLines[words.join(" ")] ?? []).flatMap((line) => (isRecorded(line) ? [] : [line]));
      const files = Object.entries(command.flags).filter(([, one]) => /^(FILE|DIR|F)$/.test(one.placeholder ?? ""));
      const flags = [[], ...files.map(([key]) => [`--${kebab(key)}`, "made"])];
      for (const line of known.length > 0 ? known : [[]]) {
        for (const more of flags) {
          const stop = new AbortController();
          setMaxListeners(0, stop.signal);
          let waits = 0;
          const onSleep = () => {
            waits += 1;
            if (waits > 20) stop.abort(new Interruption("SIGTERM"));
          };
          await sandbox.run([...words, ...line, ...more, "--no-input"], { cwd, env, signal: stop.signal, onSleep });
        }
      }
      expect(readdirSync(cwd), words.join(" ")).toEqual([]);
    }
  });

  it.each([false, true])(
    "no tool with a password or an address, nor a file unless --files is given (%s)",
    async (hasFiles) => {
      const tools = await commandTools(table, { only: [], allowed: "destroy", hasFiles });
      const files: string[] = [];
      for (const tool of tools) {
        const { properties } = declared(tool).inputSchema;
        for (const [key, { names }] of [...Object.entries(tool.command.args), ...Object.entries(tool.command.flags)]) {
          const schema = new Map(Object.entries(properties)).get(kebab(key));
          if (names === undefined || schema === undefined) continue;
          expect(names, `${tool.name} ${key}`).toMatch(/^(input|output) file$/);
          if (JSON.stringify(schema).includes('"enum":["-"]')) continue;
          files.push(`${tool.name} ${key}`);
        }
      }
      if (!hasFiles) return expect(files).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(["render file", "artifact_download dir", "pr_create bodyFile"]));
    },
  );

  it("only what is declared: a flag or argument that reads like a file, a password or an address says so", async () => {
    const looksSo = (key: string, placeholder: string, description: string) =>
      /^(FILE|DIR|PATH=FILE|HOST:PORT|ADDRESS|SOCKET)$/.test(placeholder) ||
      /(File|Dir|Env|Socket)$/.test(key) ||
      /\b(read|write|append|save|download|image|key|upload)\b.*\b(file|files|directory)\b/.test(description) ||
      /^(file|files|directory|local file|policy file|target directory)\b|environment variable|address of a|listen on/.test(
        description,
      );
    // They name something on the server, or what is in a file.
    const others =
      /^(branch protection \w+ (un)?protected-file-patterns|repo edit external-tracker-format|file list path|package download file)$/;
    const undeclared: string[] = [];
    for (const { words, command } of await allCommands(table)) {
      const values = [
        ...Object.entries(command.args).map(([key, one]) => ({ key, placeholder: "", ...one })),
        ...Object.entries(command.flags).map(([key, one]) => ({ placeholder: "", ...one, key })),
      ];
      for (const { key, placeholder, description, names, ...rest } of values) {
        if ("type" in rest && rest.type !== "string") continue;
        if (names === undefined && looksSo(key, placeholder, description))
          undeclared.push(`${words.join(" ")} ${kebab(key)}`);
      }
    }
    expect(undeclared.filter((one) => !others.test(one))).toEqual([]);
  });

  it("no tool with a flag that opens a browser", async () => {
    const { client } = await session(["--allow", "destroy"]);
    for (const { name, inputSchema } of (await client.listTools()).tools) {
      expect(JSON.stringify(inputSchema), name).not.toMatch(/in (the|a) browser/);
    }
  });

  it("every tool with valid names, without flags that select a server or a repository, or open a browser", async () => {
    const { client } = await session(["--allow", "destroy"]);
    for (const { name, inputSchema } of (await client.listTools()).tools) {
      expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
      for (const key of Object.keys(inputSchema.properties ?? {})) expect(key).toMatch(/^[a-z0-9-]{1,64}$/);
      // --host of metrics is that of a reading.
      if (name.startsWith("metrics_")) continue;
      for (const key of ["profile", "host", "debug", "json", "jq", "web"]) {
        expect(Object.keys(inputSchema.properties ?? {}), name).not.toContain(key);
      }
    }
  });
});

describe("mcp serve with a tool for each noun", () => {
  const ofNouns = (...flags: string[]) => session(flags, {}, "noun");

  it("tells everything it offers in less than 24 kB", async () => {
    const { client } = await ofNouns("--allow", "destroy", "--files", ".");
    const listed = await client.listTools();
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(24_000);
    expect(client.getInstructions()).toContain('{"verb": "help", "of": "list"}');
  });

  it("has the verbs that are allowed, and says what a noun may do", async () => {
    const { client } = await ofNouns("--only", "label,branch");
    const [label] = (await client.listTools()).tools;
    expect(label).toMatchObject({
      name: "label",
      annotations: { readOnlyHint: true, destructiveHint: false },
      inputSchema: { properties: { verb: { enum: ["list", "help"] } } },
    });
    const more = await ofNouns("--only", "label,branch", "--allow", "destroy");
    const tools = (await more.client.listTools()).tools;
    expect(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
    ).toEqual([
      ["label", false, true],
      ["branch", false, true],
      ["output_more", true, false],
    ]);
    expect(JSON.stringify(tools[1]?.inputSchema)).toContain('"protection create"');
  });

  it("describes a verb when it is asked", async () => {
    const { call } = await ofNouns("--allow", "destroy");
    expect(await call("label", { verb: "help" })).toMatchObject({
      structuredContent: {
        items: expect.arrayContaining([expect.objectContaining({ verb: "delete", effect: "destroy" })]),
      },
    });
    expect(await call("pr", { verb: "help", of: "merge" })).toMatchObject({
      structuredContent: { verb: "merge", arguments: { style: { enum: expect.arrayContaining(["rebase"]) } } },
    });
  });

  it("runs a verb with its arguments, as the tool of the command does", async () => {
    const { call } = await ofNouns("--allow", "destroy");
    const made = await call("label", { verb: "create", name: "from-noun", color: "#0e8a16" });
    expect(made.structuredContent).toMatchObject({ name: "from-noun" });
    expect(await call("label", { verb: "delete", label: ["from-noun"] })).toMatchObject({
      structuredContent: { dry_run: { method: "DELETE" } },
    });
    expect(await call("branch", { verb: "protection list" })).toMatchObject({
      structuredContent: { items: expect.any(Array) },
    });
  });

  it("refuses a verb that it has not, or that is not allowed, and a call without one", async () => {
    const { call } = await ofNouns();
    for (const given of [{ verb: "delete" }, { verb: "help", of: "delete" }, { verb: 7 }, {}]) {
      expect(await call("label", given), JSON.stringify(given)).toMatchObject({
        structuredContent: { error: { code: "usage", hint: expect.stringContaining("list") } },
      });
    }
    expect(await call("label", { verb: "list", stat: "open" })).toMatchObject({
      structuredContent: { error: { message: "Unknown argument 'stat'" } },
    });
  });

  it("has no verb with an argument of its name", async () => {
    const tools = await commandTools(table, { only: [], allowed: "destroy", hasFiles: true });
    const taken = tools.filter(
      (tool) => tool.words.length > 1 && Object.hasOwn(declared(tool).inputSchema.properties, "verb"),
    );
    expect(taken.map(({ name }) => name)).toEqual([]);
  });

  it("says where the repository is selected if none is", async () => {
    const { call } = await session([], { TONGS_REPO: "" });
    const { structuredContent } = await call("issue_view", { issue: "1" });
    expect(structuredContent).toMatchObject({
      error: { code: "usage", hint: "The repository of tools is selected by: tongs mcp serve -R OWNER/NAME" },
    });
  });

  it.each([
    ["of a flag", "issue", { verb: "list", state: "shut" }, "Invalid value 'shut' for --state: must be one of open"],
    ["like a flag", "issue", { verb: "list", state: "--author" }, "Invalid value '--author' for --state"],
    ["that is missing", "label", { verb: "create" }, "Missing argument NAME (name of the label)"],
    ["of another type", "issue", { verb: "list", state: { open: true } }, "Argument state must be one value"],
  ])("hints at the help of the verb in a usage error for a value %s", async (_what, name, given, message) => {
    const { call } = await ofNouns("--allow", "destroy");
    const { structuredContent } = await call(name, given);
    const hint = `Call ${name} with {"verb":"help","of":"${given.verb}"} for its arguments.`;
    expect(structuredContent).toMatchObject({
      error: { code: "usage", message: expect.stringContaining(message), hint },
    });
  });

  it.each([
    ["label", { verb: "create", name: "unsent", "dry-run": "true" }, "Argument dry-run must be true or false"],
    ["label", { verb: "create", name: "unsent", "dry-run": null }, "Argument dry-run must be true or false"],
    ["label", { verb: "create", name: "unsent", "dry-run": 1 }, "Argument dry-run must be true or false"],
    ["label", { verb: "delete", label: "bug", yes: true, "dry-run": "yes" }, "Argument dry-run must be true or false"],
    ["label", { verb: "delete", label: "bug", yes: "true" }, "Argument yes must be true or false"],
    ["label", { verb: "list", all: "true" }, "Argument all must be true or false"],
    ["label", { verb: "create", name: "unsent", stdin: 5 }, "Argument stdin must be text"],
  ])("sends nothing for an argument of another type: %s %j", async (name, given, message) => {
    const { call } = await ofNouns("--allow", "destroy");
    expect(await call(name, given)).toMatchObject({ structuredContent: { error: { code: "usage", message } } });
    const listed = JSON.stringify(await call("label", { verb: "list", all: true }));
    expect([listed.includes('"bug"'), listed.includes("unsent")]).toEqual([true, false]);
  });
});

describe("files of mcp serve", () => {
  /** A server that records what it gets, and a folder beside the one of --files. */
  async function world() {
    const server = await serve(({ body }) => ({ body: `<p>${body}</p>`, headers: { "content-type": "text/html" } }));
    const top = emptyFolder();
    const [dir, config] = [join(top, "dir"), join(top, "dir/settings")];
    mkdirSync(config, { recursive: true });
    writeFileSync(join(top, "outside"), "not-a-secret-outside\n");
    writeFileSync(join(config, "credentials.json"), '{"tokens":{"x":"not-a-secret-token"}}', { mode: 0o600 });
    const env = { TONGS_HOST: server.url, TONGS_CONFIG_DIR: config, NOT_A_SECRET: "not-a-secret-variable" };
    const leaked = () => server.seen.filter(({ body }) => /not-a-secret|TONGS_HOST/.test(body));
    return { server, top, dir, config, env, leaked };
  }

  it("are not read without --files, whichever way they are named", async () => {
    const { top, config, env, leaked } = await world();
    const { call } = await session(["--allow", "destroy"], env);
    const file = join(config, "credentials.json");
    const calls: [string, Record<string, unknown>][] = [
      ["render", { file }],
      ["render", { file: "/proc/self/environ" }],
      ["token_list", { "password-file": join(top, "outside") }],
      ["api", { path: "/markdown", field: [`Text=@${file}`] }],
      ["api", { path: "/markdown", input: file }],
      ["file_put", { path: file, message: "x" }],
      ["file_put", { path: "x", file }],
      ["issue_create", { title: "x", "body-file": file }],
      ["label_import", { source: file }],
      ["policy_plan", { file }],
      ["metrics_stat", { file: [file] }],
      ["metrics_query", { server: "127.0.0.1:1" }],
      ["metrics_push", { server: "127.0.0.1:1" }],
    ];
    for (const [name, given] of calls) {
      const result = await call(name, { ...given, yes: true });
      expect(result, `${name} ${JSON.stringify(given)}`).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).not.toMatch(/not-a-secret-(token|outside)/);
    }
    expect(leaked()).toEqual([]);
    const { content } = await call("render", { stdin: "Fog *ahead*" });
    expect(JSON.stringify(content)).toContain("Fog *ahead*");
  });

  it("are not written without --files", async () => {
    const { call } = await session(["--allow", "write"]);
    const file = join(emptyFolder(), "made");
    const given = { file };
    expect(await call("policy_export", given)).toMatchObject({ isError: true });
    expect(await call("metrics_encode", { output: file, stdin: "x" })).toMatchObject({ isError: true });
    expect(await call("policy_export", { file: "-" })).not.toMatchObject({ isError: true });
    expect(existsSync(file)).toBe(false);
  });

  it("do not include the environment variables that a policy names", async () => {
    const { call } = await session(["--allow", "destroy"], { NOT_A_SECRET: "not-a-secret-variable" });
    const stdin =
      "repositories: {mara/harbor: {hooks: {'https://a.example.org': {authorization_header_env: NOT_A_SECRET}}}}";
    const applied = await call("policy_apply", { file: "-", stdin, yes: true });
    expect(applied).toMatchObject({ isError: true });
    expect(JSON.stringify(applied)).toContain("NOT_A_SECRET is not set");
  });

  it("are read in the directory of --files only, also through links", async () => {
    const { top, dir, config, env, leaked } = await world();
    writeFileSync(join(dir, "fog.md"), "Fog *ahead*");
    mkdirSync(join(dir, "sub/.git"), { recursive: true });
    writeFileSync(join(dir, "sub/.git/config"), "not-a-secret-remote");
    symlinkSync(top, join(dir, "up"));
    symlinkSync(join(top, "outside"), join(dir, "link"));
    symlinkSync(join(dir, "fog.md"), join(dir, "inner"));
    symlinkSync(config, join(dir, "own"));
    const { call } = await session(["--files", dir], env);
    for (const file of ["fog.md", "./sub/../fog.md", join(dir, "fog.md"), "inner"]) {
      expect(JSON.stringify((await call("render", { file })).content), file).toContain("Fog *ahead*");
    }
    const refused = [
      ...["../outside", join(top, "outside"), "link", "up/outside", "/proc/self/environ", "sub/.git/config"],
      ...["settings/credentials.json", "own/credentials.json", "up/dir/settings/credentials.json", "."],
      ...(process.platform === "win32" ? [] : ["pipe"]),
    ];
    if (process.platform !== "win32") execFileSync("mkfifo", [join(dir, "pipe")]);
    for (const file of refused) {
      const result = await call("render", { file });
      expect(result, file).toMatchObject({ isError: true, structuredContent: { error: { code: "usage" } } });
    }
    expect(leaked()).toEqual([]);
  });

  it("are written in the directory of --files only, also through links, and never among the files of tongs", async () => {
    const top = emptyFolder();
    const dir = join(top, "dir");
    const config = join(dir, "settings");
    mkdirSync(config, { recursive: true });
    symlinkSync(top, join(dir, "up"));
    symlinkSync(join(top, "not-there"), join(dir, "dangling"));
    const { call, tools } = await session(["--allow", "write", "--files", dir], { TONGS_CONFIG_DIR: config });
    expect(await tools()).toEqual(expect.arrayContaining(["artifact_download", "file_get", "repo_clone"]));
    expect(await call("file_get", { path: ["README.md"], dir: "sub" })).not.toMatchObject({ isError: true });
    expect(readFileSync(join(dir, "sub/README.md"), "utf8")).not.toBe("");
    expect(await call("policy_export", { file: "policy.yml" })).not.toMatchObject({ isError: true });
    expect(await call("repo_clone", { repo: "mara/harbor", more: ["clone"] })).not.toMatchObject({ isError: true });
    expect(existsSync(join(dir, "clone/.git"))).toBe(true);
    for (const into of ["..", "up", "up/new", top, "settings", "settings/sub", ".", "dangling", "clone/.git"]) {
      const got = await call("file_get", { path: ["README.md"], dir: into });
      expect(got, into).toMatchObject({ isError: true });
    }
    for (const file of ["../policy.yml", "up/policy.yml", "settings/config.json", "dangling"]) {
      expect(await call("policy_export", { file }), file).toMatchObject({ isError: true });
    }
    expect(await call("repo_clone", { repo: "mara/harbor", more: ["../clone"] })).toMatchObject({ isError: true });
    expect(await call("repo_clone", { repo: "mara/*", dir: "../clones" })).toMatchObject({ isError: true });
    for (const more of [{ more: ["other"], git: ["--template=hooks"] }, { more: ["--", "--template=hooks"] }]) {
      const refused = await call("repo_clone", { repo: "mara/harbor", ...more });
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "usage" } } });
      expect(JSON.stringify(refused)).toMatch(/Unknown argument 'git'.*Available: (?!.*\bgit,)|cannot be '--'/);
    }
    // A link below the target directory.
    mkdirSync(join(dir, "other"));
    symlinkSync(top, join(dir, "other/.gitea"));
    const linked = await call("file_get", { path: [".gitea/pull_request_template.md"], dir: "other" });
    expect(JSON.stringify(linked.content)).toContain(`it is not in ${dir}`);
    expect(readdirSync(top)).toEqual(["dir"]);
    expect(readdirSync(config)).toEqual([]);
  });

  it("need a directory", async () => {
    const ran = await sandbox.run(["mcp", "serve", "--files", "missing"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a directory") });
  });
});

describe("a tool of mcp serve", () => {
  it("answers with records as structured content", async () => {
    const { call } = await session([]);
    const list = await call("label_list", { fields: ["name"], limit: 2 });
    expect(list.structuredContent).toEqual({ items: [{ name: expect.any(String) }, { name: expect.any(String) }] });
    const view = await call("repo_view");
    expect(view.structuredContent).toMatchObject({ full_name: "mara/harbor" });
    expect(view.isError).toBeFalsy();
  });

  it("answers with text where a command prints text", async () => {
    const { call } = await session([]);
    const { content } = await call("run_logs", { run: "latest" });
    expect(JSON.stringify(content)).toContain("06:12");
  });

  it("takes the text that its command reads from stdin", async () => {
    const markup = await serve(({ body }) => ({ body: `<p>${body}</p>`, headers: { "content-type": "text/html" } }));
    const { call } = await session([], { TONGS_HOST: markup.url });
    const { content } = await call("render", { stdin: "Fog *ahead*", mode: "markdown" });
    expect(JSON.stringify(content)).toContain("Fog *ahead*");
    expect(await call("label_list", { stdin: "x" })).toMatchObject({ isError: true });
  });

  it("reports errors with code and hint", async () => {
    const { call } = await session(["--allow", "write"]);
    expect(await call("pr_view", { pr: "9999" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "not_found", exit_code: 5 } },
    });
    expect(await call("pr_list", { state: "shut" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "usage" } },
    });
    expect(await call("pr_list", { stat: "open" })).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: "usage", message: "Unknown argument 'stat'", hint: expect.stringContaining("state") },
      },
    });
    expect(await call("pr_list", { repo: "mara/quay" })).toMatchObject({
      structuredContent: { error: { code: "usage", hint: expect.stringContaining("tongs mcp serve -R OWNER/NAME. ") } },
    });
    expect(await call("pr_list", { profile: "other" })).toMatchObject({ isError: true });
    expect(await call("repo_delete")).toMatchObject({ isError: true });
    expect(JSON.stringify(await call("repo_delete"))).toContain("--allow write or destroy");
    // A word that looks like a flag is an argument.
    expect(await call("pr_view", { pr: "--profile=other" })).toMatchObject({
      structuredContent: { error: { exit_code: 5 } },
    });
  });

  it("names the exit codes of the monitoring plugin by its states", async () => {
    const { call } = await session(["--files", "."]);
    const checked = await call("metrics_check", { series: "*", file: ["no-such-file"], crit: "1" });
    expect(checked).toMatchObject({ isError: true, structuredContent: { error: { exit_code: 3, exit: "unknown" } } });
  });

  it("writes with --allow write, and never prompts", async () => {
    const { call } = await session(["--allow", "write"]);
    sandbox.writes();
    const created = await call("label_create", { name: "from-mcp", color: "#0e8a16" });
    expect(created.structuredContent).toMatchObject({ name: "from-mcp" });
    expect(sandbox.writes()).toEqual(["POST /repos/mara/harbor/labels"]);
    expect(await call("label_create")).toMatchObject({ structuredContent: { error: { code: "usage" } } });
  });

  it("takes each item of an array as one name, commas included", async () => {
    const { call } = await session(["--allow", "write"]);
    await call("label_create", { name: "sand, gravel", color: "#0e8a16" });
    const made = await call("issue_create", { title: "Dredge", body: "x", label: ["sand, gravel", "bug"] });
    expect(made.isError).toBeFalsy();
    const { labels } = made.structuredContent as { labels: { name: string }[] };
    expect(labels.map(({ name }) => name).sort()).toEqual(["bug", "sand, gravel"]);
  });

  it("answers with the record and the error if the server ignored a field", async () => {
    const { call } = await session(["--allow", "write"], { TONGS_TOKEN: sandbox.token("priya") });
    expect(await call("issue_create", { title: "Gulls", body: "x", label: ["bug"] })).toMatchObject({
      isError: true,
      structuredContent: {
        title: "Gulls",
        errors: [{ code: "ignored", fields: [{ name: "labels", requested: [expect.any(Number)], actual: [] }] }],
        exit_code: 1,
      },
    });
  });

  it("that works on several targets answers with the records of those that succeeded and all errors", async () => {
    const { call } = await session(["--allow", "write"]);
    const made = await call("issue_create", { title: "Barnacles", body: "x" });
    const { number } = made.structuredContent as { number: number };
    const some = await call("issue_close", { issue: [String(number), "9998", "9999"] });
    expect(some).toMatchObject({
      isError: true,
      structuredContent: {
        items: [{ number, state: "closed" }],
        errors: [
          { code: "not_found", target: "mara/harbor#9998" },
          { code: "not_found", target: "mara/harbor#9999" },
        ],
        exit_code: 11,
        exit: "partly",
      },
    });
    expect(JSON.stringify(some.content)).toMatch(/Error: mara\/harbor#9998: .*Error: mara\/harbor#9999: /);
    expect(await call("issue_close", { issue: ["9998", "9999"] })).toMatchObject({
      isError: true,
      structuredContent: {
        items: [],
        errors: [{ target: "mara/harbor#9998" }, { target: "mara/harbor#9999" }],
        exit_code: 5,
      },
    });
  });

  it("that destroys answers with its dry run, unless yes is true", async () => {
    const { call } = await session(["--allow", "destroy"]);
    await call("label_create", { name: "doomed", color: "#0e8a16" });
    sandbox.writes();
    const dry = await call("label_delete", { label: ["doomed"] });
    expect(dry.isError).toBeFalsy();
    expect(dry.structuredContent).toMatchObject({ dry_run: { method: "DELETE" } });
    expect((await call("journal_undo", { n: "1" })).structuredContent).toMatchObject({ dry_run: { method: "DELETE" } });
    expect(await call("api", { path: "/user/repos", method: "POST", "raw-field": ["name=x"] })).toMatchObject({
      structuredContent: { dry_run: { method: "POST" } },
    });
    expect(sandbox.writes()).toEqual([]);
    await call("label_delete", { label: ["doomed"], yes: true });
    expect(sandbox.writes()).toHaveLength(1);
  });

  it("keeps the server and the repository of the start", async () => {
    const other = await serve(() => ({ body: {} }));
    const { call } = await session([]);
    await call("pr_view", { pr: `${other.url}/mara/harbor/pulls/2` });
    await call("repo_view", { repo: `${other.url}/mara/harbor` });
    expect(other.seen).toEqual([]);
    for (const [tool, given] of [
      ["pr_list", { everywhere: true }],
      ["auth_status", { "all-profiles": true }],
      ["auth_status", { all: true }],
    ] as const) {
      expect(await call(tool, given), tool).toMatchObject({ structuredContent: { error: { code: "usage" } } });
    }
    const { call: write } = await session(["--allow", "destroy"]);
    const told = [
      ["follow_add", { user: [`@x@${new URL(other.url).host}`] }],
      ...["Sudo: mara", "Cookie: a=b", "Authorization: token x", "X-Gitea-OTP: 1", "Content-Type: text/plain"].map(
        (header) => ["api", { path: "/user", header: [header] }] as const,
      ),
      ...["sudo=mara", "token=x"].flatMap((query) => [
        ["api", { path: `/user?${query}` }] as const,
        ["api", { path: "/user", method: "GET", "raw-field": [query] }] as const,
      ]),
    ] as const;
    for (const [tool, given] of told) {
      const { structuredContent } = await write(tool, { ...given, yes: true });
      expect(structuredContent, JSON.stringify(given)).toMatchObject({
        error: { message: expect.stringMatching(/^Tools cannot set|tools connect to the selected server only/) },
      });
    }
    expect(other.seen).toEqual([]);
    expect((await write("api", { path: "/user", header: ["Accept: */*"], yes: true })).isError).not.toBe(true);
  });

  it("keeps them for an argument that is spelled like a flag of tongs", async () => {
    const { call } = await session(["--allow", "destroy", "-R", "mara/nowhere"]);
    const { structuredContent } = await call("label_delete", { label: ["--no-input"], yes: true });
    expect(structuredContent).toMatchObject({ error: { message: expect.stringContaining("mara/nowhere") } });
  });

  it("cuts long output, and returns the rest by a cursor", async () => {
    const items = Array.from({ length: 300 }, (_, id) => ({ id, name: `label-${id}`, description: "x".repeat(400) }));
    const long = await serve(({ url }) => ({
      body: new URL(url, "http://x").searchParams.get("page") === "1" ? items : [],
      headers: { "x-total-count": "300" },
    }));
    const { call } = await session([], { TONGS_HOST: long.url });
    const seen: unknown[] = [];
    let part = await call("label_list", { all: true });
    for (let parts = 0; parts < 20; parts += 1) {
      const { items: some, next_cursor: next } = part.structuredContent as { items: unknown[]; next_cursor?: string };
      expect(JSON.stringify(part).length).toBeLessThan(120_000);
      seen.push(...some);
      if (next === undefined) break;
      part = await call("output_more", { cursor: next });
    }
    expect(seen).toEqual(items);
    expect(await call("output_more", { cursor: "nonsense" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "unknown_cursor" } },
    });
  });

  it("is cancelled by the client, and the next one works", async () => {
    let asked = () => {};
    const began = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let gone = false;
    const slow = await serve(
      ({ url }, request) => {
        if (!url.includes("labels")) return { body: { version: "1.27.1" } };
        request.socket.on("close", () => {
          gone = true;
        });
        asked();
        return undefined;
      },
      { saysVersion: true },
    );
    const { client, call, signal } = await session([], { TONGS_HOST: slow.url });
    const before = getEventListeners(signal, "abort").length;
    const stop = new AbortController();
    const called = client.callTool({ name: "label_list", arguments: {} }, undefined, { signal: stop.signal });
    const refused = expect(called).rejects.toThrow();
    await began;
    stop.abort("enough");
    await refused;
    await expect.poll(() => gone).toBe(true);
    await expect.poll(() => getEventListeners(signal, "abort").length).toBe(before);
    expect((await call("server")).isError).toBeFalsy();
  });

  it("reports progress if the client asks for it", async () => {
    const { client } = await session([]);
    const steps: string[] = [];
    await client.callTool({ name: "label_list", arguments: { limit: 1 } }, undefined, {
      onprogress: ({ message }) => steps.push(message ?? ""),
    });
    expect(steps[0]).toBe("Running tongs label list");
    expect(steps.join("\n")).toContain("Showing 1 of");
  });

  it("answers the requests that were sent before stdin was closed", async () => {
    const client = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const create = { name: "label_create", arguments: { name: "last words", color: "ff0000" } };
    const messages = [
      { id: 1, method: "initialize", params: client },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: create },
    ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const answers = await answersTo(messages.join(""), ["--tools", "verb", "--allow", "write"]);
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1]?.result).toMatchObject({ structuredContent: { name: "last words" } });
  });

  it("skips blank lines, and answers a last line without an end", async () => {
    const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const answers = await answersTo(`\n \r\n${ping(1)}\n\n\t\n${ping(2)}\r\n\n\n${ping(3)}`);
    expect(answers.map(({ id, error }) => [id, error])).toEqual([1, 2, 3].map((id) => [id, undefined]));
  });

  it("answers a line that is no message with its error, and goes on", async () => {
    const lines = 'this is no JSON\n{"no": "message"}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    expect((await answersTo(lines)).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [1, undefined],
    ]);
  });

  it("ends when the client closes stdin", async () => {
    const { close } = await session([]);
    expect(await close()).toBe(0);
  });
});
