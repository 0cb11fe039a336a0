import type { Level } from "../../../forge/level.ts";
import type { Operation } from "../../../forge/operation.ts";
import type { Repository } from "../../../forge/repos.ts";
import type { Belonging, Settings } from "../../../forge/setting.ts";
import type { Needed } from "../../../forge/support.ts";
import type { Http } from "../../../http/client.ts";
import { parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { mismatch } from "../../../shape/mismatch.ts";
import type { Shape } from "../../../shape/shape.ts";
import type { System } from "../../../system/system.ts";

type Plain = string | number | boolean;

/** The value of a field in a policy file: also a list of texts, or the fields of what is in it. */
export type Value = Plain | readonly string[] | Readonly<Record<string, Plain>>;

/** The fields of one item, by the names of the API. */
export type Values = Readonly<Record<string, Value>>;

/** Where a policy is read or applied. */
export interface Place {
  readonly http: Http;
  /** Of an organization or a user, one without a name. */
  readonly repo: RepoName;
  readonly level: Extract<Level, { readonly of: "repository" | "organization" }>;
}

/** Whether a place is a repository, `OWNER/NAME`, and no organization or user. */
export function isRepository(place: string): boolean {
  return place.includes("/");
}

/** The place of a repository, or of an organization or a user. */
export function placeOf(http: Http, name: string): Place {
  if (!isRepository(name)) return { http, repo: { owner: name, name: "" }, level: { of: "organization", org: name } };
  const { owner, name: own } = parseRepo(name);
  const repo = { owner, name: own };
  return { http, repo, level: { of: "repository", repo } };
}

/** What exists in a repository. */
export interface Item {
  readonly name: string;
  readonly values: Values;
  /** Of settings, the record of the repository. */
  readonly repository?: Repository;
  /** Its fields that cannot be changed, besides those of its kind. */
  readonly fixed?: readonly string[];
  /** The lists that must not become empty, and why. */
  readonly needed?: Readonly<Record<string, string>>;
  /** Secrets that the server may have and clears on every edit that does not send them. */
  readonly cleared?: readonly string[];
  /**
   * Changes fields; `all` are all fields of the file. Returns the record that the server stored, if it says so. Absent if
   * nothing can be changed.
   */
  readonly update?: (changed: Values, all: Values) => Promise<object | undefined>;
  /** Its members, who are removed with it; undefined if the server does not show them. */
  readonly members?: () => Promise<readonly string[] | undefined>;
  /** Absent if it cannot be removed. */
  readonly remove?: () => Promise<unknown>;
}

/** What a policy names and does not make itself. */
export type Existing = "user" | "team" | "branch" | "quota group";

/** A kind of things that a policy file describes. */
export interface Kind {
  /** One of them, for messages. */
  readonly title: string;
  readonly description: string;
  /** How the file describes them: one set of fields, names with fields, or only names. */
  readonly form: "fields" | "named" | "names";
  readonly fields: Readonly<Record<string, Shape<unknown>>>;
  /** Fields that creating one needs. */
  readonly required?: readonly string[];
  /** The settings with lists of users and teams with access. Servers show them without those who have lost it. */
  readonly lists?: Settings;
  /** The field that a plain value in place of the fields sets. */
  readonly short?: string;
  /** The spelling of names that the server uses. */
  readonly key?: (name: string) => string;
  /** The spelling by which names are compared, if that is not `key`: what is created keeps the spelling of the file. */
  readonly fold?: (name: string) => string;
  /** A name as it is printed, where it can hold a secret; `values` are those that exist, or of the file. */
  readonly shown?: (name: string, values: Values) => string;
  /** Why a name cannot be one: `must be an address`. */
  readonly nameProblem?: (name: string) => string | undefined;
  /** What the names are those of, if it must exist before: nobody can be added who is not there. */
  readonly namesA?: Existing;
  /** What it sends for each change that it can make. */
  readonly sends: Readonly<Partial<Record<"create" | "update" | "delete", Pick<Operation, "undo"> & Needed>>>;
  /** Servers create another one of the same name. */
  readonly repeats?: true;
  /** The fields that cannot be changed once an item exists. */
  readonly fixed?: readonly string[];
  /** The fields that servers ignore while one that they belong to is false, or `clears`: they are false then. */
  readonly without?: readonly Belonging[];
  /** The fields whose values are names of what must exist. */
  readonly refersTo?: Readonly<Record<string, Existing>>;
  /** The lists of names of which what the file does not have is kept, unless it is pruned. */
  readonly keeps?: readonly string[];
  /** Whether only administrators of the server may read it: for others it is not checked. */
  readonly needsAdmin?: true;
  /** The spelling of values that the server uses. Throws a usage error for a value that is not valid. */
  readonly normalize?: (values: Values) => Values;
  /** Values with those that follow from what exists, or from what is new: they are in the plan. */
  readonly complete?: (values: Values, item: Item | undefined) => Values;
  /** Whether two values of a field are the same, where that is not plain equality. */
  readonly same?: (field: string, old: Value, wanted: Value) => boolean;
  /** What exists. `claimed` is what the file says, by name; undefined means that all fields of all items are needed. */
  readonly read: (place: Place, claimed: ReadonlyMap<string, Values> | undefined) => Promise<readonly Item[]>;
  readonly create?: (place: Place, name: string, values: Values) => Promise<object | undefined>;
}

/** The end of the names of fields that name an environment variable with a secret: `secret_env`. */
const suffix = "_env";

/** The field that a `…_env` field sets: `secret`; undefined for other fields. */
export function secretField(field: string): string | undefined {
  return field.endsWith(suffix) ? field.slice(0, -suffix.length) : undefined;
}

/**
 * The value of an environment variable that a policy names. None for MCP tools: their caller chooses where it is sent, and
 * the environment has the token.
 */
export function secretIn(variable: unknown, { env, confine }: Pick<System, "env" | "confine">): string | undefined {
  return confine === undefined ? env[String(variable)] : undefined;
}

/** The fields that are settings of a record, and what the names in them are those of. */
export function fieldsOfSettings(settings: Settings): Pick<Kind, "fields" | "refersTo"> {
  const all = Object.entries(settings);
  return {
    fields: Object.fromEntries(all.map(([name, { shape }]) => [name, shape])),
    refersTo: Object.fromEntries(all.flatMap(([name, { names }]) => (names === undefined ? [] : [[name, names]]))),
  };
}

/** The fields of a record that a policy can describe; a list that is null is empty. */
export function pick(record: object, fields: Readonly<Record<string, Shape<unknown>>>): Values {
  const from: Readonly<Record<string, unknown>> = { ...record };
  const found = Object.entries(fields).flatMap(([name, shape]): [string, Value][] => {
    const value = from[name] === null && shape.type === "list" ? [] : from[name];
    return isValue(value) && mismatch(shape, value) === undefined ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

function isValue(value: unknown): value is Value {
  return ["string", "number", "boolean", "object"].includes(typeof value) && value !== null;
}

/** Whether two values are the same; lists in any order. Of fields, those that are wanted; none are no value at all. */
export function sameValue(old: Value | undefined, wanted: Value): boolean {
  const fields = fieldsIn(wanted);
  if (fields !== undefined) {
    const now = fieldsIn(old) ?? {};
    if (isEmpty(fields)) return isEmpty(now);
    return Object.entries(fields).every(([name, value]) => (now[name] ?? "") === value);
  }
  if (!Array.isArray(wanted) || !Array.isArray(old)) return old === wanted;
  const text = (list: readonly unknown[]) => JSON.stringify(list.map(String).toSorted());
  return text(old) === text(wanted);
}

/** A value as text; the empty text for a list or nothing. */
export function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A value as a list of texts; empty for anything else. */
export function listOf(value: Value | undefined): readonly string[] {
  return isList(value) ? value : [];
}

/** The fields of a value; undefined if it is another one. */
export function fieldsIn(value: Value | undefined): Readonly<Record<string, Plain>> | undefined {
  return typeof value === "object" && !isList(value) ? value : undefined;
}

function isList(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value);
}

/** Whether a value says nothing: a list or fields without any. */
export function isEmpty(value: Value): boolean {
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The spelling by which names of a kind are compared. */
export function folded({ fold, key }: Kind, name: string): string {
  return (fold ?? key)?.(name) ?? name;
}
