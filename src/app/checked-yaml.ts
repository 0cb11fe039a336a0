import { UsageError } from "../failure/failure.ts";
import { hookAddress } from "../http/mask.ts";
import { nearest } from "../text/nearest.ts";
import { Literal, type Position, type Yaml, type YamlFile } from "./yaml-file.ts";

type Path = readonly string[];

/** The most faults of a file that are printed. */
const shown = 50;

/** A YAML file whose values are read as what they must be. Its faults are collected: each with file, line and column. */
export class CheckedYaml {
  readonly #faults: (Position & { readonly text: string })[] = [];
  readonly #name: string;
  readonly #find: YamlFile["find"];

  constructor(name: string, find: YamlFile["find"]) {
    this.#name = name;
    this.#find = find;
  }

  /** A map; an empty value is an empty map. Keys that are not known are faults. */
  map(value: Yaml | undefined, at: Path, known?: readonly string[], what = "a map"): ReadonlyMap<string, Yaml> {
    if (value !== undefined && !isNull(value) && !(value instanceof Map)) this.fault(at, `must be ${what}`);
    const map = value instanceof Map ? value : new Map<string, Yaml>();
    for (const key of map.keys()) if (known?.includes(key) === false) this.unknown([...at, key], known);
    return map;
  }

  text(value: Yaml | undefined, at: Path, what = "must be text"): string | undefined {
    if (value === undefined || typeof value === "string") return value;
    if (value instanceof Literal && !isNull(value)) return value.source;
    this.fault(at, what);
    return undefined;
  }

  texts(value: Yaml | undefined, at: Path, what = "must be a list"): readonly string[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return (value as readonly Yaml[]).flatMap((one) => this.text(one, at, what) ?? []);
    this.fault(at, what);
    return [];
  }

  toggle(value: Yaml | undefined, at: Path): boolean | undefined {
    if (value === undefined) return undefined;
    if (value instanceof Literal && typeof value.value === "boolean") return value.value;
    this.fault(at, "must be true or false");
    return undefined;
  }

  /** Names that are listed twice, in any case, are faults. */
  single(names: Iterable<string>, at: Path): void {
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name.toLowerCase())) this.fault([...at, name], "is listed twice");
      seen.add(name.toLowerCase());
    }
  }

  unknown(at: Path, known: readonly string[]): void {
    const near = nearest(at.at(-1) ?? "", known);
    this.fault(at, `is unknown${near.length === 0 ? "" : `; did you mean: ${near.join(", ")}?`}`);
  }

  /** Whether something was found wrong. */
  get isFaulty(): boolean {
    return this.#faults.length > 0;
  }

  /**
   * Adds a fault of what is at a path, by the place of that, or of what it is in. `what` goes on after the path, or is a
   * sentence of its own after a colon: `: unknown event 'pushed'`.
   */
  fault(at: Path, what: string): void {
    const lengths = at.map((_, index) => at.length - index);
    const found = lengths.map((length) => this.#find(at.slice(0, length))).find((one) => one !== undefined);
    const { line, column } = found ?? { line: 1, column: 1 };
    const path = at.length === 0 ? "the file" : at.map((part) => hookAddress(part)).join(".");
    const text = `${this.#name}:${line}:${column}: ${path}${what.startsWith(":") ? "" : " "}${what}`;
    this.#faults.push({ text, line, column });
  }

  /** Throws a usage error that lists the faults by their places, if there are any; `hint` is that of a single one. */
  check(hint = "Nothing was changed."): void {
    const sorted = this.#faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
    const [first, ...more] = sorted.map(({ text }) => text);
    if (first === undefined) return;
    const cut = more.length > shown ? [`and ${more.length - shown} more`] : [];
    throw new UsageError(first, [...more.slice(0, shown), ...cut].join("\n") || hint);
  }
}

export function isNull(value: Yaml): boolean {
  return value instanceof Literal && value.value === null;
}
