import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { BaseContext, ServerContext } from "../app/context.ts";
import { defineCommand } from "../app/define.ts";
import { collectAll } from "../app/shared.ts";
import { one } from "../command/args.ts";
import { text, texts, toggle } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import type { Answer } from "../http/answers.ts";
import type { CallOptions } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import type { Query } from "../http/path.ts";
import type { System } from "../system/system.ts";
import { jsonText } from "../text/json.ts";
import { bodyOf, type Field, queryOf, readField, typedValue } from "./api/fields.ts";
import { printBody, printHead } from "./api/print.ts";
import { fillIn, readTarget, type Target } from "./api/target.ts";

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
    const inQuery = method === "GET" || method === "HEAD" || flags.input !== undefined;
    const options: CallOptions<Buffer> = {
      query: inQuery ? merged(target.query, queryOf(fields)) : target.query,
      headers,
      answers: bytes,
      ...(flags.input !== undefined
        ? { raw: { content: await readInput(flags.input, context.system), type: "application/json" } }
        : inQuery
          ? {}
          : { body: bodyOf(fields) }),
    };
    try {
      const { status, headers: sent, value } = await forge.http.send(method, target.path, options);
      if (flags.include) await printHead(status, sent, context);
      await printBody(value, { status, method, path: target.path }, context);
    } catch (error) {
      if (error instanceof HttpError && !out.records) {
        const { status, headers: sent, bytes: body = Buffer.alloc(0) } = error.exchange;
        if (flags.include) await printHead(status, sent, context);
        await printBody(body, { status, method, path: target.path }, context);
      }
      throw error;
    }
  },
});

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
    if (value.startsWith("@")) return { ...field, value: (await readInput(value.slice(1), system)).toString("utf8") };
    return { ...field, value: typedValue(await fillIn(value, context, String)) };
  });
  return [...raw, ...(await Promise.all(read))];
}

async function readInput(file: string, { stdin, cwd }: System): Promise<Buffer> {
  if (file === "-") {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer));
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(resolve(cwd, file));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${file} cannot be read (${reason})`);
  }
}
