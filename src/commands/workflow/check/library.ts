import { Lexer, Parser } from "@actions/expressions";
import type { Expr } from "@actions/expressions/ast";
import { convertWorkflowTemplate, NoOperationTraceWriter } from "@actions/workflow-parser";
import { ACTION_ROOT } from "@actions/workflow-parser/actions/action-constants";
import { getActionSchema } from "@actions/workflow-parser/actions/action-schema";
import { isValidCron } from "@actions/workflow-parser/model/converter/cron";
import { splitAllowedContext } from "@actions/workflow-parser/templates/allowed-context";
import { BooleanDefinition } from "@actions/workflow-parser/templates/schema/boolean-definition";
import { MappingDefinition } from "@actions/workflow-parser/templates/schema/mapping-definition";
import { OneOfDefinition } from "@actions/workflow-parser/templates/schema/one-of-definition";
import { PropertyDefinition } from "@actions/workflow-parser/templates/schema/property-definition";
import { StringDefinition } from "@actions/workflow-parser/templates/schema/string-definition";
import { TemplateContext, TemplateValidationErrors } from "@actions/workflow-parser/templates/template-context";
import { readTemplate as readBySchema } from "@actions/workflow-parser/templates/template-reader";
import { BooleanToken, StringToken, type TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import { WORKFLOW_ROOT } from "@actions/workflow-parser/workflows/workflow-constants";
import { getWorkflowSchema } from "@actions/workflow-parser/workflows/workflow-schema";
import { YamlObjectReader } from "@actions/workflow-parser/workflows/yaml-object-reader";
import { type Place, start } from "./finding.ts";
import { giteaContexts, moreContexts, workflowServers, yamlBooleans } from "./servers.ts";
import { adaptDocument, type Oddity } from "./source.ts";
import { findTraps, type Trap } from "./traps.ts";

/** What the library finds wrong in a file. */
export interface Problem {
  readonly at: Place;
  readonly message: string;
  /** What Gitea takes there. */
  readonly odd: Oddity | undefined;
  /** Whether both servers run the file all the same. */
  readonly isHarmless: boolean;
}

/** A workflow as the library reads it, and what it finds wrong. */
export interface Template {
  readonly root: TemplateToken | undefined;
  readonly problems: readonly Problem[];
  readonly traps: readonly Trap[];
}

/** How many characters of a message are shown: the library repeats values of the file. */
const longest = 300;

const comment = "The expression is not closed, because # after a space begins a comment: put the value in quotes";

let isAdapted = false;

/** Reads a workflow or an action by the schema of GitHub, extended by what Gitea or Forgejo take. */
export async function readTemplate(name: string, text: string, kind: "workflow" | "action"): Promise<Template> {
  if (!isAdapted) adaptSchemas();
  isAdapted = true;
  const isWorkflow = kind === "workflow";
  const schema = isWorkflow ? getWorkflowSchema() : getActionSchema();
  const context = new TemplateContext(new TemplateValidationErrors(), schema, new NoOperationTraceWriter());
  const file = context.getFileId(name);
  const reader = new YamlObjectReader(file, text);
  // What the reader parses is private, but read only below.
  const traps = await findTraps(reader["doc"], reader["lineCounter"], text);
  const odd = await adaptDocument(reader["doc"], reader["lineCounter"]);
  const root = readBySchema(context, isWorkflow ? WORKFLOW_ROOT : ACTION_ROOT, reader, file);
  // 1: also after errors.
  if (root !== undefined && isWorkflow) await convertWorkflowTemplate(context, root, undefined, { errorPolicy: 1 });
  const lines = text.split("\n");
  const problems = new Map<string, Problem>();
  for (const { range, rawMessage } of context.errors.getErrors()) {
    const at = range?.start ?? start;
    const end = range?.end.line === at.line ? range.end.column - 1 : undefined;
    if (isTaken(rawMessage, lines[at.line - 1]?.slice(at.column - 1, end) ?? "")) continue;
    const place = `${at.line}:${at.column}`;
    const found = /^Unexpected (value|type) /.test(rawMessage) ? odd.get(place) : undefined;
    const after = lines[(range?.end.line ?? 0) - 1]?.slice((range?.end.column ?? 0) - 1) ?? "";
    const isCut = rawMessage.startsWith("The expression is not closed") && /^\s+#/.test(after);
    // It says the same of such a value in several ways.
    const message = found && "value" in found ? found.value : isCut ? comment : words(rawMessage);
    const isHarmless = /^The identifier .* (is invalid|may not be used more than once)/.test(rawMessage);
    if (found && "mistake" in found) problems.set(place, { at, message: found.mistake, odd: undefined, isHarmless });
    else {
      // What has not the right form is said again by the checks that follow.
      const kind = /^(Unexpected (value|type)|A (mapping|sequence) was not expected|Invalid format)/.test(rawMessage);
      const key = kind ? `${place} form` : `${place} ${message}`;
      if (!problems.has(key)) problems.set(key, { at, message, odd: found, isHarmless });
    }
  }
  const all = [...problems.values()];
  // A condition whose expression is not valid is read once more, with its ${{.
  const isSecond = ({ at, message }: Problem) =>
    message.includes("Unexpected symbol: '${{'") &&
    all.some((one) => one.message !== message && one.at.line === at.line);
  return { root, traps, problems: all.filter((one) => !isSecond(one)) };
}

/**
 * Whether the servers take what GitHub does not: expressions in `uses`, concurrency without a group, actions without a name
 * or a shell, the command of a container, numbers as defaults of text, the booleans of YAML 1.1, and the schedules of their
 * cron library.
 */
function isTaken(message: string, source: string): boolean {
  if (/^Required property is missing: (group|name|description|shell)$/.test(message)) return true;
  if (message === "Unexpected container item key: cmd") return true;
  // They are compared with their types on their own.
  if (/^Unexpected type .* encountered while reading 'input default'/.test(message)) return true;
  if (message.startsWith("Invalid cron expression")) {
    const cron = source.replace(/^["']|["']$/g, "").replace(/^(CRON_)?TZ=\S+ +/, "");
    return (
      /^@(annually|yearly|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(cron) ||
      isValidCron(cron.replaceAll("?", "*"))
    );
  }
  if (/^Unexpected type .*'BooleanToken' was expected/.test(message)) return yamlBooleans.has(source);
  return /^Unexpected type .*'(steps item uses|job uses value)'/.test(message);
}

function words(message: string): string {
  const [, id] = /^The identifier '(.*)' is invalid\. IDs may only/.exec(message) ?? [];
  if (id !== undefined) return `GitHub does not take the ID '${id}': letters, digits, _ and -, first a letter or _`;
  // It lists the keys that only one of the two forms has.
  return message.startsWith("There's not enough info to determine what you meant") ||
    message === "Expected one of uses or run to be defined"
    ? "A job needs steps or uses, and a step run or uses"
    : message.length > longest
      ? `${message.slice(0, longest)}…`
      : message;
}

/** The library keeps one schema of each kind, which is changed once. */
function adaptSchemas(): void {
  const { definitions } = getWorkflowSchema();
  const { gitea, forgejo } = workflowServers;
  const aliases = [...gitea.aliases, ...forgejo.aliases];
  const ofGitea = new Map<string, readonly string[]>(Object.entries(giteaContexts));
  for (const definition of [...Object.values(definitions), ...Object.values(getActionSchema().definitions)]) {
    const { key, readerContext } = definition;
    // The library looks names of the file up, such as __proto__ and constructor.
    if (definition instanceof MappingDefinition) Object.setPrototypeOf(definition.properties, null);
    if (definition instanceof BooleanDefinition) {
      definition.isMatch = (literal) =>
        literal instanceof BooleanToken || (literal instanceof StringToken && yamlBooleans.has(literal.source ?? ""));
    }
    if (!readerContext.includes("github")) continue;
    readerContext.push(...new Set([...aliases, ...(moreContexts[key] ?? []), ...(ofGitea.get(key) ?? [])]));
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
  // Jobs that call a workflow run on a runner with these labels; without them, Forgejo makes jobs of its own of the workflow.
  allow("workflow-job", "runs-on", "runs-on");
  for (const name of ["container-mapping", "service-container-mapping"])
    allow(name, "cmd", "sequence-of-non-empty-string");
  const named = definitions["on-string-strict"];
  for (const event of new Set([...gitea.events, ...forgejo.events])) allow("on-mapping-strict", event, "any");
  const events = definitions["on-mapping-strict"];
  for (const event of events instanceof MappingDefinition ? Object.keys(events.properties) : []) {
    const key = `${event.replaceAll("_", "-")}-string`;
    const known = definitions[key];
    const text = known instanceof StringDefinition ? known : new StringDefinition(key);
    // The schema has another event's name for repository_dispatch.
    text.constant = event;
    definitions[key] = text;
    if (named instanceof OneOfDefinition && !named.oneOf.includes(key)) named.oneOf.push(key);
  }
}

/** Whether GitHub has an event. The schema must have been read. */
export const isGitHubEvent = (event: string): boolean => {
  const events = getWorkflowSchema().definitions["on-mapping-strict"];
  return events instanceof MappingDefinition && Object.hasOwn(events.properties, event);
};

/** The syntax tree of an expression; undefined if it is not valid, which `readTemplate` has found. */
export function parseExpression(text: string, allowed: readonly string[]): Expr | undefined {
  const { namedContexts, functions } = splitAllowedContext([...allowed]);
  try {
    return new Parser(new Lexer(text).lex().tokens, namedContexts, functions).parse();
  } catch {
    return undefined;
  }
}
