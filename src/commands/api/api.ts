import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readFileFlag, readFileFlagBytes } from "../../app/input.ts";
import { refuseIdentity } from "../../app/sudo.ts";
import { one } from "../../command/args.ts";
import { inputFile, text, texts, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { type Answer, maxJsonSize, text as textAnswer } from "../../http/answers.ts";
import type { CallOptions } from "../../http/client.ts";
import { BrokenAnswerError, HttpError } from "../../http/errors.ts";
import type { Query } from "../../http/path.ts";
import { anything } from "../../shape/shape.ts";
import { jsonText, parseJson } from "../../text/json.ts";
import { encodedName } from "../../text/percent.ts";
import { utf8Text, withoutMark } from "../../text/utf8.ts";
import { type Field, parseField, parseValue, toBody, toQuery } from "./fields.ts";
import { fillPlaceholders, parseTarget, type Target } from "./target.ts";

const bytes: Answer<Buffer> = { ...textAnswer, accept: "application/json, */*;q=0.8" };

/** `tongs api`: any request, with the authentication, retries and exit codes of the other commands. */
export const api = defineCommand({
  summary: "Make an authenticated API request",
  details:
    "PATH is the part after /api/v1 in the API documentation; {owner}, {repo} and {branch} are replaced with the " +
    "current repository and branch. The response body is printed unchanged, even if the request fails; the exit code " +
    "depends on the status. Fields make the request a POST with a JSON body; with -X GET they become query " +
    "parameters. To pass nested values, use brackets: -f 'a[b]=c', -f 'list[]=x'.",
  on: "server",
  effect: "write",
  asTool: "destroy",
  args: { path: one("the path after /api/v1, or a full URL on this server") },
  flags: {
    method: text("the HTTP method (default: GET, or POST with fields or --input)", {
      short: "X",
      placeholder: "METHOD",
    }),
    rawField: texts("add a string field", { short: "f", placeholder: "KEY=VALUE" }),
    field: texts("add a typed field: true, false, null and integers are converted; @FILE reads the value from a file", {
      short: "F",
      placeholder: "KEY=VALUE",
    }),
    header: texts("add a request header", { short: "H", placeholder: "NAME:VALUE" }),
    input: inputFile("read the request body from a file, with fields as query parameters"),
    paginate: toggle("fetch all pages and merge them into one array"),
    include: toggle("include the response status and headers in the output", { short: "i" }),
  },
  output: anything,
  exclusive: [
    ["paginate", "include"],
    ["paginate", "input"],
  ],
  examples: [
    ["Print the version of the server", "tongs api version"],
    [
      "List the titles of all open issues",
      "tongs api '/repos/{owner}/{repo}/issues?state=open' --paginate --jq '.[].title'",
    ],
    ["Create a label", "tongs api /repos/{owner}/{repo}/labels -f name=tide -f color=#0e8a16 -F exclusive=false"],
  ],
  async run(context) {
    const { args, flags, http, server, out } = context;
    const target = parseTarget(await fillPlaceholders(args.path, context, encodedName), server.base);
    const fields = await parseFields(context);
    const method = parseMethod(flags.method, fields.length > 0 || flags.input !== undefined);
    const headers = parseHeaders(flags.header);
    const inQuery = method === "GET" || method === "HEAD" || flags.input !== undefined;
    const query = inQuery ? mergeQueries(target.query, toQuery(fields)) : target.query;
    refuseIdentity({ headers, query }, context.system);
    if (flags.paginate) {
      if (method !== "GET") throw new UsageError(`--paginate is not supported with ${method} requests`);
      return paginate({ ...target, query }, headers, context);
    }
    const request = { method, path: target.path };
    try {
      const response = await http.send(method, target.path, {
        query,
        headers,
        answers: out.records ? { ...bytes, largest: maxJsonSize } : bytes,
        ...(inQuery ? await readInput(flags.input, headers, context) : { body: toBody(fields) }),
      });
      await printResponse({ ...response, bytes: response.value }, request, context);
    } catch (error) {
      if (error instanceof HttpError && !out.records) await printResponse(error.exchange, request, context);
      throw error;
    }
  },
});

/** Reads the request body of `--input`. */
async function readInput(
  file: string | undefined,
  headers: Readonly<Record<string, string>>,
  { system }: BaseContext,
): Promise<Pick<CallOptions<Buffer>, "raw"> | undefined> {
  if (file === undefined) return undefined;
  const bytes = await readFileFlagBytes("--input", file, system);
  const isJson = headers["content-type"] === undefined;
  return { raw: { content: isJson ? withoutMark(bytes) : bytes, type: "application/json" } };
}

async function paginate(
  { path, query }: Target,
  headers: Readonly<Record<string, string>>,
  { http, options, out }: BaseContext & ServerContext,
): Promise<void> {
  const { page: _page, limit: _limit, ...rest } = query;
  const listing = http.list<unknown>(path, { query: rest, headers, envelope: "*" });
  const items = await collect(listing, options.limit);
  await (out.records ? out.items(items) : out.raw(`${jsonText(items)}\n`));
}

function parseMethod(typed: string | undefined, hasBody: boolean): string {
  const method = typed?.toUpperCase() ?? (hasBody ? "POST" : "GET");
  if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method))
    throw new UsageError(`'${typed}' is not an HTTP method`);
  return method;
}

function mergeQueries(one: Query, other: Query): Query {
  const both = { ...one };
  for (const [name, values] of Object.entries(other)) both[name] = [both[name] ?? [], values ?? []].flat() as string[];
  return both;
}

function parseHeaders(typed: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    typed.map((line) => {
      const [, name, value = ""] = /^([!#$%&'*+.^_`|~\w-]+):\s*([^\r\n]*)$/.exec(line) ?? [];
      if (name === undefined) throw new UsageError("--header must be NAME:VALUE");
      return [name.toLowerCase(), value.trim()];
    }),
  );
}

async function parseFields(
  context: BaseContext &
    ServerContext & { readonly flags: { readonly rawField: readonly string[]; readonly field: readonly string[] } },
): Promise<Field[]> {
  const { flags, system } = context;
  const raw = flags.rawField.map((typed) => parseField(typed, "--raw-field"));
  const converted = flags.field.map(async (typed) => {
    const field = parseField(typed, "--field");
    const { value } = field;
    if (value.startsWith("@")) return { ...field, value: await readFileFlag("--field", value.slice(1), system) };
    return { ...field, value: parseValue(await fillPlaceholders(value, context, String)) };
  });
  return [...raw, ...(await Promise.all(converted))];
}

interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes?: Buffer | undefined;
}

interface ApiRequest {
  readonly method: string;
  readonly path: string;
}

/**
 * Prints a response: with `--include` the status and headers, then the body unchanged, or with control characters
 * replaced on a terminal. With a JSON format the body is printed as records.
 */
async function printResponse(
  { status, headers, bytes: body = Buffer.alloc(0) }: ApiResponse,
  request: ApiRequest,
  { flags, out, system }: BaseContext & { readonly flags: { readonly include: boolean } },
): Promise<void> {
  if (flags.include) await out.raw(await formatHead(status, headers));
  if (out.records) return printValue(await parseBody(body, { ...request, status }), out);
  if (system.stdout.isTTY !== true) return out.raw(body);
  const text = body.toString("utf8");
  return out.text(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

/** The status line and headers of a response, as the server sent them. */
async function formatHead(status: number, headers: ApiResponse["headers"]): Promise<string> {
  const { STATUS_CODES } = await import("node:http");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\n${lines.join("")}\n`;
}

async function printValue(value: unknown, out: BaseContext["out"]): Promise<void> {
  const lines = out.format === "jsonl" || out.format === "csv";
  if (Array.isArray(value) && lines) await out.items(value);
  else await out.record(value, () => ({ fields: [] }));
}

async function parseBody(bytes: Buffer, about: ApiRequest & { readonly status: number }): Promise<unknown> {
  if (bytes.length === 0) return null;
  try {
    return await parseJson(utf8Text(bytes));
  } catch {
    const hint = "Omit the JSON flags to print the response unchanged.";
    throw new BrokenAnswerError("The response is not JSON", { ...about, hint });
  }
}
