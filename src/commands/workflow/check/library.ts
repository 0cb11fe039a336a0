import { Lexer, Parser } from "@actions/expressions";
import type { Expr } from "@actions/expressions/ast";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { splitAllowedContext } from "@actions/workflow-parser/templates/allowed-context";
import { MappingDefinition } from "@actions/workflow-parser/templates/schema/mapping-definition";
import { OneOfDefinition } from "@actions/workflow-parser/templates/schema/one-of-definition";
import { PropertyDefinition } from "@actions/workflow-parser/templates/schema/property-definition";
import { StringDefinition } from "@actions/workflow-parser/templates/schema/string-definition";
import { StringToken, type TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import { getWorkflowSchema } from "@actions/workflow-parser/workflows/workflow-schema";
import { type Place, start } from "./finding.ts";
import { moreContexts, workflowServers } from "./servers.ts";

/** A workflow as the library reads it, and what it finds wrong. */
export interface Template {
  readonly root: TemplateToken | undefined;
  readonly problems: readonly { readonly at: Place; readonly message: string }[];
}

/** How many characters of a message are shown: the library repeats values of the file. */
const longest = 300;

let isAdapted = false;

/** Reads a workflow by the schema of GitHub, extended by what Gitea or Forgejo take. */
export async function readTemplate(name: string, text: string): Promise<Template> {
  if (!isAdapted) adaptSchema();
  isAdapted = true;
  const { context, value } = parseWorkflow({ name, content: text }, new NoOperationTraceWriter());
  // 1: also after errors.
  if (value !== undefined) await convertWorkflowTemplate(context, value, undefined, { errorPolicy: 1 });
  const lines = text.split("\n");
  const problems = context.errors.getErrors().flatMap(({ range, rawMessage }) => {
    const at = range?.start ?? start;
    return isTaken(rawMessage, lines[at.line - 1]?.slice(at.column - 1) ?? "")
      ? []
      : [{ at, message: words(rawMessage) }];
  });
  return { root: value, problems };
}

/**
 * Whether the servers take what GitHub does not: expressions in `uses`, concurrency without a group, and the schedules of
 * their cron library.
 */
function isTaken(message: string, source: string): boolean {
  if (message === "Required property is missing: group") return true;
  if (message.startsWith("Invalid cron expression")) return /^["']?(@|(CRON_)?TZ=)/.test(source);
  return /^Unexpected type .*'(steps item uses|job uses value)'/.test(message);
}

function words(message: string): string {
  // It lists the keys that only one of the two forms has.
  return message.startsWith("There's not enough info to determine what you meant")
    ? "A job needs steps or uses, and a step run or uses"
    : message.length > longest
      ? `${message.slice(0, longest)}…`
      : message;
}

/** The library keeps one schema, which is changed once. */
function adaptSchema(): void {
  const { definitions } = getWorkflowSchema();
  const { gitea, forgejo } = workflowServers;
  const aliases = [...gitea.aliases, ...forgejo.aliases];
  for (const definition of Object.values(definitions)) {
    const { key, readerContext } = definition;
    // The library looks names of the file up, such as __proto__ and constructor.
    if (definition instanceof MappingDefinition) Object.setPrototypeOf(definition.properties, null);
    if (!readerContext.includes("github")) continue;
    readerContext.push(...new Set([...aliases, ...(moreContexts[key] ?? [])]));
  }
  definitions["step-uses"]?.readerContext.push(...(definitions["string-steps-context"]?.readerContext ?? []));
  const allow = (name: string, key: string, type: string) => {
    const definition = definitions[name];
    if (definition instanceof MappingDefinition) {
      definition.properties[key] ??= new PropertyDefinition(new StringToken(undefined, undefined, type, undefined));
    }
  };
  for (const key of forgejo.keys) {
    for (const name of ["workflow-root-strict", "job-factory", "workflow-job"]) allow(name, key, "boolean");
  }
  // Jobs that call a workflow run on a runner, unless Forgejo makes jobs of its own of them.
  allow("workflow-job", "runs-on", "runs-on");
  const named = definitions["on-string-strict"];
  for (const event of new Set([...gitea.events, ...forgejo.events])) {
    allow("on-mapping-strict", event, "any");
    const key = `${event.replaceAll("_", "-")}-string`;
    if (definitions[key] !== undefined || !(named instanceof OneOfDefinition)) continue;
    const constant = new StringDefinition(key);
    constant.constant = event;
    definitions[key] = constant;
    named.oneOf.push(key);
  }
}

/** The syntax tree of an expression; undefined if it is not valid, which `readTemplate` has found. */
export function parseExpression(text: string, allowed: readonly string[]): Expr | undefined {
  const { namedContexts, functions } = splitAllowedContext([...allowed]);
  try {
    return new Parser(new Lexer(text).lex().tokens, namedContexts, functions).parse();
  } catch {
    return undefined;
  }
}
