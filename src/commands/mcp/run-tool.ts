import { setMaxListeners } from "node:events";
import { PassThrough, Writable } from "node:stream";
import type { RunLine } from "../../app/context.ts";
import { usageHint } from "../../command/route.ts";
import { exitCodes, pluginExits } from "../../failure/exit-codes.ts";
import { Interruption } from "../../failure/interruption.ts";
import { asFailure } from "../../output/report-failure.ts";
import { streamed } from "../../system/output-stream.ts";
import type { System } from "../../system/system.ts";
import { capitalized } from "../../text/format.ts";
import { parseJson } from "../../text/json.ts";
import { safe } from "../../text/safe.ts";
import type { Given, ToolForm } from "./forms.ts";
import type { LongOutputs, Part } from "./long-output.ts";
import { type CommandTool, commandLine } from "./tools.ts";

/** The result of a tool, as MCP has it. */
export interface ToolResult {
  [key: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A call of a tool. */
export interface ToolCall {
  readonly tool: CommandTool;
  readonly given: Given;
  /** How the tools are offered. */
  readonly form: ToolForm;
  /** The server and the repository that were selected at the start, as flags. */
  readonly fixed: readonly string[];
  /** Resolves the paths of files that the tool may use. */
  readonly confine: (typed: string) => string;
  /** Aborts when the client cancels the call. */
  readonly cancelled: AbortSignal;
  /** Called for each note that the command prints. */
  readonly onNote: (note: string) => void;
}

/** How much a command may print, in bytes. */
const maxOutput = 64 * 1024 * 1024;

/** Runs the command of a tool in this process, with streams of its own and no terminal. */
export async function runTool(
  call: ToolCall,
  { system, run, outputs }: { readonly system: System; readonly run: RunLine; readonly outputs: LongOutputs },
): Promise<ToolResult> {
  const { tool, given, form, fixed, confine, cancelled, onNote } = call;
  const help = `${capitalized(form.help(tool))} for its arguments.`;
  let argv: string[];
  try {
    argv = commandLine(tool, given, fixed);
  } catch (error) {
    return failed(asFailure(error), help);
  }
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const abort = () => stop.abort(new Interruption("SIGINT"));
  for (const signal of [system.signal, cancelled]) signal.addEventListener("abort", abort, { once: true });
  if (cancelled.aborted || system.signal.aborted) abort();
  const stdout = collector(maxOutput, () => undefined);
  const stderr = collector(1024 * 1024, onNote);
  const stdin = new PassThrough();
  stdin.end(typeof given["stdin"] === "string" ? given["stdin"] : "");
  try {
    const code = await run(argv, {
      stdin,
      stdout: stdout.stream,
      stderr: stderr.stream,
      signal: stop.signal,
      env: { ...system.env, CI: "1", TONGS_PAGER: "" },
      platform: system.platform,
      confine,
      now: system.now,
      sleep: system.sleep,
      random: system.random,
      ...(system.keyring === undefined ? {} : { keyring: system.keyring }),
      get cwd() {
        return system.cwd;
      },
    });
    const { plugin = false } = tool.command;
    const ran = { code, plugin, stdout: stdout.text(), notes: stderr.text(), isFull: stdout.isFull() };
    return await resultOf({ ...ran, hints: [usageHint(`tongs ${tool.words.join(" ")}`), help] }, outputs);
  } finally {
    for (const signal of [system.signal, cancelled]) signal.removeEventListener("abort", abort);
    stdin.destroy();
  }
}

interface Ran {
  readonly code: number;
  readonly plugin: boolean;
  readonly stdout: string;
  readonly notes: string;
  readonly isFull: boolean;
  /** The hint at the help of the command, and what it is as a hint at that of the tool. */
  readonly hints: readonly [command: string, tool: string];
}

async function resultOf(
  { code, plugin, stdout, notes, isFull, hints: [usual, help] }: Ran,
  outputs: LongOutputs,
): Promise<ToolResult> {
  const lines = notes.split("\n").filter((one) => one !== "");
  const errors = lines
    .map(errorIn)
    .filter((error) => error !== undefined)
    .map((error) => (error["hint"] === usual ? { ...error, hint: help } : error));
  const exits = plugin ? { ...pluginExits, ...exitCodes } : exitCodes;
  const name = Object.entries(exits).find(([, exit]) => exit.code === code)?.[0] ?? "failure";
  const exit = { exit_code: code, exit: name };
  const shown = lines.filter((line) => !/^\{"error":/.test(line)).map((line) => safe(line));
  if (isFull) shown.push("The output was too long; its end is missing. Ask for less.");
  const output = await parsed(stdout);
  const last = errors.at(-1);
  const isDone = ["ignored", "partly_done"].includes(String(last?.["code"]));
  // The errors of a batch have a target each, and its output has the records of the others.
  if (last === undefined || "target" in last || isDone) {
    const more = { ...(last === undefined ? {} : { errors }), ...(code === 0 ? {} : exit) };
    const result = partResult(outputs.first(output), [...errors.flatMap(errorText), ...shown], more);
    return last === undefined && code !== exitCodes.partly.code ? result : { ...result, isError: true };
  }
  return {
    content: [{ type: "text", text: [...errorText(last), ...shown].join("\n") }],
    structuredContent: { error: { ...last, ...exit } },
    isError: true,
  };
}

/** An error as lines of text, the hint last. */
function errorText({ target, message, code, hint }: Readonly<Record<string, unknown>>): string[] {
  const about = target === undefined ? "" : `${target}: `;
  return [`Error: ${about}${message} (${code})`, ...(hint ? [String(hint)] : [])];
}

/** The JSON error that a command prints on stderr. */
function errorIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{"error":')) return undefined;
  try {
    const { error } = JSON.parse(line) as { readonly error?: unknown };
    return typeof error === "object" && error !== null ? { ...error } : undefined;
  } catch {
    return undefined;
  }
}

/** The output as a value if it is JSON, else as text. */
async function parsed(stdout: string): Promise<string | { readonly value: unknown }> {
  if (!/^\s*[[{]/.test(stdout)) return stdout;
  try {
    JSON.parse(stdout);
    return { value: await parseJson(stdout) };
  } catch {
    // JSON lines, a log, or a diff.
    return stdout;
  }
}

/** A part of an output as a result: records as structured content, and everything as text. */
export function partResult(
  { value, next }: Part,
  notes: readonly string[] = [],
  more: Readonly<Record<string, unknown>> = {},
): ToolResult {
  const rest = next === undefined ? [] : [`The output continues: call output_more with the cursor ${next}`];
  const where = next === undefined ? more : { ...more, next_cursor: next };
  if ("text" in value) {
    const text = [value.text.replace(/\n$/, ""), ...notes, ...rest].filter((line) => line !== "").join("\n");
    const structured =
      next === undefined && Object.keys(more).length === 0 ? undefined : { text: value.text, ...where };
    return {
      content: [{ type: "text", text }],
      ...(structured === undefined ? {} : { structuredContent: structured }),
    };
  }
  const shown = "items" in value ? value.items : value.record;
  const record = "items" in value ? { items: value.items } : asObject(value.record);
  const structuredContent = plain({ ...record, ...where }) as Record<string, unknown>;
  const texts = [JSON.stringify(plain(shown)), ...notes, ...rest];
  return { content: texts.map((text) => ({ type: "text", text })), structuredContent };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : { value };
}

/** MCP has no integers beyond 2^53: they become text, which keeps their digits. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? one.toString() : one)));
}

/** The result for a failure before the command runs; `help` is the hint of one that has none. */
export function failed(failure: ReturnType<typeof asFailure>, help?: string): ToolResult {
  const { code, message, hint = help, exit } = failure;
  const error = { code, message, ...(hint === undefined ? {} : { hint }), exit_code: exitCodes[exit].code, exit };
  const text = [`Error: ${message} (${code})`, ...(hint === undefined ? [] : [hint])].join("\n");
  return { content: [{ type: "text", text }], structuredContent: { error }, isError: true };
}

/** A stream that keeps what is written to it, up to a limit. */
function collector(limit: number, onText: (text: string) => void) {
  const chunks: Buffer[] = [];
  let length = 0;
  let isFull = false;
  const stream = new Writable({
    write(chunk: Buffer | string, encoding, done) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
      const room = limit - length;
      if (bytes.length > room) isFull = true;
      const kept = bytes.subarray(0, Math.max(0, room));
      chunks.push(kept);
      length += kept.length;
      onText(kept.toString("utf8").trim());
      done();
    },
  });
  const text = () => Buffer.concat(chunks).toString("utf8");
  return { stream: streamed(stream), text, isFull: () => isFull };
}
