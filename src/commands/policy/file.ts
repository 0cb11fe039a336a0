import { readFileFlag } from "../../app/input.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { mismatch } from "../../shape/mismatch.ts";
import type { Shape } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";
import { nearest } from "../../text/nearest.ts";
import { isKindName, type KindName, kindNames, kinds } from "./kinds/index.ts";
import type { Kind, Value, Values } from "./kinds/kind.ts";
import { Literal, parseYaml, type Yaml } from "./yaml.ts";

/** What a part of a policy says about one kind: items by name, in the spelling of the server. Null: not claimed after all. */
export type Claims = ReadonlyMap<string, Values | null>;

/** A part of a policy: the defaults, or those of some repositories. */
export interface Section {
  readonly kinds: ReadonlyMap<KindName, Claims>;
  /** Whether what the file does not have is removed, in the kinds that it has. */
  readonly prune?: boolean;
}

/** A policy file. */
export interface Policy {
  readonly defaults: Section;
  /** By pattern of OWNER/NAME; later ones override earlier ones. */
  readonly repositories: readonly (readonly [pattern: string, section: Section])[];
}

/** Reads and checks a policy file. Throws a usage error that lists what is wrong. */
export async function readPolicy(file: string, system: System): Promise<Policy> {
  const text = await readFileFlag("FILE", file, system);
  const name = file === "-" ? "stdin" : file;
  const reader = new Reader();
  const policy = reader.policy(await parseYaml(text, name));
  const [first, ...more] = reader.problems;
  if (first === undefined) return policy;
  const hint = more.length === 0 ? "See: tongs policy schema" : more.slice(0, 20).join("\n");
  throw new UsageError(`${name}: ${first}`, hint);
}

/** Turns YAML into a policy and collects what is wrong. */
class Reader {
  readonly problems: string[] = [];

  policy(value: Yaml): Policy {
    const top = this.#map(value, "the file");
    const keys = ["prune", "defaults", "repositories"];
    for (const key of top.keys()) if (!keys.includes(key)) this.#unknown(key, key, keys);
    const repositories = this.#map(top.get("repositories"), "repositories");
    const defaults = this.#section(top.get("defaults"), "defaults");
    const prune = this.#prune(top.get("prune"), "prune");
    return {
      defaults: prune === undefined ? defaults : { prune, ...defaults },
      repositories: [...repositories].map(([pattern, section]) => {
        if (!pattern.includes("/")) this.problems.push(`repositories.${pattern} must be OWNER/NAME or a pattern`);
        return [pattern, this.#section(section, `repositories.${pattern}`)];
      }),
    };
  }

  #section(value: Yaml | undefined, at: string): Section {
    const found = new Map<KindName, Claims>();
    const map = this.#map(value, at);
    for (const [key, claims] of map) {
      // A kind without a value, such as one whose items are comments, is not claimed: with prune all would be removed.
      if (isKindName(key) && isNull(claims)) continue;
      if (isKindName(key)) found.set(key, this.#claims(kinds[key], claims, `${at}.${key}`));
      else if (key !== "prune") this.#unknown(`${at}.${key}`, key, ["prune", ...kindNames]);
    }
    const prune = this.#prune(map.get("prune"), `${at}.prune`);
    return { kinds: found, ...(prune === undefined ? {} : { prune }) };
  }

  #claims(kind: Kind, value: Yaml, at: string): Claims {
    if (kind.form === "fields") return new Map([["", this.#fields(kind, value, at)]]);
    if (kind.form === "names" && Array.isArray(value)) {
      const list: readonly Yaml[] = value;
      return new Map(list.map((item) => [spelled(kind, this.#text(item, at)), {}]));
    }
    const named = new Map<string, Values | null>();
    for (const [name, item] of this.#map(value, at, kind.form === "names" ? "a list of names" : "a map")) {
      const key = spelled(kind, name);
      if (named.has(key)) this.problems.push(`${at}.${name} is listed twice`);
      named.set(key, isNull(item) ? null : this.#fields(kind, item, `${at}.${name}`));
    }
    return named;
  }

  #fields(kind: Kind, value: Yaml, at: string): Values {
    const plain = typeof value === "string" || value instanceof Literal;
    if (plain && kind.short !== undefined) return this.#fields(kind, new Map([[kind.short, value]]), at);
    const found: Record<string, Value> = {};
    for (const [name, item] of this.#map(value, at)) {
      const shape = Object.hasOwn(kind.fields, name) ? kind.fields[name] : undefined;
      if (shape === undefined) this.#unknown(`${at}.${name}`, name, Object.keys(kind.fields));
      else {
        const read = this.#value(shape, item, `${at}.${name}`);
        if (read !== undefined) found[name] = read;
      }
    }
    return this.#normalized(kind, found, at);
  }

  #normalized(kind: Kind, values: Values, at: string): Values {
    try {
      return kind.normalize === undefined || Object.keys(values).length === 0 ? values : kind.normalize(values);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.problems.push(`${at}: ${error.message}`);
      return values;
    }
  }

  #value(shape: Shape<unknown>, value: Yaml, at: string): Value | undefined {
    if (shape.type === "list" && Array.isArray(value)) {
      const items: readonly Yaml[] = value;
      return items.map((item) => this.#text(item, at));
    }
    if (typeof value === "string" || (value instanceof Literal && shape.type === "string" && !isNull(value))) {
      const text = typeof value === "string" ? value : value.source;
      const { words } = shape;
      const known = words === undefined || words.includes(text);
      if (shape.type === "string" && known) return text;
      this.problems.push(`${at} must be ${words === undefined ? `a ${shape.type}` : `one of ${words.join(", ")}`}`);
      return undefined;
    }
    const read = value instanceof Literal ? value.value : undefined;
    const fits = (typeof read === "number" || typeof read === "boolean") && mismatch(shape, read) === undefined;
    if (fits) return read;
    this.problems.push(`${at} must be ${shape.type === "integer" ? "an" : "a"} ${shape.type}`);
    return undefined;
  }

  #text(value: Yaml, at: string): string {
    if (typeof value === "string") return value;
    if (value instanceof Literal && !isNull(value)) return value.source;
    this.problems.push(`${at} must be a list of names`);
    return "";
  }

  #prune(value: Yaml | undefined, at: string): boolean | undefined {
    if (value === undefined) return undefined;
    if (value instanceof Literal && typeof value.value === "boolean") return value.value;
    this.problems.push(`${at} must be true or false`);
    return undefined;
  }

  #map(value: Yaml | undefined, at: string, what = "a map"): ReadonlyMap<string, Yaml> {
    if (value instanceof Map) return value;
    if (value !== undefined && !(value instanceof Literal && value.value === null))
      this.problems.push(`${at} must be ${what}`);
    return new Map();
  }

  #unknown(at: string, key: string, known: readonly string[]): void {
    const near = nearest(key, known);
    this.problems.push(`${at} is unknown${near.length === 0 ? "" : `; did you mean: ${near.join(", ")}?`}`);
  }
}

function isNull(value: Yaml): boolean {
  return value instanceof Literal && value.value === null;
}

/** A name in the spelling of the server. */
export function spelled(kind: Kind, name: string): string {
  return kind.key === undefined ? name : kind.key(name);
}
