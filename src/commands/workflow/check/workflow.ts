import { isBoolean, isMapping, isScalar, isSequence, isString } from "@actions/workflow-parser";
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import type { Place } from "./finding.ts";
import { expressionsIn, type Reference, referencesIn } from "./references.ts";
import { giteaContexts } from "./servers.ts";

/** A text of a workflow file and its place. */
export interface Word {
  readonly text: string;
  readonly at: Place | undefined;
}

/** The name of an input and its value. */
export interface Given extends Word {
  readonly value: TemplateToken;
}

/** A step of a job. `path` is the input `path`, where an action can put files. */
export interface Step {
  readonly id: string | undefined;
  readonly uses: Word | undefined;
  readonly path: string | undefined;
  readonly with: readonly Given[];
  /** Whether it has an `if`. */
  readonly isConditional: boolean;
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
  /** The `type` of an input. */
  readonly type: string | undefined;
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
  /** The keys beside `include` and `exclude`, and those that `exclude` names: servers compare them letter by letter. */
  readonly keys: readonly string[];
  readonly excluded: readonly Word[];
}

/** A job, or the steps of an action. Names of what expressions refer to are in lower case, because expressions find them in any case. */
export interface Job {
  readonly id: string;
  readonly needs: ReadonlySet<string>;
  /** The names of its outputs; undefined if another workflow says them. */
  readonly outputs: readonly string[] | undefined;
  readonly matrix: Matrix;
  readonly steps: readonly Step[];
  /** The workflow that it calls, and what it gives it; without secrets, it hands on all of its own. */
  readonly uses: Word | undefined;
  readonly with: readonly Given[];
  readonly isConditional: boolean;
  readonly secrets: readonly Word[] | undefined;
  readonly runsOn: TemplateToken | undefined;
  readonly references: readonly Reference[];
  /** Keys whose lists are empty, but must not be. */
  readonly empty: readonly Word[];
}

/** What runs an action, and the files that it names. */
export interface Program {
  /** Undefined if `runs` has none. */
  readonly using: Word | undefined;
  readonly files: ReadonlyMap<string, Word>;
  /** The place of `runs`; undefined without it. */
  readonly at: Word["at"];
}

/** A workflow or an action, as far as checks go beyond its schema. An action has a job without an ID, with its steps. */
export interface Workflow {
  readonly kind: "workflow" | "action";
  /** Undefined of a workflow. */
  readonly program: Program | undefined;
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
  /** Defaults of inputs which are no choice of theirs, or no number. */
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
    program: undefined,
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
    wrongDefaults: ["workflow_dispatch", "workflow_call"].flatMap((event) =>
      entriesOf(valueAt(root, "on", event, "inputs")).flatMap(({ value }) => wrongDefault(value, event)),
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
    matrix: openMatrix,
    steps: itemsOf(steps).map(stepOf),
    uses: undefined,
    with: [],
    isConditional: false,
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
    program: {
      using: wordOf(valueAt(root, "runs", "using")),
      files: new Map(
        ["pre", "main", "post", "image"].flatMap((key) => {
          const file = wordOf(valueAt(root, "runs", key));
          return file === undefined ? [] : [[key, file]];
        }),
      ),
      at: entriesOf(root).find(({ key }) => key.text === "runs")?.key.at,
    },
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
      const [type] = textsOf(valueAt(value, "type"));
      return [
        lower(key.text),
        { name: key.text, type, isRequired: isRequired && valueAt(value, "default") === undefined },
      ];
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
    with: givenIn(valueAt(job, "with")),
    isConditional: valueAt(job, "if") !== undefined,
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
    with: givenIn(valueAt(step, "with")),
    isConditional: valueAt(step, "if") !== undefined,
  };
}

/** The action or workflow that a step or job uses, which an expression can name. */
function usesOf(part: TemplateToken): Word | undefined {
  const token = valueAt(part, "uses");
  return token !== undefined && isScalar(token) ? { text: String(token), at: token.range?.start } : undefined;
}

const openMatrix: Matrix = { values: new Map(), isOpen: true, lists: new Set(), keys: [], excluded: [] };

function matrixOf(job: TemplateToken): Matrix {
  const strategy = valueAt(job, "strategy");
  const matrix = valueAt(job, "strategy", "matrix");
  const values = new Map<string, readonly string[] | undefined>();
  if (strategy === undefined || (isMapping(strategy) && matrix === undefined)) return { ...openMatrix, isOpen: false };
  if (matrix === undefined || !isMapping(matrix)) return openMatrix;
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
    keys: keysIn(matrix).filter((key) => key !== "include" && key !== "exclude"),
    excluded: itemsOf(valueAt(matrix, "exclude")).flatMap(wordsIn),
  };
}

const isFixed = (token: TemplateToken): boolean => isScalar(token) && !token.isExpression;

/** Whether a value can be one of a type of inputs; what is known only when the job runs can. */
export function isOfType(value: TemplateToken, type: string | undefined): boolean {
  if (!isFixed(value)) return true;
  const text = String(value);
  if (type === "number") return text.trim() !== "" && Number.isFinite(Number(text));
  return type !== "boolean" || isBoolean(value);
}

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

/** A default of the wrong type. Who starts a run by hand gives texts; a call hands on what the default is. */
function wrongDefault(input: TemplateToken, event: string): readonly Word[] {
  const [type] = textsOf(valueAt(input, "type"));
  const given = valueAt(input, "default");
  if (given === undefined || !isFixed(given)) return [];
  const options = itemsOf(valueAt(input, "options"));
  const text = String(given);
  const isRight =
    text === "" ||
    (type === "choice"
      ? options.length === 0 || options.some((option) => String(option) === text)
      : isOfType(given, type) || (type === "boolean" && event === "workflow_dispatch" && /^(true|false)$/.test(text)));
  return isRight ? [] : [{ text, at: given.range?.start }];
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

const givenIn = (token: TemplateToken | undefined): Given[] =>
  entriesOf(token).map(({ key: { text, at }, value }) => ({ text, at, value }));
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
