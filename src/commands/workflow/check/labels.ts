import { data, Evaluator } from "@actions/expressions";
import { isBasicExpression, isMapping, isSequence, isString } from "@actions/workflow-parser";
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import type { Report } from "./finding.ts";
import type { Known } from "./known.ts";
import { parseExpression } from "./library.ts";
import { expressionsIn, referencesIn } from "./references.ts";
import { didYouMean } from "./rules.ts";
import { itemsOf, type Job, type Matrix, type Workflow } from "./workflow.ts";

/** Finds jobs that no runner takes: a runner must have all labels of `runs-on`. Asks only if a job has labels. */
export async function checkLabels({ jobs }: Workflow, { product, runners }: Known, report: Report): Promise<void> {
  for (const job of jobs) {
    if (job.runsOn === undefined) continue;
    const at = job.runsOn.range?.start;
    if (isList(job.runsOn, job.matrix) && (await product()) === "gitea") {
      const message = `Gitea makes the label 'Array' of the list that runs-on is, so job '${job.id}' waits for ever`;
      report.error("label", at, message);
      continue;
    }
    const sets = labelSets(job.runsOn, job.matrix);
    // An expression with a mistake stays text.
    if (sets?.flat().some((label) => label === "" || label.includes("${{"))) continue;
    if (sets === undefined) {
      report.unchecked("label", at, `The labels of job '${job.id}' are known only when it runs`);
      continue;
    }
    for (const labels of sets) await checkSet(job, labels, { runners, report });
  }
}

async function checkSet(
  { id, runsOn }: Job,
  labels: readonly string[],
  { runners, report }: Pick<Known, "runners"> & { readonly report: Report },
): Promise<void> {
  type Runner = Parameters<Parameters<Known["runners"]>[0]>[0][number];
  const fits = (runner: Runner) => labels.every((label) => runner.labels.includes(label));
  const works = ({ isOnline, isDisabled }: Runner) => isOnline && !isDisabled;
  const { found, unread } = await runners((all) => all.some((runner) => fits(runner) && works(runner)));
  const fitting = found.filter(fits);
  if (fitting.some(works)) return;
  const at = runsOn?.range?.start;
  const listed = labels.map((label) => `'${label}'`).join(", ");
  const words = labels.length === 1 ? `the label ${listed}` : `all of the labels ${listed}`;
  if (unread !== undefined) return report.unchecked("label", at, `Runners with ${words}: ${unread}`, unread);
  if (fitting.length > 0) {
    const why = fitting.some(({ isOnline }) => isOnline) ? "disabled or offline" : "offline";
    return report.warning("label", at, `Only runners that are ${why} have ${words}`);
  }
  const known = [...new Set(found.flatMap((runner) => runner.labels))];
  const [unknown = ""] = labels.filter((label) => !known.includes(label));
  report.error("label", at, `No runner has ${words}, so job '${id}' waits for ever${didYouMean(unknown, known)}`);
}

/** Whether an expression alone makes a list. */
function isList(runsOn: TemplateToken, { lists }: Matrix): boolean {
  if (!isBasicExpression(runsOn)) return false;
  const expressions = [...expressionsIn(runsOn)];
  const references = expressions.flatMap((one) => [...referencesIn(one)]);
  if (references.length === 0) return evaluated(runsOn, undefined) instanceof data.Array;
  return references.some(
    ({ context, name, isAlone }) =>
      isAlone && context.toLowerCase() === "matrix" && typeof name === "string" && lists.has(name.toLowerCase()),
  );
}

/** The labels that jobs of a matrix ask for; undefined if they are not known before the job runs. */
function labelSets(runsOn: TemplateToken, matrix: Matrix): (readonly string[])[] | undefined {
  // The servers take a group as one more label.
  const given = isMapping(runsOn) ? [...runsOn].map(({ value }) => value) : [runsOn];
  const parts = given.flatMap((part) => (isSequence(part) ? itemsOf(part) : [part]));
  if (parts.length === 0) return [];
  const names = new Set<string>();
  const textsWith = (given?: Given) => {
    const all = parts.map((part) => textsOf(part, given));
    return all.includes(undefined) ? undefined : all.flatMap((texts) => texts ?? []);
  };
  for (const reference of parts.flatMap((part) => [...expressionsIn(part)]).flatMap((one) => [...referencesIn(one)])) {
    if (reference.context.toLowerCase() !== "matrix" || typeof reference.name !== "string") return undefined;
    names.add(reference.name.toLowerCase());
  }
  const [name] = names;
  const fixed = textsWith();
  if (name === undefined) return fixed && [fixed];
  const values = matrix.values.get(name);
  // Which values of two keys go together depends on what is included and excluded.
  if (values === undefined || names.size > 1) return undefined;
  const sets = [...new Set(values)].map((value) => textsWith({ name, value }));
  return sets.includes(undefined) ? undefined : sets.flatMap((set) => (set === undefined ? [] : [set]));
}

/** A value of the matrix. */
interface Given {
  readonly name: string;
  readonly value: string;
}

/** The text of a part, or the texts of the list that it is; undefined if that fails. */
function textsOf(part: TemplateToken, given: Given | undefined): string[] | undefined {
  if (isString(part)) return [part.value];
  const result = evaluated(part, given);
  return result && (result instanceof data.Array ? result.values() : [result]).map((one) => one.coerceString());
}

/** What an expression makes; undefined if it fails. */
function evaluated(part: TemplateToken, given: Given | undefined): data.ExpressionData | undefined {
  if (!isBasicExpression(part)) return undefined;
  const matrix = new data.Dictionary();
  if (given !== undefined) matrix.add(given.name, new data.StringData(given.value));
  const context = new data.Dictionary({ key: "matrix", value: matrix });
  // The text around expressions is part of the whole, which is a call of format.
  const tree = parseExpression(part.expression, part.definitionInfo?.allowedContext ?? []);
  if (tree === undefined) return undefined;
  try {
    return new Evaluator(tree, context).evaluate();
  } catch {
    // Such as JSON that is not valid.
    return undefined;
  }
}
