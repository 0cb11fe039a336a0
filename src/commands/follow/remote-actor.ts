import { getElsewhere } from "../../app/get-elsewhere.ts";
import type { GlobalOptions } from "../../command/global-flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { isLoopback } from "../../profiles/server.ts";
import { mismatch } from "../../shape/mismatch.ts";
import { list, optional, record, string } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

const account = record({ links: list(record({ rel: string, type: optional(string), href: optional(string) })) });

/**
 * The address of the actor of a user of another server: what was typed, or for `@USER@HOST` what WebFinger says (RFC 7033).
 * Undefined for a user of this server. Throws if the other server does not know the user.
 */
export async function remoteActor(
  typed: string,
  system: System,
  { timeout = 30 }: Pick<GlobalOptions, "timeout">,
): Promise<string | undefined> {
  if (/^https?:\/\//.test(typed)) return typed;
  if (!typed.startsWith("@")) return undefined;
  const [, user, host] = /^@([^@\s/]+)@([^@\s/?#]+)$/.exec(typed) ?? [];
  if (user === undefined || host === undefined || !URL.canParse(`https://${host}`))
    throw new UsageError(`'${typed}' is not a valid user of another server`, "Use @USER@HOST.");
  const scheme = isLoopback(new URL(`https://${host}`).hostname) ? "http" : "https";
  const resource = encodeURIComponent(`acct:${user}@${host}`);
  const address = new URL(`${scheme}://${host}/.well-known/webfinger?resource=${resource}`);
  const actor = actorIn(await getElsewhere(address, system, timeout * 1000));
  if (actor === undefined) throw new Failure("broken_answer", `${host} does not say the address of ${typed}`);
  return actor;
}

/** The address of the actor in an answer of WebFinger: its link `self`. */
function actorIn(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (mismatch(account, value) !== undefined) return undefined;
  const { links } = value as { readonly links: readonly { readonly rel: string; readonly href?: string }[] };
  const href = links.find(({ rel }) => rel === "self")?.href;
  return href !== undefined && /^https?:\/\//.test(href) && URL.canParse(href) ? href : undefined;
}
