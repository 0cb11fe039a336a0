import { column } from "../../../output/table.ts";
import { type Infer, optional, record, string, words } from "../../../shape/shape.ts";
import { grouped } from "../../../text/grouped.ts";

/** One step for a person, planned or done. */
export const outcome = record({
  user: string,
  step: string,
  /** What it is about: an issue, a repository, an organization, a key. */
  target: optional(string),
  action: words(...(["plan", "done", "unchanged", "failed", "stopped"] as const)),
  reason: optional(string),
});
export type Outcome = Infer<typeof outcome>;

/** The columns of a table of steps. */
export const outcomeColumns = [
  column<Outcome>("USER", "user"),
  column<Outcome>("STEP", "step"),
  column<Outcome>("TARGET", "target", { cell: ({ target = "" }) => target, flexible: true }),
  column<Outcome>("ACTION", "action"),
  column<Outcome>("DETAILS", "reason", { cell: ({ reason = "" }) => reason, flexible: true, below: "text" }),
];

/** The row of a step that was not taken. */
export function outcomeRow(row: Outcome, action: Outcome["action"], reason = row.reason): Outcome {
  return { ...row, action, ...(reason === undefined ? {} : { reason }) };
}

/** `3 users onboarded, 1 failed`: the users by the result of all their steps. */
export function peopleText(rows: readonly Outcome[], done: string): string {
  const resultOf = (own: readonly Outcome[]) => {
    const has = new Set(own.map(({ action }) => action));
    return has.has("failed") ? "failed" : has.has("done") ? done : has.has("stopped") ? "stopped" : "unchanged";
  };
  const users = grouped(rows, ({ user }) => user).values();
  const parts = [...grouped(users, resultOf)].map(([result, { length: count }], index) => {
    return index > 0 ? `${count} ${result}` : `${count} ${count === 1 ? "user" : "users"} ${result}`;
  });
  return parts.join(", ");
}
