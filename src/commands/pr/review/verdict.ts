import type { BaseContext } from "../../../app/context.ts";
import { toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";

/** What a review says, by its flag. */
export const verdicts = {
  approve: { event: "APPROVED", done: "Approved", name: "Approve", flag: "--approve" },
  requestChanges: {
    event: "REQUEST_CHANGES",
    done: "Requested changes on",
    name: "Request changes",
    flag: "--request-changes",
  },
  comment: { event: "COMMENT", done: "Commented on", name: "Comment", flag: "--comment" },
  pending: { event: "PENDING", done: "Saved a pending review of", name: "Keep it pending", flag: "--pending" },
} as const;

export const verdictFlags = {
  approve: toggle("approve the pull request", { short: "a" }),
  requestChanges: toggle("request changes", { short: "r" }),
  comment: toggle("comment without approving or requesting changes", { short: "c" }),
};

/** Makes a review pending, or continues the pending one. */
export const pendingFlag = toggle("keep the review pending, or add to the pending one: only you see it");

type Key = keyof typeof verdicts;
export type Verdict = (typeof verdicts)[Key];

/** The verdict of the flags, or one that is chosen among them on a terminal. */
export async function chooseVerdict(
  flags: Readonly<Partial<Record<Key, boolean>>>,
  prompt: BaseContext["prompt"],
): Promise<Verdict> {
  const known = (Object.keys(verdicts) as Key[]).filter((key) => flags[key] !== undefined);
  const given = known.find((key) => flags[key]);
  if (given !== undefined) return verdicts[given];
  const choices = known.map((key) => ({ name: verdicts[key].name, value: verdicts[key] }));
  return prompt.select({ message: "What kind of review?", flag: "--approve, --request-changes or --comment", choices });
}

/** Throws a usage error for a verdict that needs a text and has none; a comment can be on lines instead. */
export function requireBody({ event }: Verdict, body: string | undefined, hasComments: boolean): void {
  if (event === "APPROVED" || (event === "COMMENT" && hasComments) || (body ?? "").trim() !== "") return;
  throw new UsageError("--body is required unless you approve");
}
