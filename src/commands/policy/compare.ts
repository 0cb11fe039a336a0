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
   * `unchecked`: fields that cannot be compared, because the server does not return them. `duplicate`: another item with the
   * name of one in the file; only `prune` removes it.
   */
  readonly action: "create" | "update" | "delete" | "unchecked" | "duplicate";
  readonly fields: readonly FieldChange[];
  /** All fields of the file. */
  readonly values: Values;
  /** What exists; undefined if it is created. */
  readonly item: Item | undefined;
  /** The members of a team that is deleted, if the server shows them. */
  readonly lost?: readonly string[];
}

/** A field that changes. Of a secret, the new value is the name of the environment variable. */
interface FieldChange {
  readonly field: string;
  readonly old?: Value | undefined;
  readonly new: Value;
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

/** The change of an item that exists, and its fields that cannot be compared. */
function edits({ repository, kind: kindName, secretState }: Comparison, kind: Kind, { name, values, item }: Existing) {
  const changed: FieldChange[] = [];
  const unchecked: FieldChange[] = [];
  for (const [typed, value] of Object.entries(values)) {
    const secret = secretField(typed);
    const field = secret ?? typed;
    const old = item.values[typed];
    if (secret !== undefined) {
      const state = secretState({ name, field, variable: String(value) });
      if (state === "different") changed.push({ field, new: value });
      else if (state === "unknown") unchecked.push({ field, new: value });
    } else if (old === undefined) unchecked.push({ field, new: value });
    else if (!(kind.same ?? ((_field, one, other) => sameValue(one, other)))(field, old, value)) {
      changed.push({ field, old, new: value });
    }
  }
  const base = { repository, kind: kindName, name, values, item };
  return [
    ...(changed.length === 0 ? [] : [{ ...base, action: "update" as const, fields: changed }]),
    ...(unchecked.length === 0 ? [] : [{ ...base, action: "unchecked" as const, fields: unchecked }]),
  ];
}

/** The fields of the file that a server did not store: it does not have them, or not with the others. */
export function ignoredFields({ repository, kind, fields }: Change, stored: Values): IgnoredField[] {
  const { same = (_field: string, one: Value, other: Value) => sameValue(one, other), fields: shapes } = kindAt(
    repository,
    kind,
  );
  return fields.flatMap(({ field, new: value }) => {
    const now = stored[field];
    if (!Object.hasOwn(shapes, field)) return [];
    return now !== undefined && same(field, now, value) ? [] : [{ name: field, requested: value, actual: now ?? null }];
  });
}
