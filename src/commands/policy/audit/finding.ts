import { UsageError } from "../../../failure/failure.ts";
import { HttpError, RateLimitedError } from "../../../http/errors.ts";
import { type Infer, nullable, record, string, words } from "../../../shape/shape.ts";
import { relative } from "../../../text/format.ts";

/** What is looked for. */
export const checks = [
  "administrator",
  "two-factor",
  "ssh-key",
  "token",
  "public-repository",
  "unprotected-branch",
  "plain-webhook",
  "writable-deploy-key",
  "open-runner",
] as const;
export type Check = (typeof checks)[number];

export const finding = record({
  check: words(...checks),
  /** What it is about: `mara`, `mara/harbor`, `mara: laptop`. */
  subject: string,
  state: words("found", "accepted", "not known"),
  detail: string,
  /** The command that mends it; null if there is none. */
  fix: nullable(string),
});
export type Finding = Infer<typeof finding>;

export function found(check: Check, subject: string, detail: string, fix: string | null): Finding {
  return { check, subject, state: "found", detail, fix };
}

export function notKnown(check: Check, subject: string, detail: string): Finding {
  return { check, subject, state: "not known", detail, fix: null };
}

/** What a check finds; if the server does not say it, or not to the user, that it is not known. */
export async function known(check: Check, subject: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    const isAnswer = error instanceof HttpError || error instanceof UsageError;
    if (!isAnswer || error instanceof RateLimitedError) throw error;
    return [notKnown(check, subject, error.message)];
  }
}

/** How old keys and tokens can be, in milliseconds. */
export interface Ages {
  readonly maxAge: number;
  readonly maxUnused: number;
  readonly now: Date;
}

interface Times {
  readonly created: string | null | undefined;
  readonly used: string | null | undefined;
}

/** The finding for a key or a token that is too old, or unused, or whose times the server does not say. */
export function aged(
  check: Check,
  subject: string,
  { created, used }: Times,
  { maxAge, maxUnused, now }: Ages,
  fix: string,
): Finding[] {
  const age = ageOf(created, now);
  const unused = ageOf(used, now);
  if (unused !== undefined && unused >= maxUnused)
    return [found(check, subject, `last used ${relative(used ?? "", now)}`, fix)];
  if (age === undefined) return [notKnown(check, subject, "the server does not say when it was created")];
  return age < maxAge ? [] : [found(check, subject, `created ${relative(created ?? "", now)}`, fix)];
}

/** The zero time and the epoch mean that there is none. */
function ageOf(time: string | null | undefined, now: Date): number | undefined {
  const at = Date.parse(time ?? "");
  return at > 0 ? now.getTime() - at : undefined;
}
