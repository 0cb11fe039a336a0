import { pipeline, type Readable, Transform, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { UsageError } from "../../failure/failure.ts";
import { asFailure } from "../../output/report-failure.ts";
import { version } from "../../system/files.ts";
import type { System } from "../../system/system.ts";
import type { Resolved, ServedTool } from "./noun-tools.ts";
import { failed, type ToolResult } from "./run-tool.ts";
import type { ToolDeclaration } from "./tools.ts";

/** The tools to serve, and how to call them. */
export interface ToolServer {
  readonly tools: readonly ServedTool[];
  /** How the tools are called. */
  readonly instructions: string;
  readonly system: System;
  readonly call: (
    resolved: Resolved,
    about: { readonly cancelled: AbortSignal; readonly onNote: (note: string) => void },
  ) => Promise<ToolResult>;
  readonly more: (cursor: string) => ToolResult;
}

const outputMore: ToolDeclaration = {
  name: "output_more",
  description: "Return the next part of an output that was cut",
  inputSchema: {
    type: "object",
    properties: { cursor: { type: "string", description: "the cursor at the end of the part before" } },
    required: ["cursor"],
    additionalProperties: false,
  },
  annotations: { title: "Continue a long output", readOnlyHint: true, destructiveHint: false },
};

const unknownHint =
  "Tools that write are offered only by tongs mcp serve --allow write or destroy; --only limits them to some nouns.";

/** How long calls may still run after the client closed stdin, in milliseconds. */
const finishTime = 10_000;

/**
 * Serves tools on stdin and stdout until the client closes stdin and the calls before it are answered, at most for
 * `finishTime`. Ctrl-C ends it, and what runs is interrupted.
 */
export async function serveTools({ tools, instructions, system, call, more }: ToolServer): Promise<void> {
  const byName = new Map(tools.map((tool) => [tool.declaration.name, tool]));
  const server = new Server({ name: "tongs", version }, { capabilities: { tools: {} }, instructions });
  const input = linesOf(system.stdin);
  const output = writable(system);
  const running = new Set<AbortController>();
  let onIdle: () => unknown = () => undefined;

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.map(({ declaration }) => declaration), outputMore],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const asked = params.arguments ?? {};
    if (params.name === outputMore.name) return more(String(asked["cursor"] ?? ""));
    const served = byName.get(params.name);
    if (served === undefined) return failed(new UsageError(`Unknown tool '${params.name}'`, unknownHint));
    const resolved = attempt(() => served.resolve(asked));
    if (!isCommand(resolved)) return resolved;
    const stop = new AbortController();
    const abort = () => stop.abort();
    extra.signal.addEventListener("abort", abort, { once: true });
    running.add(stop);
    const progress = reporter(params._meta?.progressToken, (step) =>
      extra.sendNotification({ method: "notifications/progress", params: step }),
    );
    progress(`Running tongs ${resolved.tool.words.join(" ")}`);
    try {
      return await call(resolved, { cancelled: stop.signal, onNote: progress });
    } finally {
      running.delete(stop);
      onIdle();
      extra.signal.removeEventListener("abort", abort);
    }
  });

  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const close = () => {
    for (const one of running) one.abort();
    void server.close();
  };
  const finish = async () => {
    // Requests that came with the end are handled, and answers written, before the next turn.
    await setImmediate();
    const waiting = new AbortController();
    const idle = () => running.size === 0 && waiting.abort();
    onIdle = idle;
    idle();
    const until = AbortSignal.any([waiting.signal, system.signal]);
    if (!until.aborted) await system.sleep(finishTime, until).catch(() => undefined);
    await setImmediate();
    close();
  };
  const ended = () => void finish();
  const lost = () => {
    if (!input.readableEnded) close();
  };
  input.once("end", ended);
  input.once("close", lost);
  system.signal.addEventListener("abort", close, { once: true });
  server.onerror = (error) => {
    const refusal = refusalOf(error);
    if (refusal !== undefined) output.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: refusal })}\n`);
  };
  await server.connect(new StdioServerTransport(input, output));
  if (system.signal.aborted) close();
  await closed;
  await system.stdout.flushed();
  input.off("end", ended).off("close", lost);
  system.stdin.destroy();
  system.signal.removeEventListener("abort", close);
  if (system.signal.aborted) throw system.signal.reason;
}

/** The answer to a line that is no message, which the SDK does not send: not JSON, or not as its schema wants it. */
function refusalOf(error: Error): { readonly code: number; readonly message: string } | undefined {
  if (error instanceof SyntaxError) return { code: ErrorCode.ParseError, message: "Parse error" };
  return "issues" in error ? { code: ErrorCode.InvalidRequest, message: "Invalid request" } : undefined;
}

/** What a call means, or the error that it means nothing. */
function attempt(resolve: () => ReturnType<ServedTool["resolve"]>): ReturnType<ServedTool["resolve"]> {
  try {
    return resolve();
  } catch (error) {
    return failed(asFailure(error));
  }
}

function isCommand(resolved: ReturnType<ServedTool["resolve"]>): resolved is Resolved {
  return "tool" in resolved;
}

interface Step {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly message: string;
}

/** Reports progress, if the client asked for it. A client that is gone is no error. */
function reporter(token: string | number | undefined, send: (step: Step) => Promise<void>): (note: string) => void {
  let progress = 0;
  return (note) => {
    if (token === undefined || note === "") return;
    progress += 1;
    send({ progressToken: token, progress, message: note.slice(0, 1000) }).catch(() => undefined);
  };
}

/** Lines as the SDK reads them: without blank ones, and with an end of the last one. */
function linesOf(stdin: Readable): Transform {
  let isStart = true;
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = (isStart ? "" : "…") + chunk.toString("latin1");
      isStart = /(^|\n)[ \t\r]*$/.test(text);
      done(null, Buffer.from(text.replace(/(?<=^|\n)[ \t\r]*\n/g, "").replace(/^…/, ""), "latin1"));
    },
    flush: (done) => done(null, isStart ? "" : "\n"),
  });
  return pipeline(stdin, lines, () => undefined);
}

/** stdout as a stream of Node, which the SDK writes to. */
function writable({ stdout }: System): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (stdout.write(chunk)) done();
      else stdout.flushed().then(() => done(), done);
    },
  });
}
