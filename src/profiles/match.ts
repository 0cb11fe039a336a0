import { sep } from "node:path";
import type { Config, Profile } from "./profile.ts";
import { profileNamed } from "./profiles.ts";
import { addressText, type Server, serverAddress } from "./server.ts";

/**
 * Whether what was typed means this server. An address means it whole, with its path prefix; a host means it with any
 * port and any prefix, unless it names them. A pasted http address means the same server by https, never the other way.
 */
export function means(server: URL, typed: string): boolean {
  const prefix = (url: URL) => url.pathname.replace(/\/+$/, "").toLowerCase();
  const scheme = /^(https?):\/\//i.exec(typed)?.[1]?.toLowerCase();
  const full = scheme === undefined ? `${server.protocol}//${typed}` : typed;
  if (!URL.canParse(full)) return false;
  const url = new URL(full);
  if (scheme !== undefined) {
    const upgraded = url.protocol === server.protocol || server.protocol === "https:";
    return upgraded && url.host === server.host && prefix(url) === prefix(server);
  }
  const namesPort = /:\d+$/.test(typed.split("/")[0] ?? "");
  const sameHost = namesPort ? url.host === server.host : url.hostname === server.hostname;
  return sameHost && (prefix(url) === "" || prefix(url) === prefix(server));
}

/**
 * The name of the profile stored for a host, `host:port`, `host/prefix` or URL, or that has a rule for it. Of several,
 * the first of `preferred` counts, then the default, then the one stored first.
 */
export function profileFor(config: Config, typed: string, preferred: readonly string[] = []): string | undefined {
  const found = Object.entries(config.profiles)
    .filter(([, profile]) => covers(profile, typed))
    .map(([name]) => name);
  return [...preferred, config.default].find((name) => name !== undefined && found.includes(name)) ?? found[0];
}

/** Whether the server in force is the one that a repository's or remote's host means. */
export function serves(config: Config, server: Server, host: string): boolean {
  const profile = server.profile === undefined ? undefined : profileNamed(config, server.profile);
  return profile === undefined ? means(server.base, host) : covers(profile, host);
}

function covers(profile: Profile, typed: string): boolean {
  if (means(serverAddress(profile.host), typed)) return true;
  return profile.rules?.some((rule) => rule.toLowerCase() === typed.toLowerCase()) === true;
}

/** The name of the profile whose rule names this folder or the nearest one above it. */
export function profileForFolder(config: Config, folder: string): string | undefined {
  let best: { readonly name: string; readonly length: number } | undefined;
  for (const [name, profile] of Object.entries(config.profiles)) {
    for (const rule of profile.rules ?? []) {
      if (!isFolderRule(rule)) continue;
      const above = rule.replace(/[/\\]+$/, "");
      const inside = folder === above || folder.startsWith(above + sep);
      if (inside && above.length >= (best?.length ?? 0)) best = { name, length: above.length };
    }
  }
  return best?.name;
}

/** Whether a rule names a folder rather than a host: an absolute path. */
export function isFolderRule(rule: string): boolean {
  return rule.startsWith("/") || /^[A-Za-z]:[/\\]/.test(rule);
}

/** Whether two addresses are the same server. */
export function sameAddress(one: string, other: URL): boolean {
  return addressText(serverAddress(one)) === addressText(other);
}
