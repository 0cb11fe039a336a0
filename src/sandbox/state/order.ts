/** Compares records by keys: by the first in which two differ. Texts are compared by code units. */
export const by =
  <T>(...keys: readonly ((one: T) => string | number)[]) =>
  (one: T, other: T): number => {
    const key = keys.find((name) => name(one) !== name(other));
    return key === undefined ? 0 : key(one) < key(other) ? -1 : 1;
  };

/** As `by`, but in descending order. */
export const descending =
  <T>(...keys: readonly ((one: T) => string | number)[]) =>
  (one: T, other: T): number =>
    by(...keys)(other, one);

/** Compares names, ignoring case. */
export const byName = by<{ readonly name: string }>(({ name }) => name.toLowerCase());

/** Compares names, then ids. */
export const byNameAndId = by<{ readonly name: string; readonly id: number }>(
  ({ name }) => name,
  ({ id }) => id,
);
