/** How many pairs of lines are compared at most: more take seconds. */
const maxPairs = 100_000_000;

/**
 * Where a line of a text is in a later one, as index. Undefined if it was changed, or if that is not certain: each way to keep
 * the most lines (a longest common subsequence) must keep it, and at the same place.
 */
export function lineAfter(before: readonly string[], after: readonly string[], index: number): number | undefined {
  if (before.length * after.length > maxPairs) return undefined;
  const above = commonLengths(before.slice(0, index), after);
  const below = commonLengths(before.slice(index + 1).reverse(), [...after].reverse()).reverse();
  const kept = (at: number) => (after[at] === before[index] ? (above[at] ?? 0) + 1 + (below[at + 1] ?? 0) : -1);
  const without = above.reduce((most, length, at) => Math.max(most, length + (below[at] ?? 0)), 0);
  let [best, found]: [number, number | undefined] = [without, undefined];
  for (let at = 0; at < after.length; at++) {
    const length = kept(at);
    if (length < best || length < 0) continue;
    found = length > best ? at : undefined;
    best = length;
  }
  return found;
}

/** For each length of a start of `other`: how many lines `lines` has in common with it, in order. */
function commonLengths(lines: readonly string[], other: readonly string[]): number[] {
  let row: number[] = new Array(other.length + 1).fill(0);
  for (const line of lines) {
    const next = [0];
    for (let at = 0; at < other.length; at++)
      next.push(other[at] === line ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row;
}
