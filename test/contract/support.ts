import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { releases } from "../../src/forge/generated/since.ts";
import { hasOperation, releaseOf, type Release as ServerRelease, sinceOf } from "../../src/forge/support.ts";
import { next, parseRelease } from "../../src/sandbox/release.ts";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { emptyFolder, otherProgram, program, surroundings } from "../e2e/built.ts";
import { atEnd } from "../support/at-end.ts";
import { startedAt } from "../support/requests.ts";
import { type Ran, tongs, type World } from "../support/tongs.ts";

/**
 * The server that the scenarios run on: a fresh sandbox, as the server of `TONGS_CONTRACT_AS` (`gitea`, `forgejo@11`), or
 * the real one of `TONGS_CONTRACT_URL` with the administrator's `TONGS_CONTRACT_TOKEN`. Everything made there carries a prefix of this run and is taken away again.
 */
export interface Target {
  readonly url: string;
  readonly kind: "sandbox" | "server";
  /** What the server is. A scenario that one of them cannot run is skipped by it. */
  readonly software: "gitea" | "forgejo";
  readonly admin: Person;
  /** Whether the server has an operation, by its own description. The sandbox is taken to have it. */
  has(method: string, path: string): boolean;
  /** Whether the server is the sandbox or a Gitea of at least this version; what is on the way to a release is older. */
  isGitea(version: string): boolean;
  /** A name that nothing on the server has yet. */
  unique(name: string): string;
  /** A new account with a token of all scopes. */
  person(name: string, options?: { readonly admin?: boolean }): Promise<Person>;
  /** A request past tongs, for setting up and looking; throws when it is refused. */
  ask(method: string, path: string, body?: unknown, as?: Person): Promise<unknown>;
  close(): Promise<void>;
}

/** Somebody who uses tongs on the target. */
export interface Person {
  readonly login: string;
  readonly password: string;
  readonly token: string;
  /** Runs tongs as this person. */
  tongs(line: readonly string[], world?: World): Promise<Ran>;
}

/** The server that the sandbox is. */
export const sandboxRelease = () => parseRelease(process.env["TONGS_CONTRACT_AS"] ?? "gitea");

/** What the server under test is, before the target is open. */
export const targetSoftware = async (): Promise<Target["software"]> => (await targetRelease()).product;

/** Whether the server under test lacks an operation by the table of releases, before the target is open. */
export const targetLacks = async (operation: string): Promise<boolean> =>
  hasOperation(await targetRelease(), sinceOf(operation) ?? {}) === "no";

/** The release of the server under test, before the target is open. */
export async function targetRelease(): Promise<ServerRelease> {
  const { TONGS_CONTRACT_URL: url, TONGS_CONTRACT_TOKEN: token } = process.env;
  if (url === undefined) {
    const { product, version } = sandboxRelease();
    // The release to come has what the newest one has.
    return { product, number: version === next ? (releases[product][0] ?? "") : version, isBefore: false };
  }
  const asked = await fetch(`${url.replace(/\/+$/, "")}/api/v1/version`, {
    headers: { authorization: `token ${token}` },
  });
  const { version } = (await asked.json()) as { readonly version: string };
  const release = releaseOf(version);
  if (release === undefined) throw new Error(`${url} has the version ${version}`);
  return release;
}

/** Opens the target. */
export async function openTarget(): Promise<Target> {
  const { TONGS_CONTRACT_URL: url, TONGS_CONTRACT_TOKEN: token } = process.env;
  if (url !== undefined && token !== undefined)
    return onServer(url.replace(/\/+$/, ""), token, "server", async () => {});
  const release = sandboxRelease();
  const sandbox = await startSandbox({ port: 0, empty: true, now: () => new Date(), env: process.env, release });
  const admin = sandbox.users.find((user) => user.is_admin);
  if (admin === undefined) throw new Error("the sandbox has no administrator");
  return onServer(sandbox.url, admin.token, "sandbox", () => sandbox.close());
}

/** Runs the program under test as a process. Prompts that the test answers, and its clock, work in this process only. */
async function asProcess(line: readonly string[], { env, cwd, stdin }: World): Promise<Ran> {
  const around = surroundings({ env: env ?? {}, cwd: cwd ?? emptyFolder() });
  const [first, ...words] = program;
  const child = spawn(first, [...words, ...line], around);
  const chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  child.stdout.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  child.stdin.end(stdin ?? "");
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit) => resolve(exit ?? -1));
  });
  const bytes = Buffer.concat(chunks.stdout);
  const stdout = bytes.toString("utf8");
  const stderr = Buffer.concat(chunks.stderr).toString("utf8");
  return { code, stdout, bytes, stderr, asked: [], json: () => JSON.parse(stdout) as unknown, said: () => stderr };
}

/** A version as a number that grows with it: `1.26.2`, and `1.26.0+dev-469` below `1.26.0`. */
function rank(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  return major * 1e6 + minor * 1e3 + patch - (version.includes("dev") ? 0.5 : 0);
}

async function onServer(url: string, token: string, kind: Target["kind"], stop: () => Promise<void>): Promise<Target> {
  startedAt(url, kind);
  const run = randomBytes(3).toString("hex");
  const made: string[] = [];
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `token ${token}`, ...headers },
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    // Null is a list without items.
    return text === "" ? undefined : (JSON.parse(text) ?? ([] as unknown));
  };
  const as = (login: string, password: string, own: string): Person => ({
    login,
    password,
    token: own,
    // Waits are real on a server, which works things out meanwhile; the sandbox has done so before it answers.
    tongs(line, world = {}) {
      const env = { TONGS_HOST: url, TONGS_TOKEN: own, ...world.env };
      const { answers, terminal, signal, now } = world;
      const isPlain = [answers, terminal, signal, now].every((one) => one === undefined);
      if (otherProgram !== undefined && isPlain) return asProcess(line, { ...world, env });
      const most = kind === "sandbox" ? 20 : Number.POSITIVE_INFINITY;
      return tongs(line, { onSleep: (milliseconds) => setTimeout(Math.min(milliseconds, most)), ...world, env });
    },
  });
  const { version } = (await ask("GET", "/version")) as { readonly version: string };
  const isForgejo = releaseOf(version)?.product === "forgejo";
  // The sandbox, as Gitea, is taken to have everything that is asked of it.
  const isWhole = kind === "sandbox" && !isForgejo;
  const described = isWhole ? undefined : await fetch(`${url}/swagger.v1.json`);
  const { paths } = ((await described?.json()) ?? {}) as { paths?: Record<string, Record<string, unknown>> };
  const me = (await ask("GET", "/user")) as { readonly login: string };
  async function close(): Promise<void> {
    for (const login of made.splice(0).reverse())
      await ask("DELETE", `/admin/users/${login}?purge=true`).catch(() => undefined);
    await stop();
  }
  atEnd(close);
  return {
    url,
    kind,
    software: isForgejo ? "forgejo" : "gitea",
    admin: as(me.login, "", token),
    has: (method, path) => isWhole || paths?.[path]?.[method.toLowerCase()] !== undefined,
    isGitea: (since) => isWhole || (!isForgejo && rank(version) >= rank(since)),
    unique: (name) => `${name}-${run}`,
    async person(name, options = {}) {
      const [login, password] = [`${name}-${run}`, `not-a-secret-${name}`];
      made.push(login);
      const account = { username: login, email: `${login}@example.org`, password, must_change_password: false };
      await ask("POST", "/admin/users", account);
      if (options.admin) await ask("PATCH", `/admin/users/${login}`, { source_id: 0, login_name: login, admin: true });
      const basic = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
      const tokenOption = { name: "contract", scopes: ["all"] };
      const created = await ask("POST", `/users/${login}/tokens`, tokenOption, { authorization: basic });
      return as(login, password, (created as { readonly sha1: string }).sha1);
    },
    ask: (method, path, body, person) =>
      ask(method, path, body, person === undefined ? {} : { authorization: `token ${person.token}` }),
    close,
  };
}
