import { maskUrl } from "../../http/mask.ts";
import { type Cell, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { type Config, profileNamed } from "../../profiles/profile.ts";
import { boolean, type Infer, list, nullable, record, string, time } from "../../shape/shape.ts";

/** A stored profile as it is shown: without its token, and without the password of its proxy. */
export const profileRecord = record({
  name: string,
  default: boolean,
  host: string,
  user: nullable(string),
  since: nullable(time),
  scopes: nullable(list(string)),
  repo: nullable(string),
  ca: nullable(string),
  insecure_http: boolean,
  proxy: nullable(string),
  rules: list(string),
});
export type ProfileRecord = Infer<typeof profileRecord>;

/** The record of a profile, or undefined when there is none of that name. */
export function recordOf(config: Config, name: string): ProfileRecord | undefined {
  const profile = profileNamed(config, name);
  if (profile === undefined) return undefined;
  return {
    name,
    default: config.default === name,
    host: profile.host,
    user: profile.user ?? null,
    since: profile.since ?? null,
    scopes: profile.scopes ?? null,
    repo: profile.repo ?? null,
    ca: profile.ca ?? null,
    insecure_http: profile.insecure_http === true,
    proxy: profile.proxy === undefined ? null : shownProxy(profile.proxy),
    rules: profile.rules ?? [],
  };
}

/** A proxy without its password. */
export function shownProxy(proxy: string): string {
  return URL.canParse(proxy) ? maskUrl(new URL(proxy)).replace(/\/$/, "") : proxy;
}

/** A profile for reading. */
export function profileSheet(profile: ProfileRecord): Sheet {
  return {
    title: profile.name,
    fields: [
      ["host", styled("link", profile.host)],
      ["user", profile.user],
      ["signed in", when(profile.since)],
      ["scopes", profile.scopes?.join(", ")],
      ["default", yes(profile.default)],
      ["repo", profile.repo],
      ["ca", profile.ca],
      ["insecure_http", yes(profile.insecure_http)],
      ["proxy", profile.proxy],
      ["rules", profile.rules.join(", ")],
    ],
  };
}

function yes(value: boolean): Cell {
  return value ? "yes" : undefined;
}
