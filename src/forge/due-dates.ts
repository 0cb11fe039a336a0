import { Failure, withHint } from "../failure/failure.ts";

/**
 * Stores a due date on the day that was asked for. Servers take the instant of it and show its day in their own time
 * zone, so from a zone farther west it would be the next one (docs/server-differences.md, "Times"). `stored` is the due
 * date in the response, with the offset of the server; `resend` sends the end of the day there. Returns what the last
 * request returned. When `resend` fails, the failure says that the rest was stored.
 */
export async function onItsDay<T>(
  made: T,
  sent: string | null | undefined,
  stored: string | null | undefined,
  resend: (due: string) => Promise<T>,
): Promise<T> {
  const day = dayOf(sent);
  const zone = /([Zz]|[+-]\d\d:\d\d)$/.exec(stored ?? "")?.[1];
  if (day === undefined || zone === undefined || dayOf(stored) === day) return made;
  try {
    return await resend(`${day}T23:59:59${zone}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw withHint(error, `Everything else was stored, but the due date is ${dayOf(stored)}. To correct it, edit it.`);
  }
}

/** The date in an RFC 3339 time, in the zone that it is written in. */
function dayOf(time: string | null | undefined): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(time ?? "")?.[0];
}
