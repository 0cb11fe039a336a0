import { type Profile, profileNamed } from "../../profiles/profile.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import { addressText } from "../../profiles/server.ts";
import { nameForSignIn } from "../../profiles/settings.ts";

/** A sign-in that the server has confirmed. */
export interface SignIn {
  /** `--profile`, or undefined: a name is found. */
  readonly name: string | undefined;
  readonly base: URL;
  readonly user: string;
  readonly token: string;
  readonly scopes: readonly string[] | undefined;
  readonly since: Date;
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
  readonly insecure: boolean;
}

/**
 * Stores a sign-in and returns the profile's name. It becomes the default when there is none, or none that is signed in.
 * The name is found under the lock, so that two sign-ins at once never share one.
 */
export async function keepSignIn(profiles: Profiles, signIn: SignIn): Promise<string> {
  let name = "";
  await profiles.update((config) => {
    name = signIn.name ?? nameForSignIn(config, signIn.base, signIn.user);
    const { scopes: _scopes, ...before } = profileNamed(config, name) ?? ({} as Partial<Profile>);
    const profile: Profile = {
      ...before,
      host: addressText(signIn.base),
      user: signIn.user,
      since: signIn.since.toISOString(),
      ...(signIn.scopes === undefined ? {} : { scopes: signIn.scopes }),
      ...(signIn.ca === undefined ? {} : { ca: signIn.ca }),
      ...(signIn.proxy === undefined ? {} : { proxy: signIn.proxy }),
      ...(signIn.insecure ? { insecure_http: true } : {}),
    };
    const current = config.default === undefined ? undefined : profileNamed(config, config.default);
    const stays = config.default !== undefined && current?.since !== undefined;
    return { default: stays ? (config.default ?? name) : name, profiles: { ...config.profiles, [name]: profile } };
  });
  await profiles.credentials.set(name, signIn.token);
  return name;
}
