import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { refuseIdentity } from "../../app/sudo.ts";
import { one } from "../../command/args.ts";
import { inputFile, texts } from "../../command/flags.ts";
import { operationAt } from "../../forge/all-operations.ts";
import { collect } from "../../forge/listings.ts";
import type { DescribedOperation } from "../../forge/openapi/operations.ts";
import { isPaged } from "../../forge/openapi/operations.ts";
import { type Answer, maxJsonSize, text as textAnswer } from "../../http/answers.ts";
import { BrokenAnswerError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { anything } from "../../shape/shape.ts";
import { jsonText, parseJson } from "../../text/json.ts";
import { utf8Text } from "../../text/utf8.ts";
import { buildRequest, type CheckedRequest, parseParameters } from "./build-request.ts";
import { describedOperation } from "./cached-description.ts";

const bytes: Answer<Buffer> = { ...textAnswer, accept: "application/json, */*;q=0.8" };

/** `tongs operation call`: a request that is checked against the server's own description before it is sent. */
export const call = defineCommand({
  summary: "Call an operation of the server",
  details:
    "Checks names, types, enumerations and required values against the description that the server publishes, before " +
    "anything is sent. -p sets a parameter or a field of the body; repeat it for the items of a list, use dots for " +
    "fields inside objects (config.url=…), body.NAME for a field that is named like a parameter, and pass JSON for " +
    "whole objects. The value of a file is its path. {owner} and {repo} default to the current repository. Lists are " +
    "read page by page up to --limit. The response is printed unchanged. DELETE requests prompt for confirmation.",
  on: "server",
  effect: "destroy",
  args: { id: one("the ID of the operation, see tongs operation list", { source: "operation" }) },
  flags: {
    param: texts("set a parameter or a field of the body", {
      short: "p",
      placeholder: "NAME=VALUE",
      source: "parameter",
    }),
    input: inputFile("read the request body from a file"),
  },
  output: anything,
  exits: {
    usage: "a name, type or value does not fit the description; nothing was sent",
    notFound: "no such operation, or the server does not publish a description (code no_description)",
  },
  examples: [
    [
      "List the open issues of the current repository",
      "tongs operation call issueListIssues -p state=open --jq '.[].title'",
    ],
    ["Create a label", "tongs operation call issueCreateLabel -p name=tide -p color=#0e8a16"],
    [
      "Print the request instead of sending it",
      "tongs operation call issueCreateLabel -p name=tide -p color=#0e8a16 --dry-run",
    ],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, system, server } = context;
    const operation = await describedOperation(args.id, context);
    if (operation.deprecated) out.warn(`${operation.id} is deprecated`);
    const values = await withRepository(operation, parseParameters(flags.param), context);
    const request = await buildRequest(operation, { values, input: flags.input }, system);
    refuseIdentity(request, system);
    if (operation.method === "DELETE") {
      await prompt.confirmAction({
        what: `DELETE ${request.path} ${accountLabel(server)}`,
        sends: operationAt("DELETE", request.path.replace("/api/v1", ""))?.operation,
      });
    }
    if (isPaged(operation) && !values.has("page")) return listAll(request, context);
    const { path, raw, ...options } = request;
    const { value, status } = await http.send(operation.method, path, {
      ...options,
      ...(raw === undefined ? {} : { raw }),
      answers: out.records ? { ...bytes, largest: maxJsonSize } : bytes,
    });
    await print(value ?? Buffer.alloc(0), { status, method: operation.method, path }, context);
  },
});

/** Adds the current repository, if the operation has `{owner}` and `{repo}` in its path and neither was given. */
async function withRepository(
  { parameters }: DescribedOperation,
  values: ReadonlyMap<string, readonly string[]>,
  { locate }: BaseContext,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const inPath = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
  if (!inPath.includes("owner") || !inPath.includes("repo") || values.has("owner") || values.has("repo")) return values;
  const repo = await locate();
  return new Map([...values, ["owner", [repo.owner]], ["repo", [repo.name]]]);
}

async function listAll(
  { path, query, headers }: CheckedRequest,
  { http, options, out }: BaseContext & ServerContext,
): Promise<void> {
  const { limit: pageSize, ...rest } = query;
  const most = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? Number(pageSize ?? 30));
  const listing = http.list<unknown>(path, { query: rest, headers, envelope: "*" });
  const items = await collect(listing, most);
  await (out.records ? out.items(items) : out.raw(`${jsonText(items)}\n`));
  const { total } = listing;
  if (items.length < most || (total !== undefined && total <= items.length)) return;
  out.note(`Showing ${items.length}${total === undefined ? "" : ` of ${total}`}. Use --limit N or --all to list more.`);
}

async function print(
  body: Buffer,
  about: { readonly status: number; readonly method: string; readonly path: string },
  { out, system }: BaseContext,
): Promise<void> {
  if (!out.records) {
    if (body.length === 0) return out.note(`${about.method} ${about.path}: ${about.status}`);
    if (system.stdout.isTTY !== true) return out.raw(body);
    const text = body.toString("utf8");
    return out.text(text.endsWith("\n") ? text : `${text}\n`);
  }
  let value: unknown = null;
  try {
    if (body.length > 0) value = await parseJson(utf8Text(body));
  } catch {
    throw new BrokenAnswerError("The response is not JSON", {
      ...about,
      hint: "Omit the JSON flags to print the response unchanged.",
    });
  }
  if (Array.isArray(value)) await out.items(value);
  else await out.record(value, () => ({ fields: [] }));
}
