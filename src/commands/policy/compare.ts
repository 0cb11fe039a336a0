import { type IgnoredField, UsageError } from "../../failure/failure.ts";
import { type KindName, kindAt } from "./kinds/index.ts";
import {
  folded,
  type Item,
  isEmpty,
  type Kind,
  listOf,
  sameValue,
  secretField,
  type Value,
  type Values,
} from "./kinds/kind.ts";

/** What a policy changes in one repository. */
export interface Change {
  readonly repository: string;
  readonly kind: KindName;
  /** The name of the item; empty for settings. */
  readonly name: string;
  /**
   * `unchecked`: none of its fields can be compared. `duplicate`: another item with the name of one in the file; only `prune`
   * removes it.
   */
  readonly action: "create" | "update" | "delete" | "unchecked" | "duplicate";
  readonly fields: readonly FieldChange[];
  /** All fields of the file. */
  readonly values: Values;
  /** What exists; undefined if it is created. */
  readonly item: Item | undefined;
  /** The unit that it belongs to, if it is turned off and stays so: `Actions`. */
  readonly off?: string | undefined;
  /** The members of a team that is deleted, if the server shows them. */
  readonly lost?: readonly string[];
}

/** The members whom a change takes out of a team that stays, or that it deletes. */
export function removedMembers({ kind, action, fields, lost = [] }: Change): readonly string[] {
  if (action === "delete") return lost;
  if (kind !== "teams" || action !== "update") return [];
  const members = fields.find(({ field }) => field === "members");
  const kept = new Set(listOf(members?.new).map((name) => name.toLowerCase()));
  return listOf(members?.old).filter((name) => !kept.has(name.toLowerCase()));
}

/** A field that changes. Of a secret, the new value is the name of the environment variable. */
interface FieldChange {
  readonly field: string;
  readonly old?: Value | undefined;
  readonly new: Value;
  /** It cannot be compared: the server does not return it. */
  readonly isUnchecked?: boolean;
}

/** Whether a secret is the one that was applied last. `unknown`: it was not applied from here, or there is no value. */
export type SecretState = "same" | "different" | "unknown";

/** What is compared. */
export interface Comparison {
  readonly repository: string;
  readonly kind: KindName;
  readonly wanted: ReadonlyMap<string, Values>;
  /** The items of which nothing is asked: they are not pruned. */
  readonly left: readonly string[];
  readonly found: readonly Item[];
  readonly prune: boolean;
  /** The state of the secret that the environment variable in `value` has. */
  readonly secretState: (secret: {
    readonly name: string;
    readonly field: string;
    readonly variable: string;
  }) => SecretState;
}

/** The changes that make what exists in a repository as a policy says, in the order of the file. */
export function compare(comparison: Comparison): Change[] {
  const { repository, wanted, left, found, prune } = comparison;
  const kind = kindAt(repository, comparison.kind);
  const base = { repository, kind: comparison.kind };
  const key = (name: string) => folded(kind, name);
  // Names need not be unique: the first item with a name is the one that the file describes.
  const existing = new Map(found.toReversed().map((item) => [key(item.name), item]));
  const changes = [...wanted].flatMap(([name, asked]): Change[] => {
    const item = existing.get(key(name));
    const values = kind.complete?.(asked, item) ?? asked;
    if (item !== undefined) {
      const kept = prune ? values : { ...values, ...keptNames(kind, values, item) };
      return edits(comparison, kind, { name, values: kept, item });
    }
    const missing = kind.required?.find((field) => values[field] === undefined);
    if (missing !== undefined)
      throw new UsageError(
        `${comparison.kind}.${kind.shown?.(name, values) ?? name} has no ${missing} (for ${repository})`,
      );
    const given = Object.entries(values).filter(([, value]) => !isEmpty(value));
    const fields = given.map(([field, value]) => ({ field: secretField(field) ?? field, new: value }));
    return [{ ...base, name, action: "create", fields, values, item: undefined }];
  });
  const named = new Set([...wanted.keys()].map(key));
  const extra = found.filter((item) => named.has(key(item.name)) && existing.get(key(item.name)) !== item);
  const other = { ...base, fields: [], values: {} };
  if (!prune)
    return [...changes, ...extra.map((item) => ({ ...other, name: item.name, action: "duplicate" as const, item }))];
  const kept = new Set(left.map(key));
  const unclaimed = found.filter(
    (item) => item.remove && !kept.has(key(item.name)) && (!named.has(key(item.name)) || extra.includes(item)),
  );
  const removals = unclaimed.map((item): Change => ({ ...other, name: item.name, action: "delete", item }));
  return [...changes, ...removals];
}

/** The lists of names with those that an item has besides, which are kept. */
function keptNames({ keeps = [] }: Kind, values: Values, item: Item): Values {
  const lists = keeps.flatMap((field) => {
    const [wanted, now] = [listOf(values[field]), listOf(item.values[field])];
    if (values[field] === undefined || item.values[field] === undefined) return [];
    const known = new Set(now.map((name) => name.toLowerCase()));
    return [[field, [...now, ...wanted.filter((name) => !known.has(name.toLowerCase()))]] as const];
  });
  return Object.fromEntries(lists);
}

interface Existing {
  readonly name: string;
  readonly values: Values;
  readonly item: Item;
}

/** The change of an item that exists, if it is not as the file says, or that cannot be compared. */
function edits(
  { repository, kind: kindName, secretState }: Comparison,
  kind: Kind,
  { name, values, item }: Existing,
): Change[] {
  const fields = Object.entries(values).flatMap(([key, value]): FieldChange[] => {
    const secret = secretField(key);
    const old = item.values[key];
    if (secret !== undefined) {
      const state = secretState({ name, field: secret, variable: String(value) });
      return state === "same" ? [] : [{ field: secret, new: value, isUnchecked: state === "unknown" }];
    }
    if (old === undefined) return [{ field: key, new: value, isUnchecked: true }];
    return sameIn(kind, key, old, value) ? [] : [{ field: key, old, new: value }];
  });
  if (fields.length === 0) return [];
  const action = fields.every(({ isUnchecked }) => isUnchecked) ? "unchecked" : "update";
  return [{ repository, kind: kindName, name, action, fields, values, item }];
}

function sameIn({ same }: Kind, field: string, old: Value, wanted: Value): boolean {
  return same === undefined ? sameValue(old, wanted) : same(field, old, wanted);
}

/** The fields of the file that a server did not store: it does not have them, or not with the others. */
export function ignoredFields({ repository, kind: name, fields }: Change, stored: Values): IgnoredField[] {
  const kind = kindAt(repository, name);
  return fields.flatMap(({ field, new: value }) => {
    const now = stored[field];
    if (!Object.hasOwn(kind.fields, field)) return [];
    return now !== undefined && sameIn(kind, field, now, value)
      ? []
      : [{ name: field, requested: value, actual: now ?? null }];
  });
}
