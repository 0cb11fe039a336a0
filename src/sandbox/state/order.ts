/** A field to sort by, or a function that returns what to sort by. */
type Key<T> = ((one: T) => string | number) | (keyof T & string);

/** Compares records by keys: by the first in which two differ. Texts are compared by code units. */
export const by =
  <T>(...keys: readonly Key<T>[]) =>
  (one: T, other: T): number => {
    const sortedBy = (key: Key<T>, record: T) => (typeof key === "string" ? (record[key] as string) : key(record));
    const key = keys.find((key) => sortedBy(key, one) !== sortedBy(key, other));
    return key === undefined ? 0 : sortedBy(key, one) < sortedBy(key, other) ? -1 : 1;
  };

/** As `by`, but in descending order. */
export const descending =
  <T>(...keys: readonly Key<T>[]) =>
  (one: T, other: T): number =>
    by(...keys)(other, one);

/** Compares names, ignoring case. */
export const byName = by<{ readonly name: string }>(({ name }) => name.toLowerCase());

/** Compares names, then ids. */
export const byNameAndId = by<{ readonly name: string; readonly id: number }>("name", "id");
