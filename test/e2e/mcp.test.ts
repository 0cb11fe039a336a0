import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { serve } from "../support/server.ts";
import { isStandalone, program, surroundings } from "./built.ts";

const requests: string[] = [];
const sandbox = await testSandbox({ log: (line) => requests.push(line) });

/** The built program as an MCP server, and the SDK's own client that started it. */
interface Session {
  readonly client: Client;
  readonly pid: number;
  call(name: string, given?: Record<string, unknown>): ReturnType<Client["callTool"]>;
  /** What it wrote on stderr. */
  stderr(): string;
  close(): Promise<void>;
}

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

async function session(flags: readonly string[] = [], env: Record<string, string> = {}): Promise<Session> {
  const [command, ...first] = program;
  const probe = isStandalone ? [] : ["--expose-gc", "--require", join(import.meta.dirname, "held.cjs")];
  const around = surroundings({
    env: { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("harbormaster"), TONGS_REPO: "mara/harbor", ...env },
  });
  const args = [...probe, ...first, "mcp", "serve", ...flags];
  const transport = new StdioClientTransport({ command, args, ...around, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const one: Session = {
    client,
    pid: transport.pid ?? 0,
    call: (name, given = {}) => client.callTool({ name, arguments: given }),
    stderr: () => stderr,
    close: () => client.close(),
  };
  open.push(one);
  return one;
}

/** The writes that the sandbox got since the last look. */
const writes = () => requests.splice(0).filter((line) => /^\d+ (POST|PUT|PATCH|DELETE) /.test(line));

describe("the built program as an MCP server", () => {
  it("lists tools, answers with records, and ends when its client goes", async () => {
    const { client, call, close, stderr } = await session();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["pr", "repo", "output_more"]));
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect((await call("repo", { verb: "view" })).structuredContent).toMatchObject({ full_name: "mara/harbor" });
    expect(await call("pr", { verb: "view", pr: "9999" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "not_found", exit_code: 5 } },
    });
    await close();
    if (!isStandalone) expect(stderr()).toMatch(/^Serving \d+ tools on stdio\nexit 0\n$/);
  });

  it("writes only what it was allowed to, and destroys only with yes", async () => {
    const reading = await session();
    writes();
    expect(await reading.call("label", { verb: "create", name: "mcp", color: "ff0000" })).toMatchObject({
      isError: true,
    });
    const { call } = await session(["--allow", "destroy"]);
    await call("label", { verb: "create", name: "mcp", color: "ff0000" });
    expect(writes()).toHaveLength(1);
    const dry = await call("label", { verb: "delete", label: ["mcp"] });
    expect(dry).toMatchObject({ structuredContent: { dry_run: { method: "DELETE" } } });
    expect(dry.isError).toBeFalsy();
    expect(writes()).toEqual([]);
    expect((await call("label", { verb: "delete", label: ["mcp"], yes: true })).isError).toBeFalsy();
    expect(writes()).toHaveLength(1);
  });

  it("reports progress, cuts long output, and returns the rest by a cursor", async () => {
    const items = Array.from({ length: 300 }, (_, id) => ({ id, name: `label-${id}`, description: "x".repeat(400) }));
    const long = await serve(({ url }) => ({
      body: new URL(url, "http://x").searchParams.get("page") === "1" ? items : [],
      headers: { "x-total-count": "300" },
    }));
    const { client } = await session([], { TONGS_HOST: long.url });
    const steps: string[] = [];
    const options = { onprogress: ({ message = "" }) => void steps.push(message) };
    const called = client.callTool({ name: "label", arguments: { verb: "list", all: true } }, undefined, options);
    const seen: unknown[] = [];
    let part = await called;
    for (let parts = 0; parts < 20; parts += 1) {
      const { items: some, next_cursor: next } = part.structuredContent as { items: unknown[]; next_cursor?: string };
      seen.push(...some);
      if (next === undefined) break;
      part = await client.callTool({ name: "output_more", arguments: { cursor: next } });
    }
    expect(seen).toEqual(items);
    expect(steps[0]).toBe("Running tongs label list");
  });

  it("ends the request of a call that the client cancels, and answers the next one", async () => {
    let asked = () => {};
    const began = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let isGone = false;
    const slow = await serve(({ url }, request) => {
      if (!url.includes("labels")) return { body: [] };
      request.socket.once("close", () => {
        isGone = true;
      });
      asked();
      return undefined;
    });
    const { client, call } = await session([], { TONGS_HOST: slow.url });
    const stop = new AbortController();
    const called = client.callTool({ name: "label", arguments: { verb: "list" } }, undefined, { signal: stop.signal });
    const refused = expect(called).rejects.toThrow();
    await began;
    stop.abort("enough");
    await refused;
    await expect.poll(() => isGone).toBe(true);
    expect((await call("milestone", { verb: "list" })).structuredContent).toEqual({ items: [] });
  });

  it("holds no more after a thousand calls", { skip: isStandalone }, async () => {
    const { call, pid, stderr } = await session();
    const some = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const { isError } = await call("label", { verb: "list", fields: ["name"], limit: 1 });
        if (isError) throw new Error("the call failed");
      }
    };
    const reports = () => [...stderr().matchAll(/^held (\d+) (\d+)$/gm)];
    const held = async () => {
      const count = reports().length;
      process.kill(pid, "SIGUSR2");
      await expect.poll(() => reports().length).toBe(count + 1);
      const [, bytes, resources] = reports().at(-1) ?? [];
      return { bytes: Number(bytes), resources: Number(resources) };
    };
    // Until then the code itself takes more memory, as it is compiled and optimized.
    await some(2000);
    const before = await held();
    await some(1000);
    const after = await held();
    // Half a kilobyte that a call leaves behind would be more.
    expect(after.bytes - before.bytes).toBeLessThan(500_000);
    expect(after.resources).toBeLessThanOrEqual(before.resources + 2);
  });
});
