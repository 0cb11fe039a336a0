import { Failure, withHint } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { pullGet } from "../../forge/pulls.ts";
import type { PullContext } from "./pull.ts";

/** The failures of a merge that can have more reasons than the one that the server names. */
const explained = new Set(["not_mergeable", "blocked"]);

/**
 * Adds to the failure of a refused merge what `pr why` finds: the server names one reason, and there may be more. Returns
 * other failures unchanged, and this one, too, if nothing more is found.
 */
export async function withReasons(failure: unknown, context: PullContext, number: number): Promise<unknown> {
  if (!(failure instanceof Failure) || !explained.has(failure.code)) return failure;
  const { explainPull } = await import("./why-reasons.ts");
  const found = await call(context.http, pullGet, { repo: context.repo, index: number })
    .then((pull) => explainPull(context, pull))
    .catch((error: unknown) => {
      // The refusal is what matters; what cannot be read adds nothing to it.
      if (error instanceof Failure) return undefined;
      throw error;
    });
  const reasons = found?.reasons ?? [];
  // Without the rules of the base branch little is known.
  if (reasons.some(({ code }) => code === "base_missing")) return failure;
  const [only] = reasons;
  const isSame = only !== undefined && (only.code === failure.code || failure.hint === only.clear);
  if (only === undefined || (reasons.length === 1 && isSame)) return failure;
  const lines = reasons.map(({ message, clear }) => `- ${message}. ${clear}.`);
  return withHint(failure, ["Reasons that it cannot be merged:", ...lines].join("\n"));
}
