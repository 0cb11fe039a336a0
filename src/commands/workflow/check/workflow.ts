import { isMapping, isScalar, isSequence, isString } from "@actions/workflow-parser";
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import type { Place } from "./finding.ts";
import { expressionsIn, type Reference, referencesIn } from "./references.ts";
import { giteaContexts } from "./servers.ts";

/** A text of a workflow file and its place. */
export interface Word {
  readonly text: string;
  readonly at: Place | undefined;
}

/** A step of a job. `path` is the input `path`, where an action can put files; `with` has the names of all inputs. */
export interface Step {
  readonly id: string | undefined;
  readonly uses: Word | undefined;
  readonly path: string | undefined;
  readonly with: readonly Word[];
}

/** What a file takes from those who call it, with the names in lower case, and what it gives them. */
export interface Declared {
  readonly inputs: ReadonlyMap<string, Parameter>;
  /** Undefined of an action. */
  readonly secrets: ReadonlyMap<string, Parameter> | undefined;
  /** The names of its outputs; undefined if they are not all known. */
  readonly outputs: readonly string[] | undefined;
}

interface Parameter {
  readonly name: string;
  /** Whether it has no default, too. */
  readonly isRequired: boolean;
}

/**
 * The matrix of a job: its keys in lower case with their values; undefined values are not known before the job runs. It is
 * open if there may be more keys.
 */
export interface Matrix {
  readonly values: ReadonlyMap<string, readonly string[] | undefined>;
  readonly isOpen: boolean;
  /** The keys that have lists as values. */
  readonly lists: ReadonlySet<string>;
}

/** A job, or the steps of an action. Names of what expressions refer to are in lower case, because expressions find them in any case. */
export interface Job {
  readonly id: string;
  readonly needs: ReadonlySet<string>;
  /** The names of its outputs; undefined if another workflow says them. */
  readonly outputs: readonly string[] | undefined;
  readonly matrix: Matrix;
  readonly steps: readonly Step[];
  /** The workflow that it calls, and the names of what it gives it; without secrets, it hands on all of its own. */
  readonly uses: Word | undefined;
  readonly with: readonly Word[];
  readonly secrets: readonly Word[] | undefined;
  readonly runsOn: TemplateToken | undefined;
  readonly references: readonly Reference[];
  /** Keys whose lists are empty, but must not be. */
  readonly empty: readonly Word[];
}

/** A workflow or an action, as far as checks go beyond its schema. An action has a job without an ID, with its steps. */
export interface Workflow {
  readonly kind: "workflow" | "action";
  /** Undefined if it cannot be called. */
  readonly declared: Declared | undefined;
  /** The schedules that it starts by. */
  readonly schedules: readonly Word[];
  readonly events: readonly Word[];
  /** The keys of the workflow and of its jobs. */
  readonly keys: readonly Word[];
  /** The names of the inputs that the workflow takes; undefined if nothing gives it any. */
  readonly inputs: readonly string[] | undefined;
  /** The keys of `workflow_call` that have something in them. */
  readonly ofCalls: readonly Word[];
  /** Defaults of inputs that are started by hand which are no choice of theirs, or no number. */
  readonly wrongDefaults: readonly Word[];
  /** The names of the secrets that its callers pass to it, in upper case. */
  readonly passed: ReadonlySet<string>;
  readonly jobs: readonly Job[];
  /** What expressions outside of jobs name. */
  readonly references: readonly Reference[];
  /** Those that only Gitea takes, where it sets variables. */
  readonly ofGitea: readonly Reference[];
}

/** Makes a workflow of what the library read. Parts that are not what they should be, which it has said, are left out. */
export function workflowOf(root: TemplateToken): Workflow {
  const top = entriesOf(root);
  const jobs = entriesOf(valueAt(root, "jobs"));
  const called = valueAt(root, "on", "workflow_call");
  const events = eventsOf(valueAt(root, "on"));
  return {
    kind: "workflow",
    declared: events.some(({ text }) => text === "workflow_call")
      ? {
          inputs: parametersOf(valueAt(called, "inputs")),
          secrets: parametersOf(valueAt(called, "secrets")),
          outputs: keysIn(valueAt(called, "outputs")).map(lower),
        }
      : undefined,
    schedules: itemsOf(valueAt(root, "on", "schedule")).flatMap((item) => wordOf(valueAt(item, "cron")) ?? []),
    events,
    keys: [...top, ...jobs.flatMap(({ value }) => entriesOf(value))].map(({ key }) => key),
    inputs: inputsOf(valueAt(root, "on")),
    wrongDefaults: entriesOf(valueAt(root, "on", "workflow_dispatch", "inputs")).flatMap(({ value }) =>
      wrongDefault(value),
    ),
    ofCalls: entriesOf(called).flatMap(({ key, value }) => (isMapping(value) ? [key] : [])),
    passed: new Set(keysIn(valueAt(called, "secrets")).map((name) => name.toUpperCase())),
    jobs: jobs.map(({ key, value }) => jobOf(key.text, value)),
    references: top.flatMap(({ key, value }) => (key.text === "jobs" ? [] : allReferences(value))),
    ofGitea: [
      ...contextsAt(root, "env", giteaContexts["workflow-env"]),
      ...jobs.flatMap(({ value }) => contextsAt(value, "env", giteaContexts["job-env"])),
    ],
  };
}

/** Makes a workflow of an action, with the steps of a composite one in a job. */
export function actionOf(root: TemplateToken): Workflow {
  const steps = valueAt(root, "runs", "steps");
  const inputs = parametersOf(valueAt(root, "inputs"));
  const outputs = valueAt(root, "outputs");
  // Programs can set more outputs than the file says.
  const isComposite = steps !== undefined;
  const job: Job = {
    id: "",
    needs: new Set(),
    outputs: undefined,
    matrix: { values: new Map(), isOpen: true, lists: new Set() },
    steps: itemsOf(steps).map(stepOf),
    uses: undefined,
    with: [],
    secrets: [],
    runsOn: undefined,
    references: [
      ...(steps === undefined ? [] : allReferences(steps)),
      ...(outputs === undefined ? [] : allReferences(outputs)),
    ],
    empty: [],
  };
  return {
    kind: "action",
    declared: { inputs, secrets: undefined, outputs: isComposite ? keysIn(outputs).map(lower) : undefined },
    schedules: [],
    events: [],
    keys: [],
    inputs: [...inputs.keys()],
    ofCalls: [],
    wrongDefaults: [],
    passed: new Set(),
    jobs: isComposite ? [job] : [],
    references: [],
    ofGitea: [],
  };
}

function parametersOf(token: TemplateToken | undefined): ReadonlyMap<string, Parameter> {
  return new Map(
    entriesOf(token).map(({ key, value }) => {
      const required = valueAt(value, "required");
      const isRequired = required !== undefined && isScalar(required) && /^(true|y|yes|on)$/i.test(String(required));
      return [lower(key.text), { name: key.text, isRequired: isRequired && valueAt(value, "default") === undefined }];
    }),
  );
}

/** What a value names in some contexts. */
function contextsAt(part: TemplateToken, key: string, contexts: readonly string[]): readonly Reference[] {
  const value = valueAt(part, key);
  const references = value === undefined ? [] : allReferences(value);
  return references.filter(({ context }) => contexts.includes(lower(context)));
}

function jobOf(id: string, job: TemplateToken): Job {
  const secrets = valueAt(job, "secrets");
  return {
    id,
    needs: new Set(textsOf(valueAt(job, "needs")).map(lower)),
    outputs: usesOf(job) === undefined ? keysIn(valueAt(job, "outputs")).map(lower) : undefined,
    matrix: matrixOf(job),
    steps: itemsOf(valueAt(job, "steps")).map(stepOf),
    uses: usesOf(job),
    with: wordsIn(valueAt(job, "with")),
    secrets: secrets !== undefined && isScalar(secrets) ? undefined : wordsIn(secrets),
    runsOn: valueAt(job, "runs-on"),
    empty: entriesOf(job).flatMap(({ key, value }) => {
      const isEmpty = isSequence(value) && value.count === 0;
      return isEmpty && ["runs-on", "steps"].includes(key.text) ? [key] : [];
    }),
    references: allReferences(job),
  };
}

function stepOf(step: TemplateToken): Step {
  return {
    id: wordOf(valueAt(step, "id"))?.text.toLowerCase(),
    uses: usesOf(step),
    path: wordOf(valueAt(step, "with", "path"))?.text,
    with: wordsIn(valueAt(step, "with")),
  };
}

/** The action or workflow that a step or job uses, which an expression can name. */
function usesOf(part: TemplateToken): Word | undefined {
  const token = valueAt(part, "uses");
  return token !== undefined && isScalar(token) ? { text: String(token), at: token.range?.start } : undefined;
}

function matrixOf(job: TemplateToken): Matrix {
  const strategy = valueAt(job, "strategy");
  const matrix = valueAt(job, "strategy", "matrix");
  const values = new Map<string, readonly string[] | undefined>();
  if (strategy === undefined || (isMapping(strategy) && matrix === undefined))
    return { values, isOpen: false, lists: new Set() };
  if (matrix === undefined || !isMapping(matrix)) return { values, isOpen: true, lists: new Set() };
  const lists = entriesOf(matrix).flatMap(({ key, value }) =>
    itemsOf(value).some(isSequence) ? [lower(key.text)] : [],
  );
  const included = valueAt(matrix, "include");
  const add = (key: string, value: readonly string[] | undefined) => {
    const before = values.has(key) ? values.get(key) : [];
    values.set(key, before === undefined || value === undefined ? undefined : [...before, ...value]);
  };
  for (const { key, value } of entriesOf(matrix)) {
    if (key.text !== "include" && key.text !== "exclude") add(lower(key.text), fixedTexts(value));
  }
  for (const item of itemsOf(included)) {
    for (const { key, value } of entriesOf(item)) {
      const fixed = isFixed(value) ? [value.toString()] : undefined;
      add(lower(key.text), fixed);
    }
  }
  return {
    values,
    lists: new Set(lists),
    isOpen: included !== undefined && !(isSequence(included) && itemsOf(included).every(isMapping)),
  };
}

const isFixed = (token: TemplateToken): boolean => isScalar(token) && !token.isExpression;

/** The texts of a list; undefined if they are not all known before the job runs. */
function fixedTexts(token: TemplateToken): string[] | undefined {
  const items = itemsOf(token);
  return isSequence(token) && items.every(isFixed) ? items.map(String) : undefined;
}

/** The inputs of a run that is started by hand, and of a call. */
function inputsOf(on: TemplateToken | undefined): string[] | undefined {
  const given = ["workflow_dispatch", "workflow_call"].filter((event) =>
    eventsOf(on).some(({ text }) => text === event),
  );
  if (given.length === 0) return undefined;
  return given.flatMap((event) => keysIn(valueAt(on, event, "inputs")).map(lower));
}

function wrongDefault(input: TemplateToken): readonly Word[] {
  const [type] = textsOf(valueAt(input, "type"));
  const given = valueAt(input, "default");
  if (given === undefined || !isFixed(given)) return [];
  const options = itemsOf(valueAt(input, "options"));
  const isRight =
    type === "choice"
      ? options.length === 0 || options.some((option) => String(option) === String(given))
      : type !== "number" || (String(given) !== "" && Number.isFinite(Number(String(given))));
  return isRight ? [] : [{ text: String(given), at: given.range?.start }];
}

function eventsOf(on: TemplateToken | undefined): Word[] {
  if (on !== undefined && isMapping(on)) return entriesOf(on).map(({ key }) => key);
  return (on !== undefined && isSequence(on) ? itemsOf(on) : [on]).flatMap((token) => wordOf(token) ?? []);
}

const allReferences = (part: TemplateToken): Reference[] =>
  [...expressionsIn(part)].flatMap((expression) => [...referencesIn(expression)]);

const lower = (text: string) => text.toLowerCase();

function entriesOf(token: TemplateToken | undefined): { readonly key: Word; readonly value: TemplateToken }[] {
  if (token === undefined || !isMapping(token)) return [];
  return [...token].map(({ key, value }) => ({ key: { text: String(key), at: key.range?.start }, value }));
}

const wordsIn = (token: TemplateToken | undefined) => entriesOf(token).map(({ key }) => key);
const keysIn = (token: TemplateToken | undefined) => wordsIn(token).map(({ text }) => text);

/** The value at a path of keys. */
function valueAt(token: TemplateToken | undefined, ...path: readonly string[]): TemplateToken | undefined {
  let found = token;
  for (const name of path) found = entriesOf(found).find(({ key }) => key.text === name)?.value;
  return found;
}

/** The items of a list. */
export function itemsOf(token: TemplateToken | undefined): readonly TemplateToken[] {
  return token !== undefined && isSequence(token) ? [...token] : [];
}

/** A text, or the texts of a list. */
const textsOf = (token: TemplateToken | undefined) =>
  (token !== undefined && isSequence(token) ? itemsOf(token) : [token]).flatMap((one) => wordOf(one)?.text ?? []);

const wordOf = (token: TemplateToken | undefined): Word | undefined =>
  token !== undefined && isString(token) ? { text: token.value, at: token.range?.start } : undefined;
