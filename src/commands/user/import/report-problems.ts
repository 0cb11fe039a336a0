import type { System } from "../../../system/system.ts";
import { safeLine } from "../../../text/safe.ts";
import type { Problem } from "./rows.ts";

/** The places that are named of a mistake that many lines have. */
const placesShown = 5;

/** Prints the problems of a file on stderr, in its order: the same mistake on many lines is one line with a count. */
export function reportProblems(problems: readonly Problem[], { stderr }: Pick<System, "stderr">): void {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = mistake(problem.message);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  for (const [key, group] of groups) {
    const lines = group.length <= placesShown ? group.map(oneLine) : [manyLines(key, group)];
    for (const line of lines) stderr.write(`${safeLine(line)}\n`);
  }
}

/** A message without its values, which differ from line to line. */
function mistake(message: string): string {
  return message
    .replace(/'[^']*'/g, "'…'")
    .replace(/^duplicate \S+/, "duplicate …")
    .replace(/\bline \d+/g, "line …")
    .replace(/, not \d+$/, ", not …");
}

function oneLine({ line, username, message }: Problem): string {
  return `line ${line}${username ? ` (${username})` : ""}: ${message}`;
}

function manyLines(message: string, group: readonly Problem[]): string {
  const first = group.slice(0, placesShown).map(({ line, username }) => `${line}${username ? ` (${username})` : ""}`);
  return `${group.length} lines: ${message}: lines ${first.join(", ")} and ${group.length - placesShown} more`;
}
