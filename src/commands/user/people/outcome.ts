import { column } from "../../../output/table.ts";
import { type Infer, optional, record, string, words } from "../../../shape/shape.ts";

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

/** `3 users done, 1 failed`: the people by how they ended. */
export function peopleText(ends: ReadonlyMap<string, number>): string {
  const parts = [...ends].map(([action, count], index) => {
    const noun = count === 1 ? "user" : "users";
    return index === 0 ? `${count} ${noun} ${action}` : `${count} ${action}`;
  });
  return parts.join(", ");
}
