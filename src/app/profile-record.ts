import { UsageError } from "../failure/failure.ts";
import { maskUrl } from "../http/mask.ts";
import { styled, when } from "../output/cells.ts";
import type { Sheet } from "../output/sheet.ts";
import { requireProfile } from "../profiles/choose.ts";
import { headersText } from "../profiles/headers.ts";
import type { Config } from "../profiles/profile.ts";
import { boolean, type Infer, list, map, nullable, record, string, time } from "../shape/shape.ts";
import { joinWords } from "../text/words.ts";
import type { BaseContext } from "./context.ts";

/** A stored profile as it is printed: without its token and without the password of its proxy. */
export const profileRecord = record({
  name: string,
  default: boolean,
  host: string,
  user: nullable(string),
  since: nullable(time),
  scopes: nullable(list(string)),
  repo: nullable(string),
  ca: nullable(string),
  client_cert: nullable(string),
  client_key: nullable(string),
  /** The environment variables with the values, by header. */
  headers: map(string),
  token_command: nullable(list(string)),
  insecure_http: boolean,
  proxy: nullable(string),
  rules: list(string),
});
export type ProfileRecord = Infer<typeof profileRecord>;

/** The record of a profile. Throws a usage error when no profile has that name. */
export function toRecord(config: Config, name: string): ProfileRecord {
  const profile = requireProfile(config, name);
  return {
    name,
    default: config.default === name,
    host: profile.host,
    user: profile.user ?? null,
    since: profile.since ?? null,
    scopes: profile.scopes ?? null,
    repo: profile.repo ?? null,
    ca: profile.ca ?? null,
    client_cert: profile.client_cert ?? null,
    client_key: profile.client_key ?? null,
    headers: profile.headers ?? {},
    token_command: profile.token_command ?? null,
    insecure_http: profile.insecure_http === true,
    proxy: profile.proxy === undefined ? null : maskProxy(profile.proxy),
    rules: profile.rules ?? [],
  };
}

/** The name of the current profile. Throws a usage error when the server was selected without a stored profile. */
export async function currentProfileName(choose: BaseContext["choose"]): Promise<string> {
  const { profile, because } = await choose();
  if (profile !== undefined) return profile;
  const hint = "Name the profile. To list the stored profiles, run: tongs profile list";
  throw new UsageError(`No profile is selected: the server was selected by ${because}`, hint);
}

/** The address of a proxy with the username and password masked. */
export function maskProxy(proxy: string): string {
  return URL.canParse(proxy) ? maskUrl(new URL(proxy)).replace(/\/$/, "") : proxy;
}

/** A profile as `tongs profile show` prints it. */
export function profileSheet(profile: ProfileRecord): Sheet {
  return {
    title: profile.name,
    fields: [
      ["host", styled("link", profile.host)],
      ["user", profile.user],
      ["signed in", when(profile.since)],
      ["scopes", profile.scopes?.join(", ")],
      ["default", profile.default ? "yes" : undefined],
      ["repo", profile.repo],
      ["ca", profile.ca],
      ["client_cert", profile.client_cert],
      ["client_key", profile.client_key],
      ["headers", headersText(profile.headers)],
      ["token_command", profile.token_command === null ? undefined : joinWords(profile.token_command)],
      ["insecure_http", profile.insecure_http ? "yes" : undefined],
      ["proxy", profile.proxy],
      ["rules", profile.rules.join(", ")],
    ],
  };
}
