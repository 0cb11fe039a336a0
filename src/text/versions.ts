/** The parts of a version such as `1.2.3-rc.1+build`: numbers, and the identifiers behind the dash. */
interface Parts {
  readonly numbers: readonly number[];
  readonly before: readonly string[];
}

/** Reads a version (semver.org, 2.0.0), with or without `v` in front; undefined if it is not one. */
function parts(version: string): Parts | undefined {
  const found = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([\w.-]{1,100}))?(?:\+[\w.-]{1,100})?$/.exec(version);
  if (found === null) return undefined;
  const [, major, minor, patch, before] = found;
  return { numbers: [major, minor, patch].map(Number), before: before === undefined ? [] : before.split(".") };
}

/** Whether a text is a version: `1.2.3`, `v1.2.3-rc.1`. */
export function isVersion(text: string): boolean {
  return parts(text) !== undefined;
}

/** Whether version `a` is newer than `b`, by the precedence of semver.org: 1.0.0 is newer than 1.0.0-rc.2. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [parts(a), parts(b)];
  if (left === undefined || right === undefined) return false;
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0;
    if (number !== other) return number > other;
  }
  if (left.before.length === 0 || right.before.length === 0) return left.before.length < right.before.length;
  return isLater(left.before, right.before);
}

function isLater(left: readonly string[], right: readonly string[]): boolean {
  for (const [index, word] of left.entries()) {
    const other = right[index];
    if (other === undefined) return true;
    if (word === other) continue;
    const [number, otherNumber] = [/^\d+$/.test(word), /^\d+$/.test(other)];
    if (number && otherNumber) return Number(word) > Number(other);
    return number === otherNumber ? word > other : otherNumber;
  }
  return false;
}
