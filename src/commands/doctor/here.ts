import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import type { BaseContext } from "../../app/context.ts";
import { proxyFor } from "../../http/proxy-for.ts";
import { files } from "../../profiles/files.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import { addressText, isLoopback, type Server } from "../../profiles/server.ts";
import { checkCaFile } from "../../profiles/settings.ts";
import { shownProxy } from "../profile/record.ts";
import { type Finding, note, ok, problem, thrown } from "./finding.ts";

/** The configuration folder: who may read it, and whether what is in it can be understood. */
export function configuration(profiles: Profiles): Finding[] {
  const check = "configuration";
  const { folder } = profiles;
  const mode = modeOf(folder);
  if (mode === undefined) return [note(check, `${folder} does not exist yet`, "tongs auth login makes it.")];
  const findings: Finding[] = [];
  const all = [
    { path: folder, mode, wanted: 0o700 },
    ...Object.values(files).map((name) => ({
      path: join(folder, name),
      mode: modeOf(join(folder, name)),
      wanted: 0o600,
    })),
  ];
  for (const { path, mode, wanted } of all) {
    // Windows keeps other users out by means that a mode does not show.
    if (mode === undefined || (mode & 0o077) === 0 || platform() === "win32") continue;
    findings.push(problem(check, `Others may get at ${path} (${octal(mode)})`, `chmod ${octal(wanted)} '${path}'`));
  }
  try {
    const names = Object.keys(profiles.read().profiles);
    for (const name of names.slice(0, 1)) profiles.credentials.get(name);
    const what =
      names.length === 0 ? "no profiles" : `${names.length === 1 ? "profile" : "profiles"} ${names.join(", ")}`;
    if (findings.length === 0) findings.push(ok(check, `${folder} (${octal(mode)}), ${what}`));
  } catch (error) {
    findings.push(thrown(check, error));
  }
  return findings;
}

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

/** Which server is in force, and why. */
export function choice(server: Server): Finding {
  const name =
    server.profile === undefined ? addressText(server.base) : `${server.profile}, ${addressText(server.base)}`;
  const plain = server.base.protocol === "http:" && !isLoopback(server.base.hostname);
  const found = `${name} (chosen by ${server.because})`;
  return plain
    ? note("server in force", `${found}; plain http: the token crosses the network in clear`)
    : ok("server in force", found);
}

/** Variables that are set and do nothing. */
export function environment(env: Readonly<Record<string, string | undefined>>, hostGiven: boolean): Finding[] {
  if (!env["TONGS_TOKEN"] || env["TONGS_HOST"] || hostGiven) return [];
  const mend = "Set TONGS_HOST to its server's address, too, or unset it.";
  return [problem("environment", "TONGS_TOKEN is set without TONGS_HOST and is not used", mend)];
}

/** git, and whether it can be given secrets by environment (2.31). */
export async function gitProgram({ git }: Pick<BaseContext, "git">): Promise<Finding> {
  try {
    const text = await git.run(["--version"]);
    const [, version = "", major = "0", minor = "0"] = /((\d+)\.(\d+)\S*)/.exec(text) ?? [];
    const old = Number(major) < 2 || (Number(major) === 2 && Number(minor) < 31);
    return old ? problem("git", `${version} is too old`, "Install git 2.31 or newer.") : ok("git", version);
  } catch (error) {
    return thrown("git", error);
  }
}

/** The proxy between here and the server, without its password. */
export async function proxy(server: Server, env: Readonly<Record<string, string | undefined>>): Promise<Finding> {
  try {
    const found = await proxyFor(server.base, env, server.proxy);
    if (found === undefined) return ok("proxy", "none");
    const from = server.proxy === undefined ? "the environment" : "the profile";
    return ok("proxy", `${shownProxy(found.href)} (from ${from})`);
  } catch {
    const where = server.proxy === undefined ? "HTTPS_PROXY, HTTP_PROXY or ALL_PROXY" : "the profile's proxy";
    return problem("proxy", `${where} is not an address`, "It looks like http://proxy.example.org:3128.");
  }
}

/** The file of extra certificate authorities, where there is one: how many it holds, and whether they are still good. */
export function authorities(server: Server, now: Date): Finding[] {
  const { ca } = server;
  if (ca === undefined) return [];
  const check = "authorities";
  try {
    checkCaFile(ca);
    const pems = readFileSync(ca, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const expired = pems.map((pem) => new X509Certificate(pem)).find((one) => new Date(one.validTo) < now);
    if (expired !== undefined) return [problem(check, `${ca}: ${expired.subject} expired ${expired.validTo}`)];
    return [ok(check, `${ca}, ${pems.length} ${pems.length === 1 ? "certificate" : "certificates"}`)];
  } catch (error) {
    const name = server.profile ?? "NAME";
    return [problem(check, (error as Error).message, `Name a PEM file: tongs profile set ${name} ca FILE`)];
  }
}
