import type { ArtifactFile, LogLine, Outcome } from "../state/records/actions.ts";

/** The result of simulated commands: log lines, sleep time in milliseconds, and whether they failed. */
interface SimulatedRun {
  readonly lines: readonly LogLine[];
  readonly sleeps: number;
  readonly failed: boolean;
}

/** The longest sleep of a step, in milliseconds: a year, so that its end is a time. */
const longestSleep = 365 * 86_400_000;

/**
 * Simulates the commands of a step without executing anything. Supports `echo` and `printf` (with redirection),
 * `sleep`, `exit`, `false` and a one-line loop over `seq`. Other commands do nothing. Files are written to `files`.
 */
export function simulate(
  script: string,
  env: ReadonlyMap<string, string>,
  files: Map<string, ArtifactFile>,
): SimulatedRun {
  const lines: LogLine[] = [];
  let sleeps = 0;
  for (const command of script.split("\n").flatMap(expandLoop)) {
    const [, seconds = "0"] = /^sleep (\d*\.?\d+)$/.exec(command) ?? [];
    sleeps = Math.min(sleeps + Number(seconds) * 1000, longestSleep);
    const [, code] = /^exit (\d+)$/.exec(command) ?? (command === "false" ? ["", "1"] : []);
    if (code === "0") break;
    if (code !== undefined)
      return { lines: [...lines, { after: sleeps, text: `exit status ${code}` }], sleeps, failed: true };
    // Runners do not log debug commands.
    const printed = runCommand(command, env, files).filter((text) => !text.startsWith("::debug::"));
    lines.push(...printed.map((text) => ({ after: sleeps, text })));
  }
  return { lines, sleeps, failed: false };
}

/** Runs a command that writes, and returns the lines that it prints. */
function runCommand(command: string, env: ReadonlyMap<string, string>, files: Map<string, ArtifactFile>): string[] {
  const [, verb, argument = "", into, target = ""] =
    /^(echo|printf|:)(?: +("(?:[^"\\]|\\.)*"|'[^']*'|[^>"']*?))?(?: *(>>?) *("[^"]+"|\S+))?$/.exec(command) ?? [];
  if (verb === undefined) return [];
  const given = unquoted(argument, env);
  const text = verb === ":" ? "" : verb === "echo" ? `${given}\n` : escaped(given);
  if (into === undefined || target === "&2") return verb === ":" ? [] : text.replace(/\n$/, "").split("\n");
  const path = unquoted(target, env);
  const before = into === ">>" ? (files.get(path)?.content ?? "") : "";
  files.set(path, { path, content: `${before}${text}` });
  return [];
}

function unquoted(text: string, env: ReadonlyMap<string, string>): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  const inner = text.startsWith('"') ? text.slice(1, -1).replace(/\\(["\\$])/g, "$1") : text.trim();
  return inner.replace(/\$\{?(\w+)\}?/g, (_all, name: string) => env.get(name) ?? "");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\u0007", e: "\u001b", "\\": "\\" };

/** Expands the backslash escapes of printf. */
function escaped(text: string): string {
  return text.replace(/\\(?:([0-7]{3})|(.))/g, (all, octal: string | undefined, letter: string) =>
    octal === undefined ? (escapes[letter] ?? all) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** The commands of a line. A loop over `seq` is expanded, to at most 1000 rounds. */
function expandLoop(line: string): string[] {
  const [, name, from, to, body = ""] = /^\s*for (\w+) in \$\(seq (\d+) (\d+)\); do (.*?);? done$/.exec(line) ?? [];
  if (name === undefined) return [line.trim()];
  const rounds = Math.max(0, Math.min(1000, Number(to) - Number(from) + 1));
  const variable = new RegExp(`\\$\\{?${name}\\}?`, "g");
  return Array.from({ length: rounds }, (_none, at) =>
    body.split(";").map((command) => command.trim().replace(variable, String(Number(from) + at))),
  ).flat();
}

/** The contexts available to expressions: `inputs`, `github`, `matrix`, `env`, `needs`. */
export type Context = Readonly<Record<string, unknown>>;

/** Replaces each `${{ … }}` in a text. Unknown values become empty. */
export function interpolate(text: string, facts: Context): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_all, inner: string) => plain(resolve(inner, facts)));
}

const plain = (value: unknown) => (value === undefined || value === null ? "" : String(value));

function resolve(expression: string, facts: Context): unknown {
  const [, quoted] = /^'(.*)'$/.exec(expression) ?? [];
  if (quoted !== undefined) return quoted;
  if (expression === "true" || expression === "false") return expression === "true";
  return expression.split(".").reduce<unknown>((value, part) => new Map(Object.entries(value ?? {})).get(part), facts);
}

/**
 * Evaluates an `if` condition. Without a status function it is false after a failure. Supports `&&`, `==`, `!=`, `!`
 * and the four status functions.
 */
export function evaluateCondition(condition: unknown, before: readonly Outcome[], facts: Context): boolean {
  const text = plain(condition)
    .trim()
    .replace(/^\$\{\{\s*(.*?)\s*\}\}$/, "$1");
  const results = {
    "success()": before.every((outcome) => outcome === "success"),
    "failure()": before.includes("failure"),
    "always()": true,
    "cancelled()": false,
  };
  const hasStatusFunction = Object.keys(results).some((word) => text.includes(word));
  if (!hasStatusFunction && !results["success()"]) return false;
  return text === "" || text.split("&&").every((part) => isTrue(part.trim(), results, facts));
}

function isTrue(part: string, results: Readonly<Record<string, boolean>>, facts: Context): boolean {
  const known = results[part];
  if (known !== undefined) return known;
  const [, left = "", sign, right = ""] = /^(.*?)\s*(==|!=)\s*(.*)$/.exec(part) ?? [];
  if (sign !== undefined) return (plain(resolve(left, facts)) === plain(resolve(right, facts))) === (sign === "==");
  if (part.startsWith("!")) return !isTrue(part.slice(1).trim(), results, facts);
  return !["", "false", "0"].includes(plain(resolve(part, facts)));
}
