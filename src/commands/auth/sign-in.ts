import { Failure } from "../../failure/failure.ts";
import type { Forge } from "../../forge/index.ts";
import { DeniedError, NotFoundError, UnknownOperationError } from "../../http/errors.ts";
import { NoAnswerError } from "../../http/no-answer-error.ts";
import { nameForSignIn } from "../../profiles/names.ts";
import type { Profile } from "../../profiles/profile.ts";
import { type Profiles, profileNamed } from "../../profiles/profiles.ts";
import { addressText } from "../../profiles/server.ts";

/** Who a token belongs to, and what it may do where the server tells. */
export interface Identity {
  readonly login: string;
  readonly scopes: readonly string[] | undefined;
}

/** Asks the server who the token belongs to: GET /user, then GET /token for its scopes unless they are known. */
export async function identify(forge: Forge, base: URL, scopes?: readonly string[]): Promise<Identity> {
  try {
    const { login } = await forge.users.me();
    return { login, scopes: scopes ?? (await forge.tokens.presented())?.scopes };
  } catch (error) {
    if (!(error instanceof DeniedError) || error.status !== 403 || !error.said.includes("scope")) {
      throw explained(error, base);
    }
    // GET /user needs a scope that the token may lack; GET /token needs none.
    const presented = await forge.tokens.presented();
    if (presented === undefined) throw explained(error, base);
    return { login: presented.user.login, scopes: presented.scopes };
  }
}

/** The page of a server on which tokens are made by hand. */
export function tokenPage(base: URL): string {
  return `${addressText(base)}/user/settings/applications`;
}

/** The usual errors, in words for somebody who is about to sign in. */
function explained(error: unknown, base: URL): unknown {
  const host = addressText(base);
  const scope = error instanceof DeniedError && error.said.includes("scope");
  if (error instanceof DeniedError && (error.status === 401 || scope)) {
    const { status, method, path, said } = error;
    const hint = scope
      ? `Give the token the scope read:user: ${tokenPage(base)}`
      : `Make a token at ${tokenPage(base)}`;
    const message = `${host} did not accept the token${said === "" ? "" : `: ${said}`}`;
    return new Failure(error.code, "denied", message, { hint, status, method, path, cause: error });
  }
  if (error instanceof NotFoundError || error instanceof UnknownOperationError) {
    return new Failure("not_found", "notFound", `There is no Gitea or Forgejo at ${host}`, {
      hint: "Name the server's own address with its path prefix, not that of a repository.",
      status: error.status,
      cause: error,
    });
  }
  if (error instanceof NoAnswerError && error.code === "tls") {
    return new Failure("tls", "noAnswer", error.message, {
      hint: `If it has a certificate authority of its own: TONGS_CA=FILE tongs auth login --host ${host}`,
      cause: error,
    });
  }
  return error;
}

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
