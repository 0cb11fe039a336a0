import type { Document, LineCounter, Node } from "yaml";
import { loadYaml } from "../../../text/yaml.ts";
import type { Place } from "./finding.ts";
import { giteaNodes } from "./servers.ts";

/** What YAML, or Gitea's reading of it, makes otherwise than it seems. */
export interface Trap {
  readonly at: Place;
  readonly message: string;
  /** Whether only Gitea falls into it. */
  readonly isOfGitea: boolean;
  /** Whether the file runs all the same. */
  readonly isHarmless: boolean;
}

/** An expression alone, in which strings can have braces. */
const onlyExpression = /^\$\{\{(?:[^'}]|'[^']*'|\}(?!\}))*\}\}$/;

/**
 * Characters that Go's YAML library refuses anywhere in a file: what is none of its printable ones, and the mark of the byte
 * order after the start.
 */
const refused = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Finds what the servers refuse or lose without a word. The document still has its aliases and merges. */
export async function findTraps(document: Document, lines: LineCounter, text: string): Promise<readonly Trap[]> {
  const { isMap, isPair, isScalar, visit } = await loadYaml();
  const found: Trap[] = [];
  const add = (offset: number | undefined, message: string, isOfGitea = false, isHarmless = false) => {
    const { line, col } = lines.linePos(offset ?? 0);
    found.push({ at: { line, column: col }, message, isOfGitea, isHarmless });
  };
  const { yaml } = document.directives ?? {};
  if (yaml?.explicit && yaml.version !== "1.1") add(0, `The servers refuse %YAML ${yaml.version}: remove the line`);
  const character = refused.exec(text);
  if (character !== null) {
    const code = (character[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    add(character.index, `The servers refuse the character U+${code}: write it as \\u${code} in double quotes`);
  }
  const keysOf = (path: readonly unknown[]) =>
    path.flatMap((one) => (isPair(one) && isScalar(one.key) ? [String(one.key.value)] : []));
  const isOfCondition = ([top, job, field, ...rest]: readonly string[]) =>
    top === "jobs" ? rest.length === 0 && (field === undefined || field === "steps") : `${top} ${job}` === "runs steps";
  // The job that each anchor is in.
  const anchors = new Map<string, string | undefined>();
  const jobOf = ([jobs, job]: readonly string[]) => (jobs === "jobs" ? job : undefined);
  visit(document, {
    Pair(_, { key, value }, path) {
      if (!isScalar(key) || key.value !== "if") return;
      if ((value as Node | null)?.tag?.startsWith("!"))
        add(key.range?.[0], "YAML takes ! as a tag, and the condition is lost: put it in quotes");
      const text = isScalar(value) ? String(value.value) : "";
      if (!isOfCondition(keysOf(path)) || !/\$\{\{.*\}\}/s.test(text) || onlyExpression.test(text)) return;
      const why = onlyExpression.test(text.trim()) ? "a line break" : "text";
      const instead = why === "text" ? `write all of it in one \${{ }}` : "use >- or one line";
      add(
        key.range?.[0],
        `The condition is always true, because it has ${why} outside of \${{ }}: ${instead}`,
        false,
        true,
      );
    },
    Value(_, { anchor }, path) {
      if (anchor !== undefined) anchors.set(anchor, jobOf(keysOf(path)));
    },
    Alias(_, { source, range }, path) {
      const keys = keysOf(path);
      const [top = "", job, field = "", ...rest] = keys;
      const isDirect = !isMap(path.at(-1)) && isPair(path.at(-1));
      if (top === "on" && keys.length === 2 && isDirect)
        add(range?.[0], `Gitea ignores the file: it reads no alias as the value of an event`, true);
      if (top !== "jobs" || job === undefined) return;
      if (field === "runs-on" && rest.length === 0 && isDirect)
        add(range?.[0], `Gitea reads no alias in runs-on: job '${job}' has no label, and fails`, true);
      const isKept = giteaNodes.job.has(field) || (field === "steps" && giteaNodes.step.has(rest[0] ?? ""));
      if (isKept && anchors.get(source) !== job)
        add(range?.[0], `Gitea ignores the file: the anchor of *${source} is not in job '${job}'`, true);
    },
  });
  return found;
}
