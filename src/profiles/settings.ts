import { readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { reasonOf } from "../failure/disk.ts";
import { UsageError } from "../failure/failure.ts";
import { isProxyProtocol } from "../http/proxy-for.ts";
import { parseRepo } from "../repo/repo-name.ts";
import { fullPath } from "../system/files.ts";
import { utf8Text } from "../text/utf8.ts";
import { splitWords } from "../text/words.ts";
import { isFolderRule, matchesAddress, sameAddress } from "./choose.ts";
import { readHeaders } from "./headers.ts";
import { type Config, type Profile, type ProfileKey, profileNamed } from "./profile.ts";
import { addressText, refuseInsecure, serverAddress } from "./server.ts";

/** Folders to resolve paths against. */
interface BaseFolders {
  /** Relative paths are resolved against this folder. */
  readonly cwd: string;
  readonly home: string | undefined;
}

type Reader = (typed: string, profile: Profile, folders: BaseFolders) => Profile;

/**
 * Sets a key of a profile to a value given by the user; an empty value removes the key. Throws a usage error if the value
 * is not valid.
 */
export function withSetting(profile: Profile, key: ProfileKey, typed: string, folders: BaseFolders): Profile {
  if (typed === "") return withoutKey(profile, key);
  return readers[key](typed, profile, folders);
}

function withoutKey(profile: Profile, key: ProfileKey): Profile {
  if (key === "host")
    throw new UsageError("A profile must have a host", "To delete the profile, run: tongs profile delete");
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
    if (/[\s/\p{C}]/u.test(typed)) throw new UsageError(`'${typed}' is not a valid username`);
    return { ...profile, user: typed };
  },
  repo(typed, profile) {
    const { owner, name, host } = parseRepo(typed);
    if (host !== undefined && !matchesAddress(serverAddress(profile.host), host)) {
      throw new UsageError(`${owner}/${name} is on ${host}, but this profile is for ${profile.host}`);
    }
    return { ...profile, repo: `${owner}/${name}` };
  },
  ca(typed, profile, folders) {
    const file = fullPath(typed, folders);
    checkCaFile(file);
    return { ...profile, ca: file };
  },
  client_cert(typed, profile, folders) {
    const file = fullPath(typed, folders);
    checkPem(file, "CERTIFICATE", "certificate");
    return { ...profile, client_cert: file };
  },
  client_key(typed, profile, folders) {
    const file = fullPath(typed, folders);
    checkPem(file, "PRIVATE KEY", "private key");
    return { ...profile, client_key: file };
  },
  headers: (typed, profile) => ({ ...profile, headers: readHeaders(typed) }),
  token_command: (typed, profile, folders) => ({ ...profile, token_command: readCommand(typed, folders) }),
  insecure_http(typed, profile) {
    if (typed !== "true" && typed !== "false")
      throw new UsageError(`insecure_http must be true or false, not '${typed}'`);
    return { ...profile, insecure_http: typed === "true" };
  },
  proxy(typed, profile) {
    if (typed === "none") return { ...profile, proxy: typed };
    const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
    if (!URL.canParse(full) || !isProxyProtocol(new URL(full).protocol)) {
      throw new UsageError("proxy must be the address of an http, https or socks5 proxy, or none");
    }
    return { ...profile, proxy: full };
  },
  rules(typed, profile, folders) {
    const rules = typed
      .split(",")
      .map((rule) => rule.trim())
      .filter((rule) => rule !== "")
      .map((rule) => readRule(rule, folders));
    return { ...profile, rules: [...new Set(rules)] };
  },
};

/** Parses a rule: a folder, which is made absolute, or the host of a remote with port and path prefix, if any. */
function readRule(rule: string, { cwd, home }: BaseFolders): string {
  const inHome = /^~(?=$|[/\\])/.test(rule) && home !== undefined;
  if (inHome || isFolderRule(rule) || /^\.{1,2}($|[/\\])/.test(rule)) {
    const folder = resolve(cwd, inHome ? rule.replace("~", home) : rule);
    try {
      // The working folder of a command is a real path.
      return realpathSync(folder);
    } catch {
      return folder;
    }
  }
  if (!/^(\[[\da-f:.]+\]|[^\s/:@]+)(:\d+)?(\/[^\s]*)?$/iu.test(rule)) {
    const hint = "Use hosts (git.example.org) or directories (/home/mara/work, ./work), separated by commas.";
    throw new UsageError(`'${rule}' is not a host or directory`, hint);
  }
  return rule.toLowerCase().replace(/\/+$/, "");
}

/** Parses a token command: a program and its arguments, quoted as for a shell, which does not run it. */
function readCommand(typed: string, { cwd, home }: BaseFolders): string[] {
  const [program = "", ...args] = splitWords(typed, "token_command");
  if (program === "") throw new UsageError("token_command must name a program");
  // A later option of a program may be one of these characters, but not a pipe between two words.
  const shell = args.find((word) => /^([|&;<>]|&&|\|\||>>|2>.*)$/.test(word) || /\$\(|`/.test(word));
  if (shell !== undefined) {
    const hint = "Write what the shell should do into a script, and set its path.";
    throw new UsageError(`token_command is not run in a shell: '${shell}' would be an argument of ${program}`, hint);
  }
  const inHome = program.startsWith("~/") && home !== undefined ? program.replace("~", home) : program;
  // A bare name is searched on the PATH; a relative path would depend on the current directory.
  return [/[/\\]/.test(inHome) ? resolve(cwd, inHome) : inHome, ...args];
}

/** Throws a usage error if a file cannot be read or contains no certificate. */
export function checkCaFile(file: string): void {
  checkPem(file, "CERTIFICATE", "certificate", "CA file");
}

function checkPem(file: string, block: string, contains: string, name = `${contains} file`): void {
  let content: string;
  try {
    content = utf8Text(readFileSync(file));
  } catch (error) {
    throw new UsageError(`Could not read the ${name} ${file}: ${reasonOf(error)}`);
  }
  if (!content.split("\n").some((line) => line.startsWith("-----BEGIN ") && line.includes(`${block}-----`))) {
    throw new UsageError(`${file} contains no ${contains}`, `Use a PEM file (-----BEGIN ${block}-----).`);
  }
}

/** Checks the name of a new profile. Throws a usage error if it is not valid. */
export function checkProfileName(name: string): void {
  if (name === "" || name.startsWith("-") || /[\s\p{C}]/u.test(name)) {
    throw new UsageError(
      `'${name}' is not a valid profile name`,
      "A name must not contain spaces or begin with a dash.",
    );
  }
}

/**
 * The profile name for a sign-in without `--profile`: the profile of the user on that server, or a new one named after the
 * host, with the username appended if the name is taken.
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
