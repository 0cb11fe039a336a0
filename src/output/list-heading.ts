/** What a list has, for the line above it. */
export interface ListSubject {
  /** In the plural: `open pull requests`. */
  readonly what?: string;
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
  const { what = "results", none, where, filtered = false } = subject;
  const place = where === undefined ? "" : ` in ${where}`;
  if (shown === 0) {
    if (none !== undefined) return none;
    return filtered ? `No ${what}${place} match your filters` : `No ${what}${place}`;
  }
  const count = total === undefined || total < shown ? `${shown}` : `${shown} of ${total}`;
  const isOne = shown === 1 && (total ?? 1) <= 1;
  const filters = isOne ? " that matches your filters" : " that match your filters";
  return `Showing ${count} ${isOne ? singular(what) : what}${place}${filtered ? filters : ""}`;
}

/** The subject of a list command by its summary: `List the jobs of a workflow run` gives `jobs`. */
export function subjectOf(summary: string): string | undefined {
  const [, what] = /^(?:List|Search for) (?:the |a |all )?([^,]+)/.exec(summary) ?? [];
  return what?.replace(/^(user's|your) /, "").replace(/ (found )?(of|in|on|to|for) (an?|the|all) [\w ]+$/, "");
}

/** The singular of the nouns that lists have. */
function singular(what: string): string {
  return what
    .replace(/ that are /, " that is ")
    .replace(
      /^((?:[\w-]+ )*?[\w-]*?)(branches|statuses|addresses|repositories|s)(?= (?:of|on|for|in|to|that|who) |$)/,
      (_all, before, end) => {
        const ends: Readonly<Record<string, string>> = {
          branches: "branch",
          statuses: "status",
          addresses: "address",
          repositories: "repository",
        };
        return `${before}${ends[String(end)] ?? ""}`;
      },
    );
}
