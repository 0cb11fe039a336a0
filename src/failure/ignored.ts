import { Failure, type IgnoredField } from "./failure.ts";

/** Where the record has a field that was asked for, if not under its name, or in another form. Null: it is not set. */
export type ReadFields<R> = Readonly<Record<string, (record: R, asked: unknown) => unknown>>;

/**
 * The fields of a write that the server did not apply: those of `asked` whose value is not that of the record that it
 * answered with. Lists are compared as sets of names, without case. Fields that are undefined were not asked for.
 */
export function ignoredFields<R extends object>(asked: object, record: R, read: ReadFields<R> = {}): IgnoredField[] {
  const values = new Map<string, unknown>(Object.entries(record));
  return Object.entries(asked).flatMap(([name, value]: [string, unknown]) => {
    const is = read[name] === undefined ? values.get(name) : read[name](record, value);
    return value === undefined || isSame(value, is) ? [] : [{ name, asked: value, is: is ?? null }];
  });
}

/** The failure for fields that the server did not apply to `what`: it took the write. */
export function ignoredError(
  fields: readonly IgnoredField[],
  what: string,
  hint = "The server does not support them, or not with the other settings.",
): Failure {
  const names = fields.map(({ name }) => name).join(", ");
  return new Failure("ignored", `The server did not apply ${names} to ${what}`, { hint, fields });
}

/** Throws if there are fields that the server did not apply to `what`. Called after the record is printed. */
export function requireApplied(fields: readonly IgnoredField[], what: string, hint?: string): void {
  if (fields.length > 0) throw ignoredError(fields, what, hint);
}

/** The names of an edit without those of ignored fields. */
export function appliedNames(names: readonly string[], ignored: readonly IgnoredField[] = []): string[] {
  return names.filter((name) => !ignored.some((field) => field.name === name));
}

function isSame(asked: unknown, is: unknown): boolean {
  if (!Array.isArray(asked)) return asked === is;
  const key = (items: readonly unknown[]) =>
    items
      .map((item) => String(item).toLowerCase())
      .sort()
      .join("\n");
  return key(asked) === key(Array.isArray(is) ? is : []);
}
