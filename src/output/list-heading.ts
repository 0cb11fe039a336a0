/** What a list has, for the line above it. */
export interface ListSubject {
  /** What its records are, in the singular and the plural: `pull request`, `pull requests`. */
  readonly lists?: readonly [one: string, many: string];
  /** The state that they are in: `open`. */
  readonly state?: string | undefined;
  /** The line for an empty list, in place of `No open pull requests`. */
  readonly none?: string;
  /** Where they are: `mara/harbor`. */
  readonly where?: string;
  /** Whether filters narrow the list. */
  readonly filtered?: boolean;
}

/**
 * The line above a list on a terminal, as gh has it: `Showing 4 of 9 open pull requests in mara/harbor`. An empty list gets
 * what was looked for: `No open pull requests in mara/harbor match your filters`.
 */
export function listHeading(subject: ListSubject, shown: number, total: number | undefined): string {
  const { lists: [one, many] = ["result", "results"], state, none, where, filtered = false } = subject;
  const place = where === undefined ? "" : ` in ${where}`;
  const named = (noun: string) => `${state === undefined ? "" : `${state} `}${noun}${place}`;
  if (shown === 0) return none ?? `No ${named(many)}${filtered ? " match your filters" : ""}`;
  const count = total === undefined || total < shown ? `${shown}` : `${shown} of ${total}`;
  const isOne = shown === 1 && (total ?? 1) <= 1;
  return `Showing ${count} ${named(isOne ? one : many)}${filtered ? ` that ${isOne ? "matches" : "match"} your filters` : ""}`;
}
