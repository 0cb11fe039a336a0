import { Failure } from "../../failure/failure.ts";
import { type Outcome, outcomes } from "../../failure/outcomes.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import type { Place } from "../../profiles/server.ts";
import { capitalized } from "../../text/format.ts";
import { headMissing, pullName, reopening } from "./pull.ts";
import { type Reason, reason } from "./why-shape.ts";

/** Why a merge is refused: by a fact of `pr why`, or by what the merge asked for. */
export type Refused = Pick<Reason, "message" | "clear"> & { readonly code: Reason["code"] | Outcome };

/** The failure of a merge, with every reason. `said` is what the server says besides. The code is that of the first reason. */
export function refusal(
  name: string,
  reasons: readonly [Refused, ...Refused[]],
  { cause, said }: { readonly cause?: unknown; readonly said?: string | undefined } = {},
): Failure {
  const [{ code, message, clear }] = reasons;
  const lines = reasons.map((one) => `- ${one.message}. ${one.clear}.`);
  const known = reasons.length > 1 ? ["Reasons that it cannot be merged:", ...lines] : [clear];
  const hint = [...known, ...(said ? [`The server says: ${said}`] : [])].filter((line) => line !== "").join("\n");
  return new Failure(outcomeOf(code), `Cannot merge ${name}: ${message}`, { hint: hint || undefined, cause });
}

/** The outcome of the same name, if it is that of a refusal. */
function outcomeOf(code: string): Outcome {
  const isOutcome = (word: string): word is Outcome => Object.hasOwn(outcomes, word);
  if (isOutcome(code) && outcomes[code].exit === "refused") return code;
  return code === "dependencies" ? "blocked" : "not_mergeable";
}

/** Whether there is a reason. */
export function isAny<T>(reasons: readonly T[]): reasons is readonly [T, ...T[]] {
  return reasons.length > 0;
}

/** That it is merged or closed. */
export function* finishedReasons(pull: PullRequest, place: Place): Generator<Reason> {
  if (pull.merged) yield reason("already_merged", "It is already merged", "Nothing is left to do");
  else if (pull.state === "closed") {
    yield reason("closed", "It is closed", reopening(pull, place));
    yield* headReasons(pull, place);
  }
}

/** That the head branch is gone, or its repository. */
export function* headReasons(pull: PullRequest, place: Place): Generator<Reason> {
  const missing = headMissing(pull, place);
  if (missing !== undefined) yield reason("head_missing", capitalized(missing.message), missing.clear);
}

/** That the head is another commit than the expected one. */
export function headChanged(head: string, expected: string): Refused {
  const message = `Its head is ${head.slice(0, 10)}, not ${expected.slice(0, 10)}`;
  return { code: "head_changed", message, clear: "Review the new commits before you merge" };
}

/** Throws if the head branch is gone, or its repository. */
export function requireHead(pull: PullRequest, place: Place): void {
  const reasons = [...headReasons(pull, place)];
  if (isAny(reasons)) throw refusal(pullName(place, pull.number), reasons);
}

/** `a.txt, b.txt and 3 more`. */
export function shortList(files: readonly string[], most = 8): string {
  const more = files.length - most;
  return `${files.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
