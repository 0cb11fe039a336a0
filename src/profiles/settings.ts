import { readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../failure/failure.ts";
import { parseRepo } from "../repo/repo-name.ts";
import { isFolderRule, means, sameAddress } from "./choose.ts";
import { type Config, type Profile, type ProfileKey, profileNamed } from "./profile.ts";
import { addressText, refuseInsecure, serverAddress } from "./server.ts";

/** What a value is read with. */
interface Place {
  /** Relative files and folders are taken from here. */
  readonly cwd: string;
  readonly home: string | undefined;
}

type Reader = (typed: string, profile: Profile, place: Place) => Profile;

/**
 * The profile with one key set to what was typed; an empty value takes the key away. Throws a usage error that says
 * what the key wants.
 */
export function withSetting(profile: Profile, key: ProfileKey, typed: string, place: Place): Profile {
  if (typed === "") return withoutKey(profile, key);
  return readers[key](typed, profile, place);
}

function withoutKey(profile: Profile, key: ProfileKey): Profile {
  if (key === "host")
    throw new UsageError("A profile cannot be without a host", "Remove it with: tongs profile delete");
  const { [key]: _gone, ...rest } = profile;
  return { ...rest, host: profile.host };
}

const readers: Readonly<Record<ProfileKey, Reader>> = {
  host(typed, profile) {
    const base = serverAddress(typed);
    refuseInsecure(base, profile.insecure_http === true);
    return { ...profile, host: addressText(base) };
  },
  user(typed, profile) {
    if (/[\s/\p{C}]/u.test(typed)) throw new UsageError(`'${typed}' is not a user's name`);
    return { ...profile, user: typed };
  },
  repo(typed, profile) {
    const { owner, name, host } = parseRepo(typed);
    if (host !== undefined && !means(serverAddress(profile.host), host)) {
      throw new UsageError(`${owner}/${name} is on ${host}, but this profile is for ${profile.host}`);
    }
    return { ...profile, repo: `${owner}/${name}` };
  },
  ca(typed, profile, place) {
    const file = resolve(place.cwd, typed);
    checkAuthorities(file);
    return { ...profile, ca: file };
  },
  insecure_http(typed, profile) {
    if (typed !== "true" && typed !== "false") throw new UsageError(`insecure_http is true or false, not '${typed}'`);
    return { ...profile, insecure_http: typed === "true" };
  },
  proxy(typed, profile) {
    if (typed === "none") return { ...profile, proxy: typed };
    const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
    if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol)) {
      throw new UsageError("proxy is the address of an http or https proxy, or none");
    }
    return { ...profile, proxy: full };
  },
  rules(typed, profile, place) {
    const rules = typed
      .split(",")
      .map((rule) => rule.trim())
      .filter((rule) => rule !== "")
      .map((rule) => readRule(rule, place));
    return { ...profile, rules: [...new Set(rules)] };
  },
};

/** A folder, made absolute, or a remote's host with port and path prefix where it has them. */
function readRule(rule: string, { cwd, home }: Place): string {
  const inHome = /^~(?=$|[/\\])/.test(rule) && home !== undefined;
  if (inHome || isFolderRule(rule) || /^\.{1,2}($|[/\\])/.test(rule)) {
    const folder = resolve(cwd, inHome ? rule.replace("~", home) : rule);
    try {
      // The folder that a command is run in is known by its real path.
      return realpathSync(folder);
    } catch {
      return folder;
    }
  }
  if (!/^(\[[\da-f:.]+\]|[^\s/:@]+)(:\d+)?(\/[^\s]*)?$/iu.test(rule)) {
    const hint = "Write hosts (git.example.org) or folders (/home/mara/work, ./work), commas between them.";
    throw new UsageError(`'${rule}' is neither a remote's host nor a folder`, hint);
  }
  return rule.toLowerCase().replace(/\/+$/, "");
}

/** Throws a usage error when a file cannot be read or holds no certificate. */
export function checkAuthorities(file: string): void {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file of certificate authorities cannot be read: ${(error as Error).message}`);
  }
  if (!content.includes("-----BEGIN CERTIFICATE-----")) {
    throw new UsageError(`${file} holds no certificate`, "It is a PEM file: -----BEGIN CERTIFICATE----- …");
  }
}

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
