import { invalidFile } from "./files.ts";

/** What a profile signs in with: an access token, or the session of a sign-in by the browser. */
export type Credential = string | Session;

/** A session of OAuth (RFC 6749): the names are those of the token response. */
export interface Session {
  readonly access_token: string;
  /** When the access token expires, RFC 3339; absent if the server did not say. */
  readonly expires?: string;
  /** When it was obtained, RFC 3339. The clock was set back if that is in the future. */
  readonly obtained?: string;
  /** Obtains the next access token; absent if the server gave none. */
  readonly refresh_token?: string;
  /** The application that was signed in with. */
  readonly client_id: string;
}

/** The access token of a credential. */
export function accessToken(credential: Credential): string {
  return typeof credential === "string" ? credential : credential.access_token;
}

/** Checks the sessions in the content of the credentials file. Throws a `Failure` if they are not valid. */
export function asSessions(stored: Readonly<Record<string, unknown>>, path: string): Readonly<Record<string, Session>> {
  const { sessions = {} } = stored;
  if (typeof sessions !== "object" || sessions === null || !Object.values(sessions).every(isSession)) {
    throw invalidFile(path, "'sessions' is not an object of sessions");
  }
  return sessions as Readonly<Record<string, Session>>;
}

/** Parses a session that was stored as text. Throws a `Failure` if it is not valid. */
export function asSession(text: string, where: string): Session {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below, without the text, which is a secret.
  }
  if (!isSession(value)) throw invalidFile(where, "not a session");
  return value;
}

function isSession(value: unknown): value is Session {
  if (typeof value !== "object" || value === null) return false;
  const { access_token, client_id, refresh_token = "", expires = "", obtained = "" } = value as Record<string, unknown>;
  return [access_token, client_id, refresh_token, expires, obtained].every((part) => typeof part === "string");
}

/** How long before its end an access token is renewed, in milliseconds. */
const margin = 60_000;

/** Whether an access token has expired or is about to, or may have because the clock was set back. */
export function isStale({ expires, obtained }: Session, now: Date): boolean {
  if (expires === undefined) return false;
  const isSetBack = obtained !== undefined && Date.parse(obtained) - now.getTime() > margin;
  return isSetBack || Date.parse(expires) - now.getTime() < margin;
}
