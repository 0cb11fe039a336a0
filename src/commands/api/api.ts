import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { collectAll } from "../../app/fetch.ts";
import { readFileFlag, readFileFlagBytes } from "../../app/input.ts";
import { one } from "../../command/args.ts";
import { text, texts, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Answer } from "../../http/answers.ts";
import type { CallOptions } from "../../http/client.ts";
import { BrokenAnswerError, HttpError } from "../../http/errors.ts";
import type { Query } from "../../http/path.ts";
import { jsonText, parseJson } from "../../text/json.ts";
import { bodyOf, type Field, queryOf, readField, typedValue } from "./fields.ts";
import { fillIn, readTarget, type Target } from "./target.ts";

const bytes: Answer<Buffer> = { kind: "text", accept: "application/json, */*;q=0.8" };

/** `tongs api`: any request, with the sign-in, the retries and the exit codes of every other command. */
export const api = defineCommand({
  summary: "Send any request to the API",
  details:
    "PATH is what follows /api/v1 in the API's documentation; {owner}, {repo} and {branch} are filled in. The answer's body is printed as it came, also of a refusal, and the exit code tells the status. Fields make the request a POST with a JSON body; with -X GET they go into the query. Keys may be nested: -f 'a[b]=c', -f 'list[]=x'.",
  on: "server",
  effect: "write",
  args: { path: one("the path below /api/v1, or a full address on this server") },
  flags: {
    method: text("the method (GET; POST with fields or --input)", { short: "X", placeholder: "METHOD" }),
    rawField: texts("a field, its value as text", { short: "f", placeholder: "KEY=VALUE" }),
    field: texts("a field: true, false, null, whole numbers and @FILE are read as such", {
      short: "F",
      placeholder: "KEY=VALUE",
    }),
    header: texts("a header of the request", { short: "H", placeholder: "NAME:VALUE" }),
    input: text("the body from a file, or - for stdin; fields go into the query then", { placeholder: "FILE" }),
    paginate: toggle("every page, merged into one array"),
    include: toggle("print the status and the headers of the answer, too", { short: "i" }),
  },
  exclusive: [
    ["paginate", "include"],
    ["paginate", "input"],
  ],
  examples: [
    ["The version of the server", "tongs api version"],
    [
      "All open issues, their titles",
      "tongs api '/repos/{owner}/{repo}/issues?state=open' --paginate --jq '.[].title'",
    ],
    ["Make a label", "tongs api /repos/{owner}/{repo}/labels -f name=tide -f color=#0e8a16 -F exclusive=false"],
  ],
  async run(context) {
    const { args, flags, forge, server, out } = context;
    const target = readTarget(await fillIn(args.path, context, encodeURIComponent), server.base);
    const fields = await readFields(context);
    const method = methodOf(flags.method, fields.length > 0 || flags.input !== undefined);
    const headers = headersOf(flags.header);
    if (flags.paginate) {
      if (method !== "GET") throw new UsageError(`--paginate reads lists, but the method is ${method}`);
      return paginate({ ...target, query: merged(target.query, queryOf(fields)) }, headers, context);
    }
    const request = { method, path: target.path };
    const inQuery = method === "GET" || method === "HEAD" || flags.input !== undefined;
    try {
      const answer = await forge.http.send(method, target.path, {
        query: inQuery ? merged(target.query, queryOf(fields)) : target.query,
        headers,
        answers: bytes,
        ...(inQuery ? await inputOf(flags.input, context) : { body: bodyOf(fields) }),
      });
      await printAnswer({ ...answer, bytes: answer.value }, request, context);
    } catch (error) {
      if (error instanceof HttpError && !out.records) await printAnswer(error.exchange, request, context);
      throw error;
    }
  },
});

/** The body of `--input`, as it is. */
async function inputOf(
  file: string | undefined,
  { system }: BaseContext,
): Promise<Pick<CallOptions<Buffer>, "raw"> | undefined> {
  if (file === undefined) return undefined;
  return { raw: { content: await readFileFlagBytes("--input", file, system), type: "application/json" } };
}

async function paginate(
  { path, query }: Target,
  headers: Readonly<Record<string, string>>,
  { forge, options, out }: BaseContext & ServerContext,
): Promise<void> {
  const { page: _page, limit: _limit, ...rest } = query;
  const listing = forge.http.list<unknown>(path, { query: rest, headers, envelope: "*" });
  const items = await collectAll(listing, options);
  await (out.records ? out.items(items) : out.text(`${jsonText(items)}\n`));
}

function methodOf(typed: string | undefined, carries: boolean): string {
  const method = typed?.toUpperCase() ?? (carries ? "POST" : "GET");
  if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method)) throw new UsageError(`'${typed}' is no method`);
  return method;
}

function merged(one: Query, other: Query): Query {
  const both = { ...one };
  for (const [name, values] of Object.entries(other)) both[name] = [both[name] ?? [], values ?? []].flat() as string[];
  return both;
}

function headersOf(typed: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    typed.map((line) => {
      const [, name, value = ""] = /^([!#$%&'*+.^_`|~\w-]+):\s*([^\r\n]*)$/.exec(line) ?? [];
      if (name === undefined) throw new UsageError("--header wants NAME:VALUE");
      return [name.toLowerCase(), value.trim()];
    }),
  );
}

async function readFields(
  context: BaseContext &
    ServerContext & { readonly flags: { readonly rawField: readonly string[]; readonly field: readonly string[] } },
): Promise<Field[]> {
  const { flags, system } = context;
  const raw = flags.rawField.map((typed) => readField(typed, "--raw-field", String));
  const read = flags.field.map(async (typed) => {
    const field = readField(typed, "--field", String);
    const value = String(field.value);
    if (value.startsWith("@")) return { ...field, value: await readFileFlag("--field", value.slice(1), system) };
    return { ...field, value: typedValue(await fillIn(value, context, String)) };
  });
  return [...raw, ...(await Promise.all(read))];
}

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes?: Buffer | undefined;
}

interface Asked {
  readonly method: string;
  readonly path: string;
}

/** An answer: its head with `--include`, and its body byte for byte, made safe for a terminal; or its records. */
async function printAnswer(
  { status, headers, bytes: body = Buffer.alloc(0) }: Received,
  request: Asked,
  { flags, out, system }: BaseContext & { readonly flags: { readonly include: boolean } },
): Promise<void> {
  if (flags.include) await out.text(await headText(status, headers));
  if (out.records) return printValue(await jsonOf(body, { ...request, status }), out);
  if (system.stdout.isTTY !== true) return out.raw(body);
  const text = body.toString("utf8");
  return out.text(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

/** The status line and the headers of an answer, as the server sent them. */
async function headText(status: number, headers: Received["headers"]): Promise<string> {
  const { STATUS_CODES } = await import("node:http");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\n${lines.join("")}\n`;
}

async function printValue(value: unknown, out: BaseContext["out"]): Promise<void> {
  const lines = out.format === "jsonl" || out.format === "csv";
  if (Array.isArray(value) && lines) await out.items(value);
  else await out.record(value, () => ({ fields: [] }));
}

async function jsonOf(bytes: Buffer, about: Asked & { readonly status: number }): Promise<unknown> {
  if (bytes.length === 0) return null;
  try {
    return await parseJson(bytes.toString("utf8"));
  } catch {
    throw new BrokenAnswerError("The answer is not JSON", { ...about, hint: "Without --json it is printed as it is." });
  }
}
