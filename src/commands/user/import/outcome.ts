import { type Infer, integer, list, map, optional, record, string, words } from "../../../shape/shape.ts";

/** What is to happen, or has happened, with one line of an import. */
export const outcome = record({
  line: integer,
  username: string,
  /** `unknown`: the account may have been created, and only `--resume` can find out. */
  action: words(
    ...([
      "create",
      "update",
      "unchanged",
      "skip",
      "invalid",
      "created",
      "updated",
      "skipped",
      "failed",
      "unknown",
    ] as const),
  ),
  /** Old and new values by field, as far as they can be read. */
  changes: optional(map(list(string))),
  /** Why. */
  reason: optional(string),
});

export type Outcome = Infer<typeof outcome>;
