import { dirname, isAbsolute, join, normalize } from "node:path";
import { CheckedYaml, isNull } from "../../app/checked-yaml.ts";
import { readFileFlag } from "../../app/input.ts";
import { Literal, parseYaml, placeText, type Yaml } from "../../app/yaml-file.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { mismatch } from "../../shape/mismatch.ts";
import type { Shape } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";
import { type KindName, kindIn, type SectionName, sectionKinds } from "./kinds/index.ts";
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
  const { value, find } = await parseYaml(text, name);
  const place = (path: Path) => placeText(name, find(path));
  const reader = new Reader(name, find);
  const { extended, ...own } = reader.policy(value);
  reader.check("See: tongs policy schema");
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

/** Throws a usage error that lists problems, if there are any. */
export function throwProblems([first, ...more]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(first, more.slice(0, 20).join("\n") || undefined);
}

type Path = readonly string[];

const listOfNames = "must be a list of names";

/** Turns YAML into a policy and collects what is wrong. */
class Reader extends CheckedYaml {
  policy(value: Yaml): Omit<Policy, "place"> & { readonly extended: string | undefined } {
    const keys = ["extends", "prune", "defaults", "repositories", "organizations", "users"];
    const top = this.map(value, [], keys);
    // What failed to write it left nothing: that must not pass as a policy that everything matches.
    const parts = keys.filter((key) => key !== "prune");
    if (!parts.some((key) => top.has(key))) this.fault([], `has none of ${parts.join(", ")}`);
    const repositories = this.map(top.get("repositories"), ["repositories"]);
    const defaults = this.#section(top.get("defaults"), ["defaults"]);
    const prune = this.toggle(top.get("prune"), ["prune"]);
    const extended = this.text(top.get("extends"), ["extends"], "must be a file");
    if (extended !== undefined && /^(-|\s*|\w+:\/\/.*)$/s.test(extended)) this.fault(["extends"], "must be a file");
    return {
      extended,
      defaults: [prune === undefined ? defaults : { prune, ...defaults }],
      repositories: [...repositories].map(([pattern, section]) => {
        const at = ["repositories", pattern];
        if (!pattern.includes("/")) this.fault(at, "must be OWNER/NAME or a pattern");
        return [pattern, this.#section(section, at)];
      }),
      owners: (["organizations", "users"] as const).flatMap((of) => {
        const sections = this.map(top.get(of), [of]);
        this.single(sections.keys(), [of]);
        return [...sections].map(([name, section]) => {
          const at = [of, name];
          const what = of === "users" ? "a user" : "an organization";
          if (name.includes("/")) this.fault(at, `must be the name of ${what}`);
          const own = this.#section(section, at, of);
          return { of, name, section: prune === undefined ? own : { prune, ...own } };
        });
      }),
    };
  }

  #section(value: Yaml | undefined, at: Path, of: SectionName = "repositories"): Section {
    const allowed: readonly KindName[] = sectionKinds[of];
    const map = this.map(value, at, ["prune", ...allowed]);
    const kinds = allowed.flatMap((name): [KindName, Claims][] => {
      const claims = map.get(name);
      // A kind without a value, such as one whose items are comments, is not claimed: with prune all would be removed.
      if (claims === undefined || isNull(claims)) return [];
      return [[name, this.#claims(kindIn(of, name), claims, [...at, name])]];
    });
    const prune = this.toggle(map.get("prune"), [...at, "prune"]);
    return { kinds: new Map(kinds), ...(prune === undefined ? {} : { prune }) };
  }

  #claims(kind: Kind, value: Yaml, at: Path): Claims {
    if (kind.form === "fields") return new Map([["", this.#fields(kind, value, at)]]);
    if (kind.form === "names" && Array.isArray(value))
      return new Map(this.texts(value, at, listOfNames).map((name) => [this.#name(kind, name, at), {}]));
    const named = new Map<string, Values | null>();
    const names = new Set<string>();
    const map = this.map(value, at, undefined, kind.form === "names" ? "a list of names" : "a map");
    for (const [name, item] of map) {
      const key = this.#name(kind, name, at);
      if (names.has(folded(kind, key))) this.fault([...at, name], "is listed twice");
      names.add(folded(kind, key));
      named.set(key, isNull(item) ? null : this.#fields(kind, item, [...at, name]));
    }
    return named;
  }

  /** A name in the spelling of the server, after checking it. */
  #name(kind: Kind, name: string, at: Path): string {
    const key = kind.key?.(name) ?? name;
    const wrong = kind.nameProblem?.(key);
    if (wrong !== undefined) this.fault([...at, name], wrong);
    return key;
  }

  #fields(kind: Kind, value: Yaml, at: Path): Values {
    const plain = typeof value === "string" || value instanceof Literal;
    if (plain && kind.short !== undefined) return this.#fields(kind, new Map([[kind.short, value]]), at);
    const found = [...this.map(value, at, Object.keys(kind.fields))].flatMap(([name, item]): [string, Value][] => {
      const shape = Object.hasOwn(kind.fields, name) ? kind.fields[name] : undefined;
      const read = shape && this.#value(shape, item, [...at, name]);
      if (kind.keeps?.includes(name) === true) this.single(listOf(read), [...at, name]);
      return read === undefined ? [] : [[name, read]];
    });
    return this.#normalized(kind, Object.fromEntries(found), at);
  }

  #normalized(kind: Kind, values: Values, at: Path): Values {
    try {
      return kind.normalize === undefined || Object.keys(values).length === 0 ? values : kind.normalize(values);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.fault(at, `: ${error.message}`);
      return values;
    }
  }

  #value(shape: Shape<unknown>, value: Yaml, at: Path): Value | undefined {
    const { type, words } = shape;
    if (type === "list" && Array.isArray(value)) return this.texts(value, at, listOfNames);
    const inner = innerOf(shape);
    if (inner !== undefined && value instanceof Map) return this.#inner(inner, value, at);
    // A number is text as it is spelled: 000000 is a color.
    const isText = type === "string" && value instanceof Literal && !isNull(value);
    const read = isText ? value.source : value instanceof Literal ? value.value : value;
    const isPlain = typeof read === "string" || typeof read === "number" || typeof read === "boolean";
    const fits = mismatch(shape, read) === undefined && (words === undefined || words.includes(String(read)));
    if (isPlain && fits) return read;
    const what = inner === undefined ? type : "map";
    const expected = words === undefined ? `${what === "integer" ? "an" : "a"} ${what}` : `one of ${words.join(", ")}`;
    this.fault(at, `must be ${expected}`);
    return undefined;
  }

  /** The fields of a value. */
  #inner({ of, names }: Inner, value: ReadonlyMap<string, Yaml>, at: Path): Value {
    const found = [...value].flatMap(([name, item]) => {
      const shape = of(name);
      const read = shape === undefined ? this.unknown([...at, name], names) : this.#value(shape, item, [...at, name]);
      return read === undefined || typeof read === "object" ? [] : [[name, read] as const];
    });
    return Object.fromEntries(found);
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
