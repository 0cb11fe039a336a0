/** A server profile. Its token is in the credential store. */
export interface Profile {
  /** The server's address with its path prefix, without a trailing slash. */
  readonly host: string;
  /** The username. */
  readonly user?: string;
  /** The default repository, OWNER/NAME. */
  readonly repo?: string;
  /** A file with additional certificate authorities, PEM. */
  readonly ca?: string;
  /** A file with the client certificate, PEM. */
  readonly client_cert?: string;
  /** A file with its key, PEM; absent if the key is in the file of the certificate. */
  readonly client_key?: string;
  /** Additional headers for each request: the environment variables with the values, by header name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A program with its arguments that prints the token; it is not run in a shell. */
  readonly token_command?: readonly string[];
  /** Allow plain http to another machine. */
  readonly insecure_http?: boolean;
  /** A proxy for this server, or `none`. */
  readonly proxy?: string;
  /** Hosts of git remotes, or folders, for which the profile is used. */
  readonly rules?: readonly string[];
  /** When the user signed in, RFC 3339; absent if not signed in. */
  readonly since?: string;
  /** The scopes of the token, if known. */
  readonly scopes?: readonly string[];
}

/** The configuration file. */
export interface Config {
  /** The name of the default profile. */
  readonly default?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The keys that `profile set` accepts. */
export const profileKeys = [
  ...["host", "user", "repo", "ca", "client_cert", "client_key", "headers", "token_command"],
  ...["insecure_http", "proxy", "rules"],
] as const;
export type ProfileKey = (typeof profileKeys)[number];

/** Returns a profile by its name. */
export function profileNamed(config: Config, name: string): Profile | undefined {
  return Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
}
