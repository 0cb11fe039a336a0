import { basename } from "node:path";
import type { Document, LineCounter } from "yaml";
import { loadYaml, resolveAliases } from "../../../text/yaml.ts";
import { actionFiles } from "./servers.ts";

/** What is at a place of a file: a key, a value that Gitea takes although the schema does not, or a mistake that it does not name. */
export type Oddity =
  | { readonly key: string; readonly event?: string; readonly isBesideUses?: true }
  | { readonly event: string }
  | { readonly value: string }
  | { readonly mistake: string };

/** The keys whose maps can be empty on Gitea. */
const mayBeEmpty = ["concurrency", "defaults", "env", "outputs", "services", "strategy", "with"];

/** Whether the document of a file is an action: it has `runs`, or its name says so, and it has no jobs. */
export async function isAction(name: string, { contents }: Document): Promise<boolean> {
  const { isMap } = await loadYaml();
  if (!isMap(contents) || contents.has("jobs")) return false;
  return contents.has("runs") || (actionFiles.includes(basename(name)) && !contents.has("on"));
}

/** Where the first key is that is a list or a map, such as that of `{{ x }}`. */
export async function keyThatIsNoText(document: Document): Promise<number | undefined> {
  const { isCollection, visit } = await loadYaml();
  let offset: number | undefined;
  visit(document, {
    Pair(_, { key }) {
      if (!isCollection(key)) return undefined;
      offset = key.range?.[0];
      return visit.BREAK;
    },
  });
  return offset;
}

/** Keys of a matrix that are none of its own. */
const notOfMatrix = ["include", "exclude"];

const isEvent = ([on, ...rest]: readonly string[]) => on === "on" && rest.length === 1;
const isMatrix = ([jobs, _job, strategy, ...rest]: readonly string[]) =>
  jobs === "jobs" && strategy === "strategy" && rest.join() === "matrix";

/**
 * Makes a document what the servers read: maps have what `<<` merges into them, keys are text, as in Go,
 * a value of a matrix alone is a list, and `inputs` can be empty. Returns what is odd,
 * by `LINE:COLUMN`. Callers have parsed the text with `parseYamlDocument`, which
 * refuses what cannot be resolved.
 */
export async function adaptDocument(document: Document, lines: LineCounter): Promise<ReadonlyMap<string, Oddity>> {
  const { isMap, isPair, isScalar, visit, YAMLMap: NewMap, YAMLSeq: NewSeq } = await loadYaml();
  const odd = new Map<string, Oddity>();
  const mark = (node: unknown, oddity: Oddity) => {
    const offset = isScalar(node) ? node.range?.[0] : undefined;
    if (offset === undefined) return;
    const { line, col } = lines.linePos(offset);
    odd.set(`${line}:${col}`, oddity);
  };
  visit(document, {
    Pair(_, pair, path) {
      const { key, value } = pair;
      if (!isScalar(key)) return;
      if (typeof key.value !== "string") key.value = key.source ?? "";
      const name = String(key.value);
      const outer = path.flatMap((one) => (isPair(one) && isScalar(one.key) ? [String(one.key.value)] : []));
      const [on, event] = outer;
      const around = path.at(-1);
      const isBesideUses = on === "jobs" && outer.length === 2 && isMap(around) && around.has("uses");
      if (isBesideUses) mark(key, { key: name, isBesideUses });
      else if (on !== "on" || outer.length > 2) mark(key, { key: name });
      else mark(key, event === undefined ? { event: name } : { key: name, event });
      if (isMap(around) && around.has("run") && around.has("uses"))
        mark(key, { mistake: "A step has either run or uses, not both" });
      const isEmpty = isScalar(value) && value.value === null;
      if (isEmpty && name === "inputs" && isEvent(outer)) pair.value = new NewMap();
      else if (isScalar(value) && isMatrix(outer) && !notOfMatrix.includes(name)) {
        if (isEmpty || String(value.value).includes("${{")) return;
        const only = new NewSeq();
        only.items.push(value);
        pair.value = only;
      }
      if (!isEmpty) return;
      const message = `'${name}' must not be empty`;
      mark(value, mayBeEmpty.includes(name) ? { value: message } : { mistake: message });
    },
    Scalar(at, node, path) {
      const { type, value } = node;
      const pairs = path.filter((one) => isPair(one));
      const [only] = pairs;
      if (pairs.length === 1 && at !== "key" && isScalar(only?.key) && only.key.value === "on")
        return mark(node, { event: String(value) });
      const isQuoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
      if (isQuoted && /^(true|false|\d+(\.\d+)?)$/.test(String(value))) {
        mark(node, { value: `${value} must not be in quotes here` });
      }
    },
  });
  await resolveAliases(document, (message) => {
    throw new TypeError(message);
  });
  return odd;
}
