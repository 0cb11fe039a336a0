/** A stored way to one server. Tokens are kept apart, in the credential store. */
export interface Profile {
  /** The server's address with its path prefix, without a trailing slash. */
  readonly host: string;
  /** The signed-in user's name, asked once at sign-in. */
  readonly user?: string;
  /** The default repository, OWNER/NAME. */
  readonly repo?: string;
  /** A file of extra certificate authorities, PEM. */
  readonly ca?: string;
  /** Plain http to a host that is not this machine was allowed. */
  readonly insecure_http?: boolean;
  /** A proxy for this server, or `none`. */
  readonly proxy?: string;
  /** Remotes' hosts or folders that this profile applies to. */
  readonly rules?: readonly string[];
  /** When it was signed in, RFC 3339; absent when it is not. */
  readonly since?: string;
  /** The token's scopes, where the server told them. */
  readonly scopes?: readonly string[];
}

/** The configuration file as a whole. */
export interface Config {
  /** The name of the profile in force when nothing else says so. */
  readonly default?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The keys that `profile set` takes. */
export const profileKeys = ["host", "user", "repo", "ca", "insecure_http", "proxy", "rules"] as const;
export type ProfileKey = (typeof profileKeys)[number];

/** The profile of that name. */
export function profileNamed(config: Config, name: string): Profile | undefined {
  return Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
}
