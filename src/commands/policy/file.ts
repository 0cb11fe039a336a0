import { dirname, isAbsolute, join, normalize } from "node:path";
import { readFileFlag } from "../../app/input.ts";
import { Literal, parseYaml, type Yaml } from "../../app/yaml-file.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { hookAddress } from "../../http/mask.ts";
import { mismatch } from "../../shape/mismatch.ts";
import type { Shape } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";
import { nearest } from "../../text/nearest.ts";
import { isKindName, type KindName, kindIn, type SectionName, sectionKinds } from "./kinds/index.ts";
import { folded, type Kind, listOf, type Value, type Values } from "./kinds/kind.ts";

/** What a part of a policy says about one kind: items by name, in the spelling of the server. Null: it is named, and nothing is asked of it. */
export type Claims = ReadonlyMap<string, Values | null>;

/** A part of a policy: the defaults, or those of some repositories, of an organization or of a user. */
export interface Section {
  readonly kinds: ReadonlyMap<KindName, Claims>;
  /** Whether what the file does not have is removed, in the kinds that it has. */
  readonly prune?: boolean;
}

/** What a policy says about an organization or a user. */
export interface OwnerSection {
  readonly of: Exclude<SectionName, "repositories">;
  readonly name: string;
  readonly section: Section;
}

/** A policy file, with those that it extends. */
export interface Policy {
  /** For all repositories; later ones override earlier ones. */
  readonly defaults: readonly Section[];
  /** By pattern of OWNER/NAME; later ones override earlier ones. */
  readonly repositories: readonly (readonly [pattern: string, section: Section])[];
  /** What organizations and users have themselves; later ones override earlier ones. */
  readonly owners: readonly OwnerSection[];
  /** The place of a key or name, by its path, or of what it is in: `policy.yml:12:7`. */
  readonly place: (path: readonly string[]) => string | undefined;
}

/**
 * Reads and checks a policy file, and the one that it extends, whose path is relative to it; `by` are the files that extend
 * this one, and `at` is where the last of them says so. Throws a usage error that lists what is wrong.
 */
export async function readPolicy(
  file: string,
  system: System,
  { by, at }: { readonly by: readonly string[]; readonly at: string } = { by: [], at: "FILE" },
): Promise<Policy> {
  const text = await readFileFlag(at, file, system, by.length > 0);
  const name = file === "-" ? "stdin" : file;
  const { value, place } = await parseYaml(text, name);
  const reader = new Reader((path) => place(path) ?? name);
  const { extended, ...own } = reader.policy(value);
  throwProblems(reader.problems, "See: tongs policy schema");
  if (extended === undefined) return { ...own, place };
  const files = [...by, normalize(file)];
  const path = file === "-" || isAbsolute(extended) ? normalize(extended) : join(dirname(file), extended);
  const where = place(["extends"]) ?? name;
  if (files.includes(path)) throw new UsageError(`${where}: ${path} extends itself`);
  const base = await readPolicy(path, system, { by: files, at: where });
  return {
    defaults: [...base.defaults, ...own.defaults],
    repositories: [...base.repositories, ...own.repositories],
    owners: [...base.owners, ...own.owners],
    place: (at) => place(at) ?? base.place(at),
  };
}

/** Throws a usage error that lists problems, if there are any; `help` is the hint for one alone. */
export function throwProblems([first, ...more]: readonly string[], help?: string): void {
  if (first === undefined) return;
  throw new UsageError(first, more.length === 0 ? help : more.slice(0, 20).join("\n"));
}

type Path = readonly string[];

/** Turns YAML into a policy and collects what is wrong. */
class Reader {
  readonly problems: string[] = [];
  readonly #place: (path: Path) => string;

  constructor(place: (path: Path) => string) {
    this.#place = place;
  }

  policy(value: Yaml): Omit<Policy, "place"> & { readonly extended: string | undefined } {
    const top = this.#map(value, []);
    const keys = ["extends", "prune", "defaults", "repositories", "organizations", "users"];
    for (const key of top.keys()) if (!keys.includes(key)) this.#unknown([key], keys);
    // What failed to write it left nothing: that must not pass as a policy that everything matches.
    if (!keys.some((key) => key !== "prune" && top.has(key))) {
      const parts = keys.filter((key) => key !== "prune");
      this.#problem([], ` has none of ${parts.join(", ")}`);
    }
    const repositories = this.#map(top.get("repositories"), ["repositories"]);
    const defaults = this.#section(top.get("defaults"), ["defaults"]);
    const prune = this.#prune(top.get("prune"), ["prune"]);
    const parent = top.get("extends");
    const extended = parent === undefined ? undefined : this.#text(parent, ["extends"], "must be a file");
    if (typeof parent === "string" && /^(-|\s*|\w+:\/\/.*)$/s.test(parent))
      this.#problem(["extends"], " must be a file");
    return {
      extended,
      defaults: [prune === undefined ? defaults : { prune, ...defaults }],
      repositories: [...repositories].map(([pattern, section]) => {
        const at = ["repositories", pattern];
        if (!pattern.includes("/")) this.#problem(at, " must be OWNER/NAME or a pattern");
        return [pattern, this.#section(section, at)];
      }),
      owners: (["organizations", "users"] as const).flatMap((of) => {
        const sections = [...this.#map(top.get(of), [of])];
        this.#single(
          sections.map(([name]) => name),
          [of],
        );
        return sections.map(([name, section]) => {
          const at = [of, name];
          const what = of === "users" ? "a user" : "an organization";
          if (name.includes("/")) this.#problem(at, ` must be the name of ${what}`);
          const own = this.#section(section, at, of);
          return { of, name, section: prune === undefined ? own : { prune, ...own } };
        });
      }),
    };
  }

  #section(value: Yaml | undefined, at: Path, of: SectionName = "repositories"): Section {
    const allowed: readonly KindName[] = sectionKinds[of];
    const found = new Map<KindName, Claims>();
    const map = this.#map(value, at);
    for (const [key, claims] of map) {
      // A kind without a value, such as one whose items are comments, is not claimed: with prune all would be removed.
      const isAllowed = isKindName(key) && allowed.includes(key);
      if (isAllowed && isNull(claims)) continue;
      if (isAllowed) found.set(key, this.#claims(kindIn(of, key), claims, [...at, key]));
      else if (key !== "prune") this.#unknown([...at, key], ["prune", ...allowed]);
    }
    const prune = this.#prune(map.get("prune"), [...at, "prune"]);
    return { kinds: found, ...(prune === undefined ? {} : { prune }) };
  }

  #claims(kind: Kind, value: Yaml, at: Path): Claims {
    if (kind.form === "fields") return new Map([["", this.#fields(kind, value, at)]]);
    if (kind.form === "names" && Array.isArray(value)) {
      const list: readonly Yaml[] = value;
      return new Map(list.map((item) => [this.#name(kind, this.#text(item, at), at), {}]));
    }
    const named = new Map<string, Values | null>();
    const names = new Set<string>();
    for (const [name, item] of this.#map(value, at, kind.form === "names" ? "a list of names" : "a map")) {
      const key = this.#name(kind, name, at);
      if (names.has(folded(kind, key))) this.#problem([...at, name], " is listed twice");
      names.add(folded(kind, key));
      named.set(key, isNull(item) ? null : this.#fields(kind, item, [...at, name]));
    }
    return named;
  }

  /** A name in the spelling of the server, after checking it. */
  #name(kind: Kind, name: string, at: Path): string {
    const key = kind.key?.(name) ?? name;
    const wrong = kind.nameProblem?.(key);
    if (wrong !== undefined) this.#problem([...at, name], ` ${wrong}`);
    return key;
  }

  #fields(kind: Kind, value: Yaml, at: Path): Values {
    const plain = typeof value === "string" || value instanceof Literal;
    if (plain && kind.short !== undefined) return this.#fields(kind, new Map([[kind.short, value]]), at);
    const found: Record<string, Value> = {};
    for (const [name, item] of this.#map(value, at)) {
      const shape = Object.hasOwn(kind.fields, name) ? kind.fields[name] : undefined;
      if (shape === undefined) this.#unknown([...at, name], Object.keys(kind.fields));
      else {
        const read = this.#value(shape, item, [...at, name]);
        if (read !== undefined) found[name] = read;
        if (kind.keeps?.includes(name) === true) this.#single(listOf(read), [...at, name]);
      }
    }
    return this.#normalized(kind, found, at);
  }

  /** Adds a problem for each name that a list or a map has again, in any case. */
  #single(names: readonly string[], at: Path): void {
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name.toLowerCase())) this.#problem([...at, name], " is listed twice");
      seen.add(name.toLowerCase());
    }
  }

  #normalized(kind: Kind, values: Values, at: Path): Values {
    try {
      return kind.normalize === undefined || Object.keys(values).length === 0 ? values : kind.normalize(values);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#problem(at, `: ${error.message}`);
      return values;
    }
  }

  #value(shape: Shape<unknown>, value: Yaml, at: Path): Value | undefined {
    if (shape.type === "list" && Array.isArray(value)) {
      const items: readonly Yaml[] = value;
      return items.map((item) => this.#text(item, at));
    }
    const inner = innerOf(shape);
    if (inner !== undefined && value instanceof Map) return this.#inner(inner, value, at);
    if (typeof value === "string" || (value instanceof Literal && shape.type === "string" && !isNull(value))) {
      const text = typeof value === "string" ? value : value.source;
      const { words } = shape;
      const known = words === undefined || words.includes(text);
      if (shape.type === "string" && known) return text;
      this.#problem(
        at,
        ` must be ${words === undefined ? `a ${inner === undefined ? shape.type : "map"}` : `one of ${words.join(", ")}`}`,
      );
      return undefined;
    }
    const read = value instanceof Literal ? value.value : undefined;
    const fits = (typeof read === "number" || typeof read === "boolean") && mismatch(shape, read) === undefined;
    if (fits) return read;
    const what = inner === undefined ? shape.type : "map";
    this.#problem(at, ` must be ${what === "integer" ? "an" : "a"} ${what}`);
    return undefined;
  }

  /** The fields of a value. */
  #inner({ of, names }: Inner, value: ReadonlyMap<string, Yaml>, at: Path): Value {
    const found = [...value].flatMap(([name, item]) => {
      const shape = of(name);
      const read = shape === undefined ? this.#unknown([...at, name], names) : this.#value(shape, item, [...at, name]);
      return read === undefined || typeof read === "object" ? [] : [[name, read] as const];
    });
    return Object.fromEntries(found);
  }

  #text(value: Yaml, at: Path, otherwise = "must be a list of names"): string {
    if (typeof value === "string") return value;
    if (value instanceof Literal && !isNull(value)) return value.source;
    this.#problem(at, ` ${otherwise}`);
    return "";
  }

  #prune(value: Yaml | undefined, at: Path): boolean | undefined {
    if (value === undefined) return undefined;
    if (value instanceof Literal && typeof value.value === "boolean") return value.value;
    this.#problem(at, ` must be true or false`);
    return undefined;
  }

  #map(value: Yaml | undefined, at: Path, what = "a map"): ReadonlyMap<string, Yaml> {
    if (value instanceof Map) return value;
    if (value !== undefined && !(value instanceof Literal && value.value === null))
      this.#problem(at, ` must be ${what}`);
    return new Map();
  }

  #unknown(at: Path, known: readonly string[]): void {
    const near = nearest(at.at(-1) ?? "", known);
    this.#problem(at, ` is unknown${near.length === 0 ? "" : `; did you mean: ${near.join(", ")}?`}`);
  }

  /** Adds a problem of what is at a path, with its place in the file. */
  #problem(at: Path, what: string): void {
    this.problems.push(
      `${this.#place(at)}: ${at.length === 0 ? "the file" : at.map((part) => hookAddress(part)).join(".")}${what}`,
    );
  }
}

interface Inner {
  readonly of: (name: string) => Shape<unknown> | undefined;
  readonly names: readonly string[];
}

/** The shapes of the fields of a value; undefined for a value without fields. */
function innerOf({ type, fields, item }: Shape<unknown>): Inner | undefined {
  if (type === "map") return { of: () => item, names: [] };
  return (
    fields && { of: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined), names: Object.keys(fields) }
  );
}

function isNull(value: Yaml): boolean {
  return value instanceof Literal && value.value === null;
}
