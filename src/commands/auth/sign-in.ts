import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { presentedTokenOf } from "../../forge/tokens.ts";
import { currentUserGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { DeniedError, NotFoundError, UnknownOperationError } from "../../http/errors.ts";
import { NoAnswerError } from "../../http/no-answer-error.ts";
import type { Config, Profile } from "../../profiles/profile.ts";
import { profileNamed } from "../../profiles/profile.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import { addressText } from "../../profiles/server.ts";
import type { Credential, Session } from "../../profiles/session.ts";
import { nameForSignIn } from "../../profiles/settings.ts";

/** The owner of a token, and its scopes if the server reports them. */
export interface Identity {
  readonly login: string;
  readonly scopes: readonly string[] | undefined;
}

/**
 * Asks the server who owns the token: GET /user, then GET /token for the scopes unless they are known. Throws a failure
 * when the server does not accept the token, cannot be reached or is neither Gitea nor Forgejo.
 */
export async function identify(http: Http, base: URL, scopes?: readonly string[]): Promise<Identity> {
  try {
    const { login } = await call(http, currentUserGet, {});
    return { login, scopes: scopes ?? (await presentedTokenOf(http))?.scopes };
  } catch (error) {
    if (!(error instanceof DeniedError) || error.status !== 403 || !error.serverMessage.includes("scope")) {
      throw signInError(error, base);
    }
    // GET /user requires a scope that the token may lack; GET /token requires none.
    const presented = await presentedTokenOf(http);
    if (presented === undefined) throw signInError(error, base);
    return { login: presented.user.login, scopes: presented.scopes };
  }
}

/** The page on the server where users create and delete access tokens. */
export function tokenPage(base: URL): string {
  return `${addressText(base)}/user/settings/applications`;
}

/** Replaces common errors with ones that tell how to sign in. */
function signInError(error: unknown, base: URL): unknown {
  const host = addressText(base);
  const scope = error instanceof DeniedError && error.serverMessage.includes("scope");
  if (error instanceof DeniedError && (error.status === 401 || scope)) {
    const { status, method, path, serverMessage } = error;
    const hint = `Create a token${scope ? " with the scope read:user" : ""} at ${tokenPage(base)}`;
    const message = `${host} did not accept the token${serverMessage === "" ? "" : `: ${serverMessage}`}`;
    return new Failure(error.code, message, { hint, status, method, path, cause: error });
  }
  if (error instanceof NotFoundError || error instanceof UnknownOperationError) {
    return new Failure("not_found", `No Gitea or Forgejo server found at ${host}`, {
      hint: "Pass the base URL of the server, not the address of a repository.",
      status: error.status,
      cause: error,
    });
  }
  if (error instanceof NoAnswerError && error.code === "tls") {
    return new Failure("tls", error.message, {
      hint: `If the server uses a private certificate authority, run: TONGS_CA=FILE tongs auth login --host ${host}`,
      cause: error,
    });
  }
  return error;
}

/** A token that the server accepted, and the settings to store with it. */
export interface SignIn {
  /** The name from `--profile`; undefined to choose one. */
  readonly name: string | undefined;
  readonly base: URL;
  readonly user: string;
  /** What to store; undefined if the profile has a command that prints the token. */
  readonly credential: Credential | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly since: Date;
  readonly connection: Connection;
  readonly insecure: boolean;
}

/** The settings of a profile that concern the connection. */
export type Connection = Pick<Profile, "ca" | "client_cert" | "client_key" | "headers" | "proxy">;

/**
 * Stores a sign-in and returns the profile's name. The profile becomes the default unless the default profile is signed
 * in. The name is chosen under the lock, so that two simultaneous sign-ins never get the same one.
 */
export async function storeSignIn(profiles: Profiles, signIn: SignIn): Promise<string> {
  let name = "";
  let before: Config | undefined;
  await profiles.update((config) => {
    before = config;
    name = signIn.name ?? nameForSignIn(config, signIn.base, signIn.user);
    const {
      scopes: _scopes,
      token_command: command,
      ...previous
    } = profileNamed(config, name) ?? ({} as Partial<Profile>);
    const profile: Profile = {
      ...previous,
      // A token that was given replaces the command.
      ...(command === undefined || signIn.credential !== undefined ? {} : { token_command: command }),
      host: addressText(signIn.base),
      user: signIn.user,
      since: signIn.since.toISOString(),
      ...(signIn.scopes === undefined ? {} : { scopes: signIn.scopes }),
      ...signIn.connection,
      ...(signIn.insecure ? { insecure_http: true } : {}),
    };
    const current = config.default === undefined ? undefined : profileNamed(config, config.default);
    // A token_command signs in without auth login.
    const isSignedIn = current?.since !== undefined || current?.token_command !== undefined;
    const keepsDefault = config.default !== undefined && isSignedIn;
    const chosen = keepsDefault ? (config.default ?? name) : name;
    return { default: chosen, profiles: { ...config.profiles, [name]: profile } };
  });
  if (signIn.credential === undefined) return name;
  try {
    await profiles.credentials.set(name, signIn.credential);
  } catch (error) {
    // Without its token, the profile must not look signed in.
    await profiles.update((config) => withoutSignIn(config, name, before));
    throw error;
  }
  return name;
}

/** The configuration with one profile, and the default, as they were before a sign-in. */
function withoutSignIn(config: Config, name: string, before: Config | undefined): Config {
  const { [name]: _signedIn, ...others } = config.profiles;
  const former = before === undefined ? undefined : profileNamed(before, name);
  const { default: _chosen, ...rest } = config;
  return {
    ...rest,
    ...(before?.default === undefined ? {} : { default: before.default }),
    profiles: former === undefined ? others : { ...others, [name]: former },
  };
}

/** Stores the session of a profile that is signed in already. */
export async function storeSession(
  profiles: Profiles,
  name: string,
  session: Session,
  scopes: readonly string[],
  since: Date,
): Promise<void> {
  await profiles.credentials.set(name, session);
  await profiles.update((config) => {
    const profile = profileNamed(config, name);
    if (profile === undefined) return config;
    const renewed = { ...profile, scopes, since: since.toISOString() };
    return { ...config, profiles: { ...config.profiles, [name]: renewed } };
  });
}
