import { Failure } from "../failure/failure.ts";
import { call } from "../forge/operation.ts";
import { quotaCheck, type Subject } from "../forge/quotas.ts";
import { HttpError, NotFoundError } from "../http/errors.ts";
import type { ServerContext } from "./context.ts";
import { currentUser } from "./shared.ts";

/** Smaller files are sent without asking, in bytes. */
const threshold = 1024 * 1024;

/**
 * Throws if the quota of an owner is used up, before large files are sent in vain. Servers without quotas, and those that do
 * not tell this user, are not known to refuse them.
 */
export async function requireQuota(
  owner: string,
  subject: Subject,
  files: readonly { readonly size: number }[],
  context: ServerContext,
): Promise<void> {
  if (!files.some(({ size }) => size > threshold)) return;
  const { http } = context;
  const unknown = (error: unknown) => {
    if (error instanceof HttpError) return undefined;
    throw error;
  };
  let view = `tongs quota view --org ${owner}`;
  const level = { of: "organization", org: owner } as const;
  const isAllowed = await call(http, quotaCheck, { level, subject }).catch(async (error: unknown) => {
    if (!(error instanceof NotFoundError) || owner.toLowerCase() !== (await currentUser(context)).toLowerCase())
      return unknown(error);
    view = "tongs quota view";
    return call(http, quotaCheck, { level: { of: "user" }, subject }).catch(unknown);
  });
  if (isAllowed !== false) return;
  throw new Failure("quota_exceeded", `The quota of ${owner} is used up (${subject}): nothing was uploaded`, {
    hint: `To see the limits and what uses them, run: ${view}`,
  });
}
