import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { scopesByPath } from "../../forge/description.ts";
import type { DescribedOperation } from "../../forge/openapi/operations.ts";
import { type Schema, typeText } from "../../forge/openapi/schema.ts";
import type { Sheet } from "../../output/sheet.ts";
import { anything, boolean, type Infer, list, nullable, optional, record, string } from "../../shape/shape.ts";
import { jsonText } from "../../text/json.ts";
import { typedName } from "./build-request.ts";
import { describedOperation } from "./cached-description.ts";
import { operationSummary, summaryOf } from "./list.ts";

const named = {
  name: string,
  type: string,
  required: boolean,
  description: string,
  enum: optional(list(anything)),
  default: optional(anything),
};

/** An operation in full. */
const operationRecord = record({
  ...operationSummary.fields,
  description: string,
  parameters: list(record({ in: string, ...named })),
  body: nullable(record({ content_type: string, required: boolean, type: string, fields: list(record(named)) })),
  answers: list(record({ status: string, description: string, type: nullable(string), fields: list(string) })),
  scopes: list(string),
});

type OperationRecord = Infer<typeof operationRecord>;
type Named = OperationRecord["parameters"][number] | NonNullable<OperationRecord["body"]>["fields"][number];

/** `tongs operation view`: one operation of the server's description. */
export const view = defineCommand({
  summary: "View an operation of the server",
  details: "Prints the parameters, the fields of the body, the responses, and the scopes that a token needs.",
  on: "server",
  effect: "read",
  args: { id: one("the ID of the operation, see tongs operation list", { source: "operation" }) },
  output: operationRecord,
  exits: { notFound: "no such operation, or the server does not publish a description (code no_description)" },
  examples: [["View an operation", "tongs operation view issueCreateLabel"]],
  web: { page: () => pagePath("api/swagger") },
  async run(context) {
    const operation = await describedOperation(context.args.id, context);
    await context.out.record(recordOf(operation), operationSheet);
  },
});

function recordOf(operation: DescribedOperation): OperationRecord {
  const { parameters, body, answers, method, path } = operation;
  return {
    ...summaryOf(operation),
    description: operation.description,
    parameters: parameters.map((one) => ({ in: one.in, ...describe(one.name, one.schema, one) })),
    body:
      body === undefined
        ? null
        : {
            content_type: body.contentType,
            required: body.required,
            type: typeText(body.schema),
            fields: fieldsOfBody(body.schema),
          },
    answers: answers.map(({ status, description, schema }) => ({
      status,
      description,
      type: schema === undefined ? null : typeText(schema),
      fields: schema === undefined ? [] : answerFields(schema),
    })),
    scopes: operation.scopes.length > 0 ? operation.scopes : scopesByPath(method, path),
  };
}

function fieldsOfBody(schema: Schema) {
  return [...schema.fields].map(([name, field]) => {
    const inner = field();
    return describe(name, inner, {
      required: schema.required.includes(name),
      description: inner.description ?? "",
    });
  });
}

function answerFields(schema: Schema): string[] {
  const record = schema.type === "array" ? schema.items() : schema;
  return [...record.fields.keys()];
}

function describe(
  name: string,
  schema: Schema,
  { required, description }: { readonly required: boolean; readonly description: string },
) {
  const values = schema.enum ?? (schema.type === "array" ? schema.items().enum : undefined);
  return {
    name,
    type: typeText(schema),
    required,
    description,
    ...(values === undefined ? {} : { enum: values }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}

function operationSheet(operation: OperationRecord): Sheet {
  const { parameters, body, answers, scopes } = operation;
  const sections = [
    { title: "Parameters", body: parameters.map((one) => `${line(one)}`).join("\n") },
    { title: `Body (${body?.content_type})`, body: fieldLines(operation) },
    { title: "Responses", body: answers.map(answerLine).join("\n") },
  ];
  return {
    title: operation.summary || operation.id,
    fields: [
      ["id", operation.id],
      ["method", operation.method],
      ["path", operation.path],
      ["tags", operation.tags.join(", ")],
      ["scopes", scopes.join(", ")],
      ["deprecated", operation.deprecated ? "yes" : ""],
    ],
    body: operation.description,
    sections: sections.filter((section) => section.body !== ""),
  };
}

function fieldLines(operation: OperationRecord): string {
  const { body } = operation;
  if (body === null) return "";
  return body.fields.map((one) => line({ ...one, name: typedName(operation, one.name) })).join("\n") || body.type;
}

function line(one: Named): string {
  const words = [
    one.required ? "required" : "",
    "in" in one && one.in !== "query" ? `in ${one.in}` : "",
    one.enum === undefined ? "" : `one of ${one.enum.map(plain).join(", ")}`,
    one.default === undefined ? "" : `default: ${plain(one.default)}`,
  ].filter((word) => word !== "");
  const about = [`${one.name}  ${one.type}`, ...words].join(", ");
  // A description may have several lines.
  return one.description === "" ? about : `${about}\n    ${one.description.trim().replaceAll("\n", "\n    ")}`;
}

function answerLine({ status, description, type, fields }: OperationRecord["answers"][number]): string {
  const about = [status, description].filter((word) => word !== "").join("  ");
  if (type === null) return about;
  return `${about} (${type})${fields.length === 0 ? "" : `\n    ${fields.join(", ")}`}`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}
