import { readFileFlag } from "../../../app/input.ts";
import { Literal, parseYaml, type Yaml, type YamlFile } from "../../../app/yaml-file.ts";
import { UsageError } from "../../../failure/failure.ts";
import type { System } from "../../../system/system.ts";
import { nearest } from "../../../text/nearest.ts";

type Path = readonly string[];

/** The most faults of a file that are printed. */
const shown = 50;

/** A file of people, YAML or JSON, whose faults are collected: each with file, line and column. */
export class PeopleFile {
  readonly top: ReadonlyMap<string, Yaml>;
  readonly #faults: { readonly text: string; readonly line: number; readonly column: number }[] = [];
  readonly #name: string;
  readonly #place: YamlFile["place"];

  constructor(name: string, { value, place }: YamlFile, keys: readonly string[]) {
    this.#name = name;
    this.#place = place;
    this.top = this.map(value, [], keys);
  }

  /** The people under `users`: a map by name, or a list of names, with their own settings. */
  users(keys: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, Yaml>> {
    const users = this.top.get("users");
    if (users === undefined) this.fault(["users"], "is missing");
    const found = new Map<string, ReadonlyMap<string, Yaml>>();
    const seen = new Set<string>();
    const isList = Array.isArray(users);
    const entries: (readonly [string | undefined, Yaml | undefined])[] = isList
      ? (users as readonly Yaml[]).map((one) => [this.#nameIn(one), undefined])
      : [...this.map(users, ["users"])];
    for (const [name, value] of entries) {
      if (name === undefined) continue;
      if (seen.has(name.toLowerCase())) this.fault(["users", name], "is listed twice");
      seen.add(name.toLowerCase());
      found.set(name, this.map(value, ["users", name], keys));
    }
    return found;
  }

  /** A name in the list of users. */
  #nameIn(value: Yaml): string | undefined {
    if (typeof value === "string" || (value instanceof Literal && value.value !== null)) return this.text(value, []);
    this.fault(["users"], "has an entry that is no name", [
      "users",
      ...(value instanceof Literal ? [value.source] : []),
    ]);
    return undefined;
  }

  /** A map; an empty value is an empty map. Keys that are not known are faults. */
  map(value: Yaml | undefined, at: Path, keys?: readonly string[]): ReadonlyMap<string, Yaml> {
    const isEmpty = value === undefined || (value instanceof Literal && value.value === null);
    if (!isEmpty && !(value instanceof Map)) this.fault(at, "must be a map");
    const map = value instanceof Map ? value : new Map<string, Yaml>();
    for (const key of map.keys()) {
      if (keys === undefined || keys.includes(key)) continue;
      const near = nearest(key, keys);
      this.fault([...at, key], `is unknown${near.length === 0 ? "" : `; did you mean: ${near.join(", ")}?`}`);
    }
    return map;
  }

  text(value: Yaml | undefined, at: Path): string | undefined {
    if (value === undefined || typeof value === "string") return value;
    if (value instanceof Literal && value.value !== null) return value.source;
    this.fault(at, "must be text");
    return undefined;
  }

  toggle(value: Yaml | undefined, at: Path): boolean | undefined {
    if (value === undefined) return undefined;
    if (value instanceof Literal && typeof value.value === "boolean") return value.value;
    this.fault(at, "must be true or false");
    return undefined;
  }

  texts(value: Yaml | undefined, at: Path): readonly string[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return (value as readonly Yaml[]).flatMap((one) => this.text(one, at) ?? []);
    this.fault(at, "must be a list");
    return [];
  }

  /** Whether something was found wrong. */
  get isFaulty(): boolean {
    return this.#faults.length > 0;
  }

  /** Adds a fault of what is at a path, or of what it is in; `found` is where its place is, if that is another path. */
  fault(at: Path, what: string, found = at): void {
    let place: string | undefined;
    for (let length = found.length; length > 0 && place === undefined; length -= 1)
      place = this.#place(found.slice(0, length));
    const [line = 1, column = 1] = (place ?? "").split(":").slice(-2).map(Number);
    const where = place ?? `${this.#name}:1:1`;
    this.#faults.push({ text: `${where}: ${at.length === 0 ? "the file" : at.join(".")} ${what}`, line, column });
  }

  /** Throws a usage error that lists the faults by their places, if there are any. */
  check(): void {
    const sorted = this.#faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
    const [first, ...more] = sorted.map(({ text }) => text);
    if (first === undefined) return;
    const cut = more.length > shown ? [`and ${more.length - shown} more`] : [];
    const rest = [...more.slice(0, shown), ...cut].join("\n");
    throw new UsageError(first, rest === "" ? "Nothing was changed." : rest);
  }
}

/** Reads a file of people with these keys at its top. */
export async function readPeopleFile(file: string, keys: readonly string[], system: System): Promise<PeopleFile> {
  const name = file === "-" ? "stdin" : file;
  return new PeopleFile(name, await parseYaml(await readFileFlag("FILE", file, system), name), keys);
}
