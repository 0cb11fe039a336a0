import type { ArtifactFile, JobPlan, Outcome, StepPlan, Upload } from "../state/records/actions.ts";
import { type Context, evaluateCondition, interpolate, simulate } from "./script.ts";
import { isMapping } from "./workflow-file.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** The default retention of artifacts in days. */
const defaultRetentionDays = 90;

/** Plans the jobs of a workflow, each after the jobs it needs. */
export function planJobs(content: Mapping, facts: Context): JobPlan[] {
  const jobs = isMapping(content["jobs"]) ? content["jobs"] : {};
  const plans = new Map<string, JobPlan[]>();
  const outputs = new Map<string, Outputs>();
  const env = isMapping(content["env"]) ? content["env"] : {};
  const add = (key: string): void => {
    const job = jobs[key];
    if (plans.has(key) || !isMapping(job)) return;
    plans.set(key, []);
    const needs = stringList(job["needs"]);
    for (const need of needs) add(need);
    const before = needs.map((need) => outcomeOf(plans.get(need) ?? []));
    const results = needs.map((need, at) => [need, { result: before[at], outputs: outputs.get(need) }]);
    const known = { ...facts, needs: Object.fromEntries(results) };
    const keep = (given: Outputs) => outputs.set(key, { ...outputs.get(key), ...given });
    const made = matrixOf(job).map((matrix) => jobOf(key, job, before, env, { ...known, matrix }, keep));
    // Matrix jobs are sorted by name.
    plans.set(
      key,
      made.sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
  };
  for (const key of Object.keys(jobs)) add(key);
  return [...plans.values()].flat();
}

type Outputs = Readonly<Record<string, string>>;

const stringList = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined ? [] : [String(one)]));

function outcomeOf(jobs: readonly JobPlan[]): Outcome {
  return (["failure", "skipped"] as const).find((word) => jobs.some(({ outcome }) => outcome === word)) ?? "success";
}

/** All combinations of a job's matrix, or one empty combination without a matrix. */
function matrixOf(job: Mapping): Mapping[] {
  const strategy = isMapping(job["strategy"]) ? job["strategy"] : {};
  const matrix = isMapping(strategy["matrix"]) ? strategy["matrix"] : {};
  let all: Mapping[] = [{}];
  for (const [name, values] of Object.entries(matrix)) {
    if (name === "include" || name === "exclude" || !Array.isArray(values)) continue;
    all = all.flatMap((one) => values.map((value: unknown) => ({ ...one, [name]: value })));
  }
  return all;
}

function jobOf(
  key: string,
  job: Mapping,
  before: readonly Outcome[],
  workflowEnv: Mapping,
  facts: Context & { readonly matrix: Mapping },
  keep: (outputs: Outputs) => void,
): JobPlan {
  const values = Object.values(facts.matrix).map(String);
  const given = job["name"];
  const plain = typeof given === "string" ? interpolate(given, facts) : key;
  const name = plain === given || typeof given !== "string" ? named(plain, values) : plain;
  const labels = stringList(job["runs-on"]).map((label) => interpolate(label, facts));
  const shared = { key, name, needs: stringList(job["needs"]), labels };
  if (!evaluateCondition(job["if"], before, facts)) return { ...shared, steps: [], outcome: "skipped" };
  const env = isMapping(job["env"]) ? { ...workflowEnv, ...job["env"] } : workflowEnv;
  const set: Record<string, { readonly outputs: Outputs }> = {};
  const steps = stepsOf(Array.isArray(job["steps"]) ? job["steps"] : [], env, facts, set);
  const outputs = isMapping(job["outputs"]) ? Object.entries(job["outputs"]) : [];
  keep(
    Object.fromEntries(outputs.map(([name, value]) => [name, interpolate(String(value), { ...facts, steps: set })])),
  );
  return { ...shared, steps, outcome: steps.some(({ outcome }) => outcome === "failure") ? "failure" : "success" };
}

const named = (name: string, values: readonly string[]) =>
  values.length === 0 ? name : `${name} (${values.join(", ")})`;

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
    const [run, uses] = [step["run"], step["uses"]].map((value) => (typeof value === "string" ? value : ""));
    const name = typeof step["name"] === "string" ? step["name"] : `Run ${(run || uses || "").split("\n")[0]}`;
    if (!evaluateCondition(step["if"], results, facts)) return { name, lines: [], sleeps: 0, outcome: "skipped" };
    const given = isMapping(step["env"]) ? { ...jobEnv, ...step["env"] } : jobEnv;
    const env = new Map(Object.entries(given).map(([key, value]) => [key, interpolate(String(value), facts)]));
    env.set("GITHUB_OUTPUT", outputFile);
    const { lines, sleeps, failed } = simulate(interpolate(run ?? "", facts), env, files);
    const outcome = failed ? "failure" : "success";
    results.push(outcome);
    const written = String(files.get(outputFile)?.content ?? "").matchAll(/^([\w-]+)=(.*)$/gm);
    files.delete(outputFile);
    if (typeof step["id"] === "string") {
      set[step["id"]] = { outputs: Object.fromEntries([...written].map(([, name = "", value = ""]) => [name, value])) };
    }
    const upload = /(^|\/)upload-artifact(@|$)/.test(uses ?? "") ? uploadOf(step, files, facts) : undefined;
    return { name, lines, sleeps, outcome, upload };
  });
}

/** The artifact of an `upload-artifact` step: the files at its paths and below. */
function uploadOf(step: Mapping, files: ReadonlyMap<string, ArtifactFile>, facts: Context): Upload {
  const settings = isMapping(step["with"]) ? step["with"] : {};
  const paths = interpolate(String(settings["path"] ?? ""), facts)
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
  const name = interpolate(String(settings["name"] ?? "artifact"), facts);
  return { name, files: taken, days: days > 0 ? days : defaultRetentionDays, generation };
}
