import type { ArtifactFile, JobPlan, Outcome, StepPlan, Upload } from "../state/records/actions.ts";
import { type Context, evaluateCondition, interpolate, simulate } from "./script.ts";
import { isMapping } from "./workflow-file.ts";

type Mapping = Readonly<Record<string, unknown>>;
type Outputs = Readonly<Record<string, string>>;

const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {});
const texts = (value: unknown): string[] => [value].flat().flatMap((one) => (one === undefined ? [] : [String(one)]));

/** Plans the jobs of a workflow, each after the jobs it needs. */
export function planJobs(content: Mapping, facts: Context): JobPlan[] {
  const jobs = mapping(content["jobs"]);
  const plans = new Map<string, readonly JobPlan[]>();
  const outputs = new Map<string, Outputs>();
  const add = (key: string): void => {
    const job = jobs[key];
    if (plans.has(key) || !isMapping(job)) return;
    plans.set(key, []);
    const needs = texts(job["needs"]);
    for (const need of needs) add(need);
    const before = needs.map((need) => outcomeOf(plans.get(need) ?? []));
    const results = needs.map((need, at) => [need, { result: before[at], outputs: outputs.get(need) }]);
    const made = matrixOf(job).map((matrix) => {
      const context = { ...facts, needs: Object.fromEntries(results), matrix };
      const { plan, given } = jobOf(key, job, before, mapping(content["env"]), context);
      outputs.set(key, { ...outputs.get(key), ...given });
      return plan;
    });
    // Matrix jobs are sorted by name.
    plans.set(
      key,
      made.sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
  };
  for (const key of Object.keys(jobs)) add(key);
  return [...plans.values()].flat();
}

function outcomeOf(all: readonly { readonly outcome: Outcome }[]): Outcome {
  return (["failure", "skipped"] as const).find((word) => all.some(({ outcome }) => outcome === word)) ?? "success";
}

/** All combinations of a job's matrix, or one empty combination without a matrix. */
function matrixOf(job: Mapping): Mapping[] {
  let all: Mapping[] = [{}];
  for (const [name, values] of Object.entries(mapping(mapping(job["strategy"])["matrix"]))) {
    if (name === "include" || name === "exclude" || !Array.isArray(values)) continue;
    all = all.flatMap((one) => values.map((value: unknown) => ({ ...one, [name]: value })));
  }
  return all;
}

/** A job, and its outputs. */
function jobOf(
  key: string,
  job: Mapping,
  before: readonly Outcome[],
  workflowEnv: Mapping,
  facts: Context & { readonly matrix: Mapping },
): { readonly plan: JobPlan; readonly given: Outputs } {
  const values = Object.values(facts.matrix).map(String).join(", ");
  const title = typeof job["name"] === "string" ? job["name"] : key;
  const plain = interpolate(title, facts);
  const name = plain === title && values !== "" ? `${plain} (${values})` : plain;
  const labels = texts(job["runs-on"]).map((label) => interpolate(label, facts));
  const shared = { key, name, needs: texts(job["needs"]), labels };
  if (!evaluateCondition(job["if"], before, facts))
    return { plan: { ...shared, steps: [], outcome: "skipped" }, given: {} };
  const set: Record<string, { readonly outputs: Outputs }> = {};
  const steps = stepsOf([job["steps"] ?? []].flat(), { ...workflowEnv, ...mapping(job["env"]) }, facts, set);
  const given = Object.entries(mapping(job["outputs"])).map(
    ([output, value]) => [output, interpolate(String(value), { ...facts, steps: set })] as const,
  );
  const outcome = steps.some((step) => step.outcome === "failure") ? "failure" : "success";
  return { plan: { ...shared, steps, outcome }, given: Object.fromEntries(given) };
}

/** The file in which a step sets its outputs. */
const outputFile = ".output";

function stepsOf(
  steps: readonly unknown[],
  jobEnv: Mapping,
  before: Context,
  set: Record<string, { readonly outputs: Outputs }>,
): StepPlan[] {
  const files = new Map<string, ArtifactFile>();
  const results: Outcome[] = [];
  return steps.filter(isMapping).map((step): StepPlan => {
    const facts = { ...before, steps: set };
    const text = (key: string) => (typeof step[key] === "string" ? step[key] : "");
    const name = text("name") || `Run ${(text("run") || text("uses")).split("\n")[0]}`;
    if (!evaluateCondition(step["if"], results, facts)) return { name, lines: [], sleeps: 0, outcome: "skipped" };
    const given = Object.entries({ ...jobEnv, ...mapping(step["env"]) });
    const env = new Map(given.map(([key, value]) => [key, interpolate(String(value), facts)]));
    env.set("GITHUB_OUTPUT", outputFile);
    const { lines, sleeps, failed } = simulate(interpolate(text("run"), facts), env, files);
    const outcome = failed ? "failure" : "success";
    results.push(outcome);
    const written = (files.get(outputFile)?.content ?? "").matchAll(/^([\w-]+)=(.*)$/gm);
    files.delete(outputFile);
    set[text("id")] = { outputs: Object.fromEntries([...written].map(([, key = "", value = ""]) => [key, value])) };
    const upload = /(^|\/)upload-artifact(@|$)/.test(text("uses")) ? uploadOf(step, files, facts) : undefined;
    return { name, lines, sleeps, outcome, upload };
  });
}

/** The artifact of an `upload-artifact` step: the files at its paths and below. */
function uploadOf(step: Mapping, files: ReadonlyMap<string, ArtifactFile>, facts: Context): Upload {
  const settings = mapping(step["with"]);
  const text = (key: string, otherwise: string) => interpolate(String(settings[key] ?? otherwise), facts);
  const paths = text("path", "")
    .split("\n")
    .map((path) => path.trim().replace(/\/$/, ""));
  const taken = [...files.values()].flatMap((file) => {
    const from = paths.find((path) => file.path === path || file.path.startsWith(`${path}/`));
    if (from === undefined) return [];
    const path = file.path === from ? (from.split("/").at(-1) ?? from) : file.path.slice(from.length + 1);
    return [{ ...file, path }];
  });
  const days = Number(settings["retention-days"] ?? 0);
  const generation = /@v[123]\b/.test(String(step["uses"])) ? 3 : 4;
  // Artifacts are kept for 90 days by default.
  return { name: text("name", "artifact"), files: taken, days: days > 0 ? days : 90, generation };
}
