import { parse } from "yaml";
import { branchPattern } from "../../text/glob.ts";
import { entriesOf, readBlob } from "../git/trees.ts";
import type { RepoAt } from "../site.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** A workflow file of a commit. */
export interface WorkflowFile {
  /** The file name, which is the workflow id. */
  readonly file: string;
  readonly path: string;
  readonly name: string;
  /** Undefined if the file is not a valid workflow. */
  readonly content: Mapping | undefined;
}

/** Whether a YAML value is a mapping. */
export const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The workflow files of a commit, sorted by name, from the first of the two folders that has any. */
export async function workflowsAt(at: RepoAt, commit: string): Promise<WorkflowFile[]> {
  for (const folder of [".gitea/workflows", ".github/workflows"]) {
    const entries = (await entriesOf(at, commit, folder)).filter(
      ({ name, type }) => type === "file" && /\.ya?ml$/.test(name),
    );
    if (entries.length === 0) continue;
    return Promise.all(
      entries.map(async ({ name: file, path, sha }) => {
        const content = parseWorkflow((await readBlob(at, sha)).toString("utf8"));
        const name = content?.["name"];
        return { file, path, content, name: typeof name === "string" ? name : file };
      }),
    );
  }
  return [];
}

function parseWorkflow(text: string): Mapping | undefined {
  try {
    const content: unknown = parse(text);
    return isMapping(content) && isMapping(content["jobs"]) ? content : undefined;
  } catch {
    // An invalid file is listed, but cannot be dispatched.
    return undefined;
  }
}

/** The settings of an event that triggers the workflow, or undefined if it does not. */
export function triggerOf({ content }: WorkflowFile, event: string): Mapping | undefined {
  const on = content?.["on"];
  if (isMapping(on)) return event in on ? (isMapping(on[event]) ? on[event] : {}) : undefined;
  return [on].flat().includes(event) ? {} : undefined;
}

/** Whether a push to a ref triggers the workflow. Branch and tag filters apply to their own kind of ref. */
export function startsOnPush(file: WorkflowFile, ref: string): boolean {
  const trigger = triggerOf(file, "push");
  if (trigger === undefined) return false;
  const [, kind, name = ""] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  if (kind === undefined) return false;
  const [mine, others] = kind === "heads" ? ["branches", "tags"] : ["tags", "branches"];
  const isOthers = trigger[others] !== undefined || trigger[`${others}-ignore`] !== undefined;
  return isSelected(trigger, mine, name) ?? !isOthers;
}

/** Whether an action on a pull request into a base branch triggers the workflow. */
export function startsOnPull(file: WorkflowFile, action: PullAction, base: string): boolean {
  const trigger = triggerOf(file, "pull_request");
  if (trigger === undefined) return false;
  const { types = ["opened", "reopened", "synchronize"] } = trigger;
  return [types].flat().includes(action) && (isSelected(trigger, "branches", base) ?? true);
}

/** Whether a filter of a trigger selects a name; undefined if it has none. */
function isSelected(trigger: Mapping, filter: string, name: string): boolean | undefined {
  const [wanted, ignored] = [trigger[filter], trigger[`${filter}-ignore`]];
  if (ignored !== undefined) return !matchesAny([ignored].flat(), name);
  return wanted === undefined ? undefined : matchesAny([wanted].flat(), name);
}

/** An action on a pull request that can trigger runs. */
export type PullAction = "opened" | "reopened" | "synchronize";

const matchesAny = (patterns: readonly unknown[], name: string) =>
  patterns.some((pattern) => typeof pattern === "string" && branchPattern(pattern)(name));
