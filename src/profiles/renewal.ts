import { Failure } from "../failure/failure.ts";
import type { CredentialStore } from "./credentials.ts";
import { lockFolder, type Settings } from "./files.ts";
import type { Provider } from "./oauth.ts";
import { accessToken, isStale, type Session } from "./session.ts";

/** What the renewal of a session needs. */
export interface RenewalNeeds {
  /** The name of the profile. */
  readonly profile: string;
  readonly host: string;
  readonly settings: Settings;
  readonly credentials: CredentialStore;
  readonly now: () => Date;
  /** Ends the wait for another process that renews a session. */
  readonly signal?: AbortSignal | undefined;
  /** Opens the provider of the server for an application. */
  readonly provider: (clientId: string) => Provider;
}

/**
 * Renews the session of a profile and returns the access token. One process at a time does it, since servers accept a
 * refresh token once: the others find the new session when it is their turn. The new session is stored before it is used. A
 * session that is not stale is renewed only with `force`. Throws a `Failure` with exit 4 if the session cannot be renewed.
 */
export async function renewSession(needs: RenewalNeeds, force = false): Promise<string | undefined> {
  const { profile, host, settings, credentials, now } = needs;
  const before = await credentials.get(profile);
  const { renewed } = await import("./oauth.ts");
  const unlock = await lockFolder({ ...settings, signal: needs.signal }, "sessions");
  try {
    const stored = await credentials.get(profile);
    if (stored === undefined || typeof stored === "string") return stored;
    const isNew = typeof before === "object" && before.access_token !== stored.access_token;
    if (!isStale(stored, now()) && (!force || isNew)) return stored.access_token;
    const { refresh_token: refreshToken } = stored;
    const hint =
      `Sign in again: tongs auth login --web --host ${host} --profile ${profile}\n` +
      "Some servers end a session when its application is used to sign in elsewhere; one of your own avoids that: --client-id";
    if (refreshToken === undefined) {
      throw new Failure("not_signed_in", `The session of profile '${profile}' has expired`, { hint });
    }
    const provider = needs.provider(stored.client_id);
    try {
      const next = await renewed(stored, refreshToken, provider, hint);
      const isCurrent = (found: unknown) =>
        typeof found === "object" && found !== null && sameSession(found as Session, stored);
      await credentials.replace(profile, next, isCurrent);
      return accessToken(next);
    } finally {
      provider.transport.close();
    }
  } finally {
    await unlock();
  }
}

/** Whether a session is the one that was renewed, not one of a sign-in meanwhile. */
function sameSession(one: Session, other: Session): boolean {
  return one.refresh_token === other.refresh_token && one.access_token === other.access_token;
}
