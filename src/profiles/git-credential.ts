import { decoded } from "../text/percent.ts";
import { profileForFolder } from "./choose.ts";
import { profileNamed } from "./profile.ts";
import type { Profiles } from "./profiles.ts";
import { environmentToken, isLoopback, serverAddress } from "./server.ts";

/** A question of git, in the attributes of its credential protocol (gitcredentials(7), git-credential(1)). */
export interface CredentialRequest {
  readonly protocol: string;
  /** With the port, if it is not that of the protocol. */
  readonly host: string;
  /** Only if `credential.useHttpPath` is set. */
  readonly path?: string | undefined;
  readonly username?: string | undefined;
}

/** An answer to git. */
export interface GitCredential {
  readonly username: string;
  readonly password: string;
}

/** Where a token comes from. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that git works in. */
  readonly cwd: string;
  /** `--profile`. */
  readonly profile: string | undefined;
}

/**
 * The request in the lines that git writes; undefined if protocol or host is missing, or if a control character is in
 * it: programs disagree on what such a name ends with.
 */
export function parseCredentialRequest(text: string): CredentialRequest | undefined {
  const attributes = new Map<string, string>();
  for (const line of text.split("\n")) {
    const at = line.indexOf("=");
    if (at > 0) attributes.set(line.slice(0, at), line.slice(at + 1));
  }
  const url = /^(https?):\/\/(?:([^/@:]*)(?::[^/@]*)?@)?([^/]*)(?:\/(.*))?$/s.exec(attributes.get("url") ?? "");
  const [, protocol = attributes.get("protocol"), user, host = attributes.get("host"), path] = url ?? [];
  if (!protocol || !host) return undefined;
  const asked = url
    ? { protocol, host, path, username: user === undefined ? undefined : decoded(user) }
    : { protocol, host, path: attributes.get("path"), username: attributes.get("username") };
  return Object.values(asked).some((value) => /\p{C}/u.test(value ?? "")) ? undefined : asked;
}

/**
 * The token for a server that git asks for, as a password: that of `TONGS_HOST`, or of the profile of this very server;
 * never one for another host, port, protocol or path prefix, and for plain http only where it is allowed. If several
 * profiles fit, the one of the user that git names, else `--profile`, `TONGS_PROFILE`, the rule for the folder, and the
 * default decide.
 */
export async function credentialFor(
  profiles: Profiles,
  asked: CredentialRequest,
  { env, cwd, profile }: Surroundings,
): Promise<GitCredential | undefined> {
  const isWanted = (user: string | undefined) =>
    asked.username === undefined || user === undefined || user.toLowerCase() === asked.username.toLowerCase();
  const answer = (user: string | undefined, token: string | undefined) =>
    token === undefined || /[\r\n\0]/.test(token)
      ? undefined
      : { username: asked.username ?? user ?? "token", password: token };

  const host = env["TONGS_HOST"];
  if (profile === undefined && host && env["TONGS_TOKEN"]) {
    const base = serverAddress(host);
    if (isAsked(base, asked) && isSafe(base, false)) return answer(undefined, environmentToken(env));
  }
  const config = profiles.read();
  const fitting = Object.entries(config.profiles)
    .filter(([, { host: address, user, insecure_http: insecure }]) => {
      const base = serverAddress(address);
      return isAsked(base, asked) && isSafe(base, insecure === true) && isWanted(user);
    })
    .map(([name]) => name);
  const preferred = [profile, env["TONGS_PROFILE"], profileForFolder(config, cwd), config.default];
  const ordered = [...preferred.filter((name) => name !== undefined && fitting.includes(name)), ...fitting];
  for (const name of ordered) {
    const stored = name === undefined ? undefined : profileNamed(config, name);
    if (name === undefined || stored === undefined) continue;
    const found = answer(stored.user, await profiles.token(name, stored));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether git asks for this server: the same protocol, host and port, and a path below its prefix. They are compared as
 * text, because curl and Node read unusual addresses differently.
 */
function isAsked(base: URL, { protocol, host, path = "" }: CredentialRequest): boolean {
  const [, name, port = ""] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([1-9]\d{0,4}))?$/i.exec(host) ?? [];
  const isUsualPort = port === (protocol === "https" ? "443" : "80");
  if (name?.toLowerCase() !== base.hostname || (isUsualPort ? "" : port) !== base.port) return false;
  // A server or a proxy decodes or shortens such a path, and then it can be outside the prefix.
  const isOdd = /[\\%;]/.test(path) || path.split("/").some((part) => part === "." || part === "..");
  if (`${protocol}:` !== base.protocol || isOdd) return false;
  const prefix = base.pathname.replace(/\/+$/, "");
  return prefix === "" || `/${path.replace(/^\/+/, "")}`.startsWith(`${prefix}/`);
}

function isSafe(base: URL, insecure: boolean): boolean {
  return base.protocol === "https:" || insecure || isLoopback(base.hostname);
}
