import { UsageError } from "../failure/failure.ts";
import { sameAddress } from "./match.ts";
import type { Config } from "./profile.ts";
import { profileNamed } from "./profiles.ts";
import { addressText } from "./server.ts";

/** Checks a name that somebody gives to a profile. */
export function checkProfileName(name: string): void {
  if (name === "" || name.startsWith("-") || /[\s\p{C}]/u.test(name)) {
    throw new UsageError(`'${name}' cannot name a profile`, "A name has no spaces and does not begin with a dash.");
  }
}

/**
 * The profile that a sign-in without a name belongs to: the user's own on that server, else a new one called after the
 * host, with the user's name added where the host's is taken.
 */
export function nameForSignIn(config: Config, base: URL, user: string): string {
  const here = Object.entries(config.profiles).filter(([, profile]) => sameAddress(profile.host, base));
  const own = here.find(([, profile]) => profile.user?.toLowerCase() === user.toLowerCase());
  const free = here.find(([, profile]) => profile.user === undefined);
  const known = own ?? free;
  if (known !== undefined) return known[0];
  const host = addressText(base).replace(/^https?:\/\//, "");
  const taken = (name: string) => profileNamed(config, name) !== undefined;
  if (!taken(host)) return host;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${host}-${user}` : `${host}-${user}-${number}`;
    if (!taken(name)) return name;
  }
}
