import { X509Certificate } from "node:crypto";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import type { BaseContext } from "../../app/context.ts";
import { maskProxy } from "../../app/profile-record.ts";
import { proxyFor } from "../../http/proxy-for.ts";
import { files } from "../../profiles/files.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import { addressText, isLoopback, type Server } from "../../profiles/server.ts";
import { checkCaFile } from "../../profiles/settings.ts";
import { type Finding, note, ok, problem, problemFromError } from "./finding.ts";

/** Checks that the configuration folder is private to its owner and that its files are valid. */
export function checkConfiguration(profiles: Profiles): Finding[] {
  const check = "configuration";
  const { folder } = profiles;
  const mode = modeOf(folder);
  if (mode === undefined) return [note(check, `${folder} does not exist yet`, "Run tongs auth login to create it.")];
  const findings: Finding[] = [];
  // On Windows the mode does not show who can access a file.
  const hasModes = platform() !== "win32";
  const entries = [
    { path: folder, mode, required: 0o700 },
    ...Object.values(files).map((name) => ({
      path: join(folder, name),
      mode: modeOf(join(folder, name)),
      required: 0o600,
    })),
  ];
  for (const { path, mode, required } of entries) {
    if (mode === undefined || (mode & 0o077) === 0 || !hasModes) continue;
    const found = `Other users can access ${path} (${octal(mode)})`;
    const repair = () => chmodSync(path, required);
    findings.push({ ...problem(check, found, `chmod ${octal(required)} '${path}'`), repair });
  }
  try {
    const names = Object.keys(profiles.read().profiles);
    for (const name of names.slice(0, 1)) profiles.credentials.has(name);
    const stored =
      names.length === 0 ? "no profiles" : `${names.length === 1 ? "profile" : "profiles"} ${names.join(", ")}`;
    if (findings.length === 0) findings.push(ok(check, `${folder}${hasModes ? ` (${octal(mode)})` : ""}, ${stored}`));
  } catch (error) {
    findings.push(problemFromError(check, error));
  }
  return findings;
}

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

/** Reports which server is selected and why. */
export function checkSelection(server: Server): Finding {
  const name =
    server.profile === undefined ? addressText(server.base) : `${server.profile}, ${addressText(server.base)}`;
  const plain = server.base.protocol === "http:" && !isLoopback(server.base.hostname);
  const found = `${name} (selected by ${server.because})`;
  const fix = `tongs profile set ${server.profile ?? "NAME"} host https://${server.base.host}`;
  return plain
    ? note("selected server", `${found}; plain HTTP: the token is sent unencrypted`, fix)
    : ok("selected server", found);
}

/** Reports environment variables that are set but ignored. */
export function checkEnvironment(env: Readonly<Record<string, string | undefined>>, hostFlag: boolean): Finding[] {
  if (!env["TONGS_TOKEN"] || env["TONGS_HOST"] || hostFlag) return [];
  const fix = "Set TONGS_HOST to the address of the server, or unset TONGS_TOKEN.";
  return [problem("environment", "TONGS_TOKEN is set without TONGS_HOST and is ignored", fix)];
}

/** Checks the version of git: 2.31 is the first that reads its configuration, and so a token, from the environment. */
export async function checkGit({ git }: Pick<BaseContext, "git">): Promise<Finding> {
  try {
    const text = await git.run(["--version"]);
    const [, version = "", major = "0", minor = "0"] = /((\d+)\.(\d+)\S*)/.exec(text) ?? [];
    const old = Number(major) < 2 || (Number(major) === 2 && Number(minor) < 31);
    return old ? problem("git", `git ${version} is too old`, "Install git 2.31 or newer.") : ok("git", version);
  } catch (error) {
    return problemFromError("git", error);
  }
}

/** Reports the proxy used for the server, without its password. */
export async function checkProxy(server: Server, env: Readonly<Record<string, string | undefined>>): Promise<Finding> {
  try {
    const found = await proxyFor(server.base, env, server.proxy);
    if (found === undefined) return ok("proxy", "none");
    const source = server.proxy === undefined ? "the environment" : "the profile";
    return ok("proxy", `${maskProxy(found.href)} (from ${source})`);
  } catch {
    const source = server.proxy === undefined ? "HTTPS_PROXY, HTTP_PROXY or ALL_PROXY" : "the profile's proxy";
    return problem("proxy", `${source} is not a valid address`, "Use an address like http://proxy.example.org:3128.");
  }
}

/** Checks the file with additional CA certificates, if the server has one: that it can be read and none has expired. */
export function checkCertificates(server: Server, now: Date): Finding[] {
  const { ca } = server;
  if (ca === undefined) return [];
  const check = "CA file";
  try {
    checkCaFile(ca);
    const pems = readFileSync(ca, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const expired = pems.map((pem) => new X509Certificate(pem)).find(({ validTo }) => new Date(validTo) < now);
    if (expired !== undefined) {
      const fix = `Get a new file: tongs profile set ${server.profile ?? "NAME"} ca FILE`;
      return [problem(check, `${ca}: ${expired.subject} expired on ${expired.validTo}`, fix)];
    }
    return [ok(check, `${ca}, ${pems.length} ${pems.length === 1 ? "certificate" : "certificates"}`)];
  } catch (error) {
    const name = server.profile ?? "NAME";
    return [problem(check, (error as Error).message, `Set a valid PEM file: tongs profile set ${name} ca FILE`)];
  }
}
