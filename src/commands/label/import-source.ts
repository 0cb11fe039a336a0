import { stat } from "node:fs/promises";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { readFileFlag } from "../../app/input.ts";
import { repositoryOf } from "../../app/shared.ts";
import { Literal, parseYaml, type Yaml } from "../../app/yaml-file.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { labelList, labelSettings, labelTemplateGet, labelTemplateList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { refuseColor, type Settings, withColors } from "../../forge/setting.ts";
import { NotFoundError } from "../../http/errors.ts";
import { present } from "../../shape/shape.ts";
import { fullPath } from "../../system/files.ts";
import { readCsv } from "../../text/csv.ts";
import { nearest } from "../../text/nearest.ts";
import type { SetLabel } from "./import-plan.ts";

type SourceContext = Pick<BaseContext, "profiles" | "system"> & ServerContext;
type Raw = Readonly<Record<string, unknown>>;

interface SourceFlags {
  readonly from: string | undefined;
  readonly format: "json" | "yaml" | "csv" | undefined;
}

/**
 * The labels of another repository, of a file or of a template of the server. Throws a usage error that names the line if
 * a label is not valid or is there twice.
 */
export async function readLabelSet(
  source: string | undefined,
  flags: SourceFlags,
  context: SourceContext,
): Promise<SetLabel[]> {
  if (source === undefined) {
    const repo = repositoryOf(flags.from ?? "", context);
    return checked(await collect(call(context.http, labelList, { level: { of: "repository", repo } })), "Label");
  }
  if (source === "-" || (await isFile(source, context))) {
    const text = await readFileFlag("FILE", source, context.system);
    const isCsv = flags.format === undefined ? /\.csv$/i.test(source) : flags.format === "csv";
    return isCsv ? checked(await csvLabels(text), "Row") : checked(await yamlLabels(text, source), "Label");
  }
  return checked(await templateLabels(source, context), "Label");
}

async function isFile(typed: string, { system }: SourceContext): Promise<boolean> {
  try {
    return !(await stat(fullPath(typed, system))).isDirectory();
  } catch {
    return false;
  }
}

/** A template; an unknown one is an error that lists the known ones. */
async function templateLabels(name: string, { http }: SourceContext): Promise<readonly Raw[]> {
  try {
    return present(await call(http, labelTemplateGet, { name }));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const known = await collect(call(http, labelTemplateList, {}));
    const near = nearest(name, known);
    throw new Failure("not_found", `No file and no label template is named '${name}'`, {
      hint: near.length > 0 ? `Did you mean: ${near.join(", ")}?` : `Label templates: ${known.join(", ")}`,
      cause: error,
    });
  }
}

/** A list in JSON or YAML, or `labels` with one, as in the label templates of servers. */
async function yamlLabels(text: string, source: string): Promise<readonly Raw[]> {
  const { value } = await parseYaml(text, source === "-" ? "stdin" : source);
  const list = value instanceof Map ? value.get("labels") : value;
  const labels = Array.isArray(list) ? list.map(labelOf) : [undefined];
  if (labels.every((label) => label !== undefined)) return labels;
  const hint = source === "-" ? "For CSV on stdin, pass --format csv." : undefined;
  throw new UsageError("The file must be a list of labels in JSON or YAML", hint);
}

/** A number is text as it is spelled: 000000 and 5319e7 are colors. */
function labelOf(label: Yaml): Raw | undefined {
  if (!(label instanceof Map)) return undefined;
  const plain = ([key, value]: readonly [string, Yaml]) => {
    const isText = value instanceof Literal && typeof value.value === "number";
    return [key, isText ? value.source : value instanceof Literal ? (value.value ?? undefined) : value] as const;
  };
  return Object.fromEntries([...label].map(plain));
}

async function csvLabels(text: string): Promise<readonly Raw[]> {
  const records = await readCsv(text);
  const names = records.slice(0, 1).flatMap((row) => ("values" in row ? row.values.map((name) => name.trim()) : []));
  return records.slice(names.length === 0 ? 0 : 1).map((row) => {
    const fault = "error" in row ? row.error : `expected ${names.length} values, found ${row.values.length}`;
    if ("error" in row || row.values.length !== names.length)
      throw new UsageError(`The file is not valid CSV: line ${row.line}: ${fault}`);
    return Object.fromEntries(names.map((name, index) => [name, row.values[index]?.trim()]));
  });
}

/** Checks the labels of a set, and throws a usage error for the first one that is not valid. */
function checked(rows: readonly Raw[], what: string): SetLabel[] {
  const seen = new Set<string>();
  if (rows.length === 0) throw new UsageError("There are no labels to import");
  return rows.map((row, index) => {
    const where = `${what} ${index + 1}`;
    const name = row["name"];
    if (typeof name !== "string" || name.trim() === "") throw new UsageError(`${where} has no name`);
    if (seen.has(name)) throw new UsageError(`${where}: '${name}' is listed twice`);
    seen.add(name);
    if (typeof row["color"] !== "string" || row["color"] === "")
      throw new UsageError(`${where}: '${name}' has no color`);
    const settings = Object.entries<Settings[string]>(labelSettings).flatMap(([key, { shape, isColor }]) => {
      const value = shape.type === "boolean" ? switchOf(row[key], `${where}: ${key}`) : row[key];
      if (value === undefined || (isColor && value === "")) return [];
      if (typeof value === shape.type) return [[key, value]];
      throw new UsageError(`${where}: the ${key} of '${name}' is not a text`);
    });
    const label = { name, ...Object.fromEntries(settings) } as SetLabel;
    return withColors(labelSettings, label, (key, text) => refuseColor(`${where}: the ${key} of '${name}'`, text));
  });
}

/** A switch of JSON, YAML or CSV; undefined for an empty one, which means nothing. */
function switchOf(value: unknown, where: string): boolean | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw new UsageError(`${where} must be true or false`);
}
