import { parseEnv } from "node:util";
import { UsageError } from "../../failure/failure.ts";
import { nameProblem, type SettingKind } from "../../forge/setting-names.ts";
import type { Http } from "../../http/client.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { givenText, readFileFlag, readStdin } from "../input.ts";

/** A variable or a secret to set. */
export interface Assignment {
  readonly name: string;
  readonly value: string;
}

/** Where the values come from. */
interface Source {
  readonly kind: SettingKind;
  readonly name: string | undefined;
  readonly body: string | undefined;
  readonly bodyFile: string | undefined;
  readonly envFile: string | undefined;
}

/**
 * The variables or secrets that a command line sets: those of `--env-file`, or the one named, with its value from a flag,
 * a file, stdin or a prompt. A final line break is not part of a value. Throws a usage error if a value is missing or empty.
 */
export async function readAssignments(
  { kind, name, body, bodyFile, envFile }: Source,
  { http, system, prompt }: Pick<BaseContext, "system" | "prompt"> & ServerContext,
): Promise<Assignment[]> {
  if (envFile !== undefined) {
    if (name !== undefined) throw new UsageError("Specify either NAME or --env-file");
    const all = envAssignments(await readFileFlag("--env-file", envFile, system), envFile);
    await checkNames(http, kind, ...all.map((one) => one.name));
    return all;
  }
  if (name === undefined) throw new UsageError("NAME or --env-file is required");
  const given = await givenText(system, { text: body, file: bodyFile, flag: "--body-file" });
  const value = given ?? (await askedValue());
  const text = body === undefined ? value.replace(/\r?\n$/, "") : value;
  if (text === "") throw new UsageError(`The value of ${name} is empty, which servers do not accept`);
  await checkNames(http, kind, name);
  return [{ name, value: text }];

  async function askedValue(): Promise<string> {
    if (system.stdin.isTTY !== true) return readStdin(system);
    const question = { message: `Value of ${name}`, flag: "--body-file" };
    const check = (typed: string) => typed !== "" || "The value must not be empty.";
    return kind === "secret"
      ? prompt.password({ ...question, check })
      : prompt.text({ ...question, whole: true, check });
  }
}

/**
 * The assignments of a file in dotenv format, as Node reads it (quotes, values of several lines, comments, `export`).
 * Throws a usage error for a file without assignments, for lines that are none, and for names that differ only in case:
 * servers store upper case.
 */
export function envAssignments(text: string, file: string): Assignment[] {
  const wrong = lineProblems(text);
  // Without the lines: a wrong file can be a private key.
  if (wrong.length > 0)
    throw new UsageError(`${file}: ${wrong.slice(0, 5).join("; ")}${wrong.length > 5 ? "; …" : ""}`);
  const parsed = Object.entries(parseEnv(text));
  const entries = parsed.sort(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) throw new UsageError(`No assignments (NAME=VALUE) in ${file}`);
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const [name, value = ""] of entries) {
    const same = seen.get(name.toUpperCase());
    if (same !== undefined) problems.push(`${same} and ${name} are the same name`);
    seen.set(name.toUpperCase(), name);
    if (value === "") problems.push(`${name} is empty, which servers do not accept`);
  }
  if (problems.length > 0) throw new UsageError(`${file}: ${problems.join("; ")}`);
  return entries.map(([name, value = ""]) => ({ name, value }));
}

/**
 * The lines that Node would skip: those without `=`. A quote that is not closed is a problem, too, and a value that Node
 * would cut.
 */
function lineProblems(text: string): string[] {
  const problems: string[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]?.trim() ?? "";
    if (line === "" || line.startsWith("#")) continue;
    const [, quote, rest = ""] = /^[^=]+=\s*(["'`])?(.*)$/.exec(line) ?? [];
    if (!line.slice(1).includes("=")) problems.push(`line ${at + 1} is not NAME=VALUE`);
    // Node cuts an unquoted value at any #; after a space it begins a comment.
    if (quote === undefined && /^[^#]*[^#\s]#/.test(rest)) {
      problems.push(`line ${at + 1} has a # in its value; quote the value`);
    }
    if (quote === undefined || rest.includes(quote)) continue;
    const end = lines.findIndex((other, index) => index > at && other.includes(quote));
    if (end < 0) problems.push(`line ${at + 1} has no closing ${quote}`);
    else at = end;
  }
  return problems;
}

/** Throws a usage error that lists all names that the server refuses, before anything is sent. */
export async function checkNames(http: Http, kind: SettingKind, ...names: readonly string[]): Promise<void> {
  const found = await Promise.all(names.map(async (name) => ({ name, problem: await nameProblem(http, kind, name) })));
  const problems = found.flatMap(({ name, problem }) => (problem ? [`'${shortened(name)}' ${problem}`] : []));
  if (problems.length === 0) return;
  throw new UsageError(`Invalid ${kind} name${problems.length === 1 ? "" : "s"}: ${problems.join("; ")}`);
}

function shortened(name: string): string {
  return name.length > 40 ? `${name.slice(0, 8)}…` : name;
}
