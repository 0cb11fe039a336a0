import { isBasicExpression, isMapping, isScalar, isSequence, isString } from "@actions/workflow-parser";
import { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import type { Place } from "./finding.ts";
import { conditions, referencesOf } from "./references.ts";

/** A text of a workflow file and its place. */
export interface Word {
  readonly text: string;
  readonly at: Place | undefined;
}

/** A workflow or an action, as far as checks go beyond its schema. */
export type Workflow = ReturnType<typeof workflowOf>;
/** A job, or the steps of an action. What expressions refer to is in lower case, because they find it in any case. */
export type Job = ReturnType<typeof jobOf>;
export type Step = ReturnType<typeof stepOf>;
/** Inputs or secrets that a file takes, by their names in lower case. */
export type Parameters = ReturnType<typeof parametersOf>;

/** Makes a workflow or an action of what the library read. Parts that are not what they should be, which it has said, are left out. */
export function workflowOf(root: TemplateToken, kind: "workflow" | "action") {
  const all = [...TemplateToken.traverse(root, true)].map(([, token]) => token);
  const on = valueAt(root, "on");
  const runs = valueAt(root, "runs");
  const steps = valueAt(runs, "steps");
  const isAction = kind === "action";
  const called = isAction ? root : valueAt(on, "workflow_call");
  const events = on !== undefined && isMapping(on) ? entriesOf(on) : wordsOf(on);
  const giving = ["workflow_dispatch", "workflow_call"].filter((event) => events.some(({ text }) => text === event));
  const givers = isAction ? [root] : giving.map((event) => valueAt(on, event));
  const declared = {
    inputs: parametersOf(valueAt(called, "inputs")),
    secrets: isAction ? undefined : parametersOf(valueAt(called, "secrets")),
    // Programs can set more outputs than the file of the action says.
    outputs: isAction && steps === undefined ? undefined : keysIn(valueAt(called, "outputs")),
  };
  const jobs = isAction ? [] : entriesOf(valueAt(root, "jobs")).map(({ text, value }) => jobOf(text, value));
  // An action has a job without an ID, with its steps.
  if (isAction && runs && steps)
    jobs.push({ ...jobOf("", runs), matrix: undefined, references: outside(root, "runs") });
  return {
    kind,
    runs: runs && entriesOf(runs),
    /** What it takes and gives; undefined if it cannot be called. */
    declared: isAction || giving.includes("workflow_call") ? declared : undefined,
    events,
    /** The keys of each event. */
    filters: entriesOf(on).map(({ value }) => entriesOf(value)),
    shells: all.filter(({ definition }) => definition?.key === "shell").flatMap(wordsOf),
    /** Conditions that have text outside of `${{ }}`. */
    mixed: all.filter(isMixed).map(({ range }) => range?.start),
    /** The names of its inputs; undefined if nothing gives it any. */
    inputs: givers.length === 0 ? undefined : givers.flatMap((giver) => keysIn(valueAt(giver, "inputs"))),
    jobs,
    /** What expressions outside of jobs name. */
    references: isAction ? [] : outside(root, "jobs"),
  };
}

/** Whether it is a condition with text around an expression, of which the library makes a call of format. */
const isMixed = (token: TemplateToken): boolean =>
  conditions.includes(token.definition?.key ?? "") &&
  isBasicExpression(token) &&
  token.originalExpressions !== undefined &&
  !(token.blockScalarHeader?.includes("-") && /^format\('\s*\{0\}\s*'/.test(token.expression));

/** Those that are required have no default, either. */
function parametersOf(token: TemplateToken | undefined) {
  return new Map(
    entriesOf(token).map(({ text: name, value }) => {
      const isRequired = /^(true|y|yes|on)$/i.test(String(valueAt(value, "required") ?? ""));
      return [name.toLowerCase(), { name, isRequired: isRequired && valueAt(value, "default") === undefined }] as const;
    }),
  );
}

function jobOf(id: string, job: TemplateToken) {
  const secrets = valueAt(job, "secrets");
  return {
    id,
    needs: wordsOf(valueAt(job, "needs")).map(({ text }) => text.toLowerCase()),
    outputs: keysIn(valueAt(job, "outputs")),
    matrix: matrixOf(job),
    steps: itemsOf(valueAt(job, "steps")).map(stepOf),
    uses: usesOf(job),
    with: entriesOf(valueAt(job, "with")),
    /** What it hands on to a workflow; undefined for all of its own. */
    secrets: secrets !== undefined && isScalar(secrets) ? undefined : entriesOf(secrets),
    runsOn: valueAt(job, "runs-on"),
    /** Those outside of steps. */
    references: outside(job, "steps"),
  };
}

const stepOf = (step: TemplateToken) => ({
  id: wordsOf(valueAt(step, "id"))[0]?.text.toLowerCase(),
  uses: usesOf(step),
  with: entriesOf(valueAt(step, "with")),
  references: referencesOf(step),
});

/** The action or workflow that a step or job uses, which an expression can name. */
function usesOf(part: TemplateToken): Word | undefined {
  const token = valueAt(part, "uses");
  return token !== undefined && isScalar(token) ? { text: String(token), at: token.range?.start } : undefined;
}

/** The keys of a matrix and their values, or undefined, if they are known only when the job runs. */
function matrixOf(job: TemplateToken): ReadonlyMap<string, readonly string[] | undefined> | undefined {
  const strategy = valueAt(job, "strategy");
  const matrix = valueAt(strategy, "matrix");
  const values = new Map<string, readonly string[] | undefined>();
  if (strategy === undefined || (isMapping(strategy) && matrix === undefined)) return values;
  const included = valueAt(matrix, "include");
  const isKnown = included === undefined || (isSequence(included) && itemsOf(included).every(isMapping));
  if (matrix === undefined || !isMapping(matrix) || !isKnown) return undefined;
  const isFixed = (token: TemplateToken) => isScalar(token) && !token.isExpression;
  for (const { text, value } of entriesOf(matrix)) {
    const isList = isSequence(value) && itemsOf(value).every(isFixed);
    if (!/^(in|ex)clude$/.test(text)) values.set(text.toLowerCase(), isList ? itemsOf(value).map(String) : undefined);
  }
  for (const { text, value } of itemsOf(included).flatMap(entriesOf)) {
    const key = text.toLowerCase();
    const before = values.has(key) ? values.get(key) : [];
    values.set(key, before && isFixed(value) ? [...before, String(value)] : undefined);
  }
  return values;
}

/** What the values of all keys but one name. */
const outside = (part: TemplateToken, key: string) =>
  entriesOf(part).flatMap(({ text, value }) => (text === key ? [] : referencesOf(value)));

/** A key and its value. */
interface Entry extends Word {
  readonly value: TemplateToken;
}

function entriesOf(token: TemplateToken | undefined): readonly Entry[] {
  if (token === undefined || !isMapping(token)) return [];
  return [...token].map(({ key, value }) => ({ text: String(key), at: key.range?.start, value }));
}

const keysIn = (token: TemplateToken | undefined) => entriesOf(token).map(({ text }) => text.toLowerCase());

/** The value at a path of keys. */
const valueAt = (token: TemplateToken | undefined, ...path: readonly string[]): TemplateToken | undefined =>
  path.reduce((found, name) => entriesOf(found).find(({ text }) => text === name)?.value, token);

/** The items of a list. */
export const itemsOf = (token: TemplateToken | undefined): readonly TemplateToken[] =>
  token !== undefined && isSequence(token) ? [...token] : [];

/** A text, or the texts of a list. */
const wordsOf = (token: TemplateToken | undefined): readonly Word[] =>
  (token === undefined || isSequence(token) ? itemsOf(token) : [token]).flatMap((one) =>
    isString(one) ? { text: one.value, at: one.range?.start } : [],
  );
