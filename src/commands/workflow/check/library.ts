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
import { TemplateContext, TemplateValidationErrors } from "@actions/workflow-parser/templates/template-context";
import { readTemplate as readBySchema } from "@actions/workflow-parser/templates/template-reader";
import { BooleanToken, StringToken } from "@actions/workflow-parser/templates/tokens/index";
import { WORKFLOW_ROOT } from "@actions/workflow-parser/workflows/workflow-constants";
import { getWorkflowSchema } from "@actions/workflow-parser/workflows/workflow-schema";
import { YamlObjectReader } from "@actions/workflow-parser/workflows/yaml-object-reader";
import type { Document, LineCounter } from "yaml";
import { loadYaml, resolveAliases, YamlError } from "../../../text/yaml.ts";
import { type Place, start } from "./finding.ts";
import { moreContexts, workflowServers } from "./servers.ts";

/** What the library finds wrong in a file. */
export interface Problem {
  readonly at: Place;
  readonly message: string;
  /** Only Forgejo minds some, and no server IDs of steps that are there twice. */
  readonly severity: "error" | "warning" | "error on Forgejo";
}

let isAdapted = false;

/** Reads a workflow or an action by the schema of GitHub, extended by what Gitea or Forgejo take. */
export async function readTemplate(name: string, text: string, kind: "workflow" | "action") {
  if (!isAdapted) adaptSchemas();
  isAdapted = true;
  const isWorkflow = kind === "workflow";
  const schema = isWorkflow ? getWorkflowSchema() : getActionSchema();
  const context = new TemplateContext(new TemplateValidationErrors(), schema, new NoOperationTraceWriter());
  const file = context.getFileId(name);
  const reader = new YamlObjectReader(file, text);
  // What the reader parses is private, but read only below.
  await adaptDocument(reader["doc"], reader["lineCounter"]);
  const root = readBySchema(context, isWorkflow ? WORKFLOW_ROOT : ACTION_ROOT, reader, file);
  // 1: also after errors.
  if (root !== undefined && isWorkflow) await convertWorkflowTemplate(context, root, undefined, { errorPolicy: 1 });
  const lines = text.split("\n");
  const problems = new Map<string, Problem>();
  for (const { message, linePos } of reader["doc"].warnings) {
    const at = { line: linePos?.[0].line ?? 1, column: linePos?.[0].col ?? 1 };
    const [tag = ""] = message.split(" at line ");
    problems.set(tag, { at, message: `${tag}: put text that begins with ! in quotes`, severity: "error" });
  }
  for (const { range, rawMessage } of context.errors.getErrors()) {
    const at = range?.start ?? start;
    const end = range?.end ?? at;
    const source = lines[at.line - 1]?.slice(at.column - 1, end.line === at.line ? end.column - 1 : undefined) ?? "";
    const before = lines[at.line - 1]?.slice(0, at.column - 1) ?? "";
    const found = inWords(rawMessage, source, before, lines[end.line - 1]?.slice(end.column - 1) ?? "");
    // What has not the right form is said again by the checks that follow.
    const isForm = /^(Unexpected (value|type)|A (mapping|sequence) was not expected|Invalid format)/.test(rawMessage);
    const key = `${at.line}:${at.column} ${isForm ? "" : found?.message}`;
    if (found !== undefined && !problems.has(key)) problems.set(key, { at, ...found });
  }
  return { root, problems: [...problems.values()] };
}

/** The booleans of YAML 1.1, which both servers take without quotes. */
const yamlBoolean = /^(y|yes|on|n|no|off)$/i;

/**
 * What both servers take and GitHub does not: concurrency without a group, actions without a name or a shell, the command of
 * a container, expressions in `uses`, any default of an input, and IDs such as `1.a`. A condition that is wrong is read once
 * more, with its `${{`.
 */
const taken = [
  /^Required property is missing: (group|name|description|shell)$/,
  /^Unexpected container item key: cmd$/,
  /^Unexpected type .*('(steps item uses|job uses value)'|encountered while reading 'input default')/,
  /^The identifier .* is invalid/,
  /Unexpected symbol: '\$\{\{'/,
];

/** A message of the library in our words, with what is around the place that it is about; undefined if the servers take that. */
function inWords(said: string, source: string, before: string, after: string): Omit<Problem, "at"> | undefined {
  if (taken.some((one) => one.test(said))) return undefined;
  // Their cron library knows more, too.
  const cron = source.replace(/^["']|["']$/g, "").replace(/^(CRON_)?TZ=\S+ +/, "");
  const named = /^@(annually|yearly|monthly|weekly|daily|midnight|hourly|every \S+)$/;
  if (said.startsWith("Invalid cron") && (named.test(cron) || isValidCron(cron.replaceAll("?", "*")))) return undefined;
  if (/^Unexpected type .*'BooleanToken' was expected/.test(said) && yamlBoolean.test(source)) return undefined;
  const [, value] = /^Unexpected (?:value '(.*)'$|type)/s.exec(said) ?? [];
  const [, quoted] = /^["'](true|false|[\d.]+)["']$/.exec(source) ?? [];
  if (quoted !== undefined && said.startsWith("Unexpected "))
    return { message: `${quoted} must not be in quotes here`, severity: "error on Forgejo" };
  if (value !== undefined && /^\s*:/.test(after))
    return { message: `Unknown key '${value}'`, severity: value.startsWith("x-") ? "error on Forgejo" : "error" };
  if (value === "" && source === "") {
    const [, key = ""] = /([\w-]+)['"]?:\s*$/.exec(before) ?? [];
    const isMap = /^(concurrency|defaults|env|outputs|services|strategy|with)$/.test(key);
    return { message: `'${key}' must not be empty`, severity: isMap ? "error on Forgejo" : "error" };
  }
  const severity = said.includes("may not be used more than once") ? "warning" : "error";
  if (said.startsWith("The expression is not closed") && /^\s+#/.test(after))
    return {
      message: `The expression is not closed, because # after a space begins a comment: put the value in quotes`,
      severity,
    };
  if (/^(There's not enough info to determine|Expected one of uses or run)/.test(said))
    return { message: "A job needs steps or uses, and a step run or uses", severity };
  // The library repeats values of the file.
  return { message: said.length > 300 ? `${said.slice(0, 300)}…` : said, severity };
}

/**
 * Makes a document what the servers read: maps have what `<<` merges into them, keys are text, as in Go, a value of a matrix
 * alone is a list, and `inputs` can be empty. Throws a `YamlError` for a key that is a map. Callers have parsed the text with
 * `parseYamlDocument`, which refuses what cannot be resolved.
 */
async function adaptDocument(document: Document, lines: LineCounter): Promise<void> {
  const { isCollection, isPair, isScalar, visit, YAMLMap: NewMap, YAMLSeq: NewSeq } = await loadYaml();
  visit(document, {
    Pair(_, pair, path) {
      const { key, value } = pair;
      if (isCollection(key)) {
        const { line, col } = lines.linePos(key.range?.[0] ?? 0);
        throw new YamlError("A key must be text; put a value that begins with { in quotes", line, col);
      }
      if (!isScalar(key)) return;
      if (typeof key.value !== "string") key.value = key.source ?? "";
      const name = String(key.value);
      const outer = path.flatMap((one) => (isPair(one) && isScalar(one.key) ? [String(one.key.value)] : []));
      const isMatrix = outer[0] === "jobs" && outer.slice(2).join() === "strategy,matrix";
      if (!isScalar(value)) return;
      if (value.value === null && name === "inputs" && outer[0] === "on" && outer.length === 2)
        pair.value = new NewMap();
      if (value.value === null || !isMatrix || /^(in|ex)clude$/.test(name) || String(value.value).includes("${{"))
        return;
      const only = new NewSeq();
      only.items.push(value);
      pair.value = only;
    },
  });
  await resolveAliases(document, (message) => {
    throw new TypeError(message);
  });
}

/** The library keeps one schema of each kind, which is changed once. */
function adaptSchemas(): void {
  const { definitions } = getWorkflowSchema();
  const aliases = workflowServers.forgejo.aliases;
  for (const definition of [...Object.values(definitions), ...Object.values(getActionSchema().definitions)]) {
    const { key, readerContext } = definition;
    // The library looks names of the file up, such as __proto__ and constructor.
    if (definition instanceof MappingDefinition) Object.setPrototypeOf(definition.properties, null);
    if (definition instanceof BooleanDefinition) {
      definition.isMatch = (literal) =>
        literal instanceof BooleanToken || (literal instanceof StringToken && yamlBoolean.test(literal.source ?? ""));
    }
    if (readerContext.includes("github")) readerContext.push(...new Set([...aliases, ...(moreContexts[key] ?? [])]));
  }
  definitions["step-uses"]?.readerContext.push(...(definitions["string-steps-context"]?.readerContext ?? []));
  const allow = (name: string, key: string, type: string) => {
    const definition = definitions[name];
    if (definition instanceof MappingDefinition)
      definition.properties[key] ??= new PropertyDefinition(new StringToken(undefined, undefined, type, undefined));
  };
  for (const key of ["enable-email-notifications", "enable-openid-connect"]) {
    for (const name of ["workflow-root-strict", "job-factory", "workflow-job"]) allow(name, key, "boolean");
  }
  // Jobs that call a workflow run on a runner with these labels; without them, Forgejo makes jobs of its own of the workflow.
  allow("workflow-job", "runs-on", "runs-on");
  for (const name of ["container-mapping", "service-container-mapping"])
    allow(name, "cmd", "sequence-of-non-empty-string");
  // Which events there are is checked on its own.
  const { "on-string-strict": named, "on-mapping-strict": mapped } = definitions;
  if (named instanceof OneOfDefinition) named.oneOf.push("non-empty-string");
  if (mapped instanceof MappingDefinition) [mapped.looseKeyType, mapped.looseValueType] = ["non-empty-string", "any"];
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
