import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Interruption } from "../../src/failure/interruption.ts";
import { browser } from "../commands/auth/browser.ts";
import { serving } from "../commands/metrics/serving.ts";
import { startBuilt } from "../e2e/built.ts";
import { startEngine } from "../metrics/forward/engine.ts";
import { oneValue, startUnixsock } from "../metrics/unixsock.ts";
import type { TestSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder, type Ran, tongs } from "../support/tongs.ts";

/** What an example needs: data on the server, files, and what stands in for names that only the server gives. */
export interface Preparation {
  /** Command lines that are run before, in the same folder; of a noun, once and in a folder of their own. */
  readonly before?: readonly string[];
  /** Files of the current directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is typed in place of a text of the line. */
  readonly words?: Readonly<Record<string, string>>;
  /** Whose token is used; the administrator's if absent. */
  readonly as?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The branches whose commits stand for the short hashes of the line. */
  readonly commits?: Readonly<Record<string, string>>;
  /** The answers at a terminal. */
  readonly answers?: readonly (string | boolean)[];
  /** Whether the line is run in bash with the built program, although it is one command of tongs. */
  readonly inShell?: boolean;
  /** Whether something stands for collectd at 127.0.0.1:50051. */
  readonly collectd?: boolean;
  /** Whether something stands for the socket of collectd's unixsock plugin. */
  readonly unixsock?: boolean;
  /** Whether something stands for an engine at 127.0.0.1:8428. */
  readonly engine?: boolean;
  /** The exit code, if it is another than 0. */
  readonly code?: number;
  /** It runs until it is interrupted, which is done when stderr has this text. */
  readonly until?: string;
}

/** The folder, the environment and the server of an example. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: TestSandbox;
  /** Fills in {url}, {token} and {browser}, a program that signs in to the pages of the sandbox. */
  readonly fill: (text: string) => string;
}

export type Ended = Pick<Ran, "code" | "stdout" | "stderr">;

/** Programs that examples use beside tongs and those that every machine has. */
const programs: Readonly<Record<string, string>> = {
  make: "echo All berths are free.",
  recorder: "cat readings.bin",
  rrdtool: "cat dump.xml",
  gpg: "echo -----BEGIN PGP $(test $2 = --export && echo PUBLIC KEY BLOCK || echo SIGNATURE)-----",
  // PowerShell's.
  "Out-String": "cat",
  "Invoke-Expression": "cat",
};

/** Makes a folder with the files and programs, and the profiles home and work, both of the server. */
export function surroundings(sandbox: TestSandbox, url: string, prepared: Preparation): Surroundings {
  const [parent, home] = [emptyFolder(), emptyFolder()];
  const cwd = join(parent, "here");
  mkdirSync(cwd);
  const user = prepared.as ?? "harbormaster";
  const token = sandbox.token(user);
  const web = browser({ login: user, password: `not-a-secret-${user}` }).command;
  const fill = (text: string) =>
    replaced(text, { "https://git.example.org": url, "{url}": url, "{token}": token, "{browser}": web });
  for (const [name, content] of Object.entries(prepared.files ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), fill(content), "latin1");
    if (content.startsWith("#!")) chmodSync(join(cwd, name), 0o755);
  }
  mkdirSync(join(home, "bin"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(home, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const profiles = { home: { host: url, user }, work: { host: url, user: "mara" } };
  const config = join(home, "tongs");
  mkdirSync(config, { mode: 0o700 });
  const write = (name: string, value: unknown) =>
    writeFileSync(join(config, name), JSON.stringify(value), { mode: 0o600 });
  write("config.json", { default: "home", profiles });
  write("credentials.json", { tokens: { home: token, work: sandbox.token("mara") } });
  const who = { NAME: "Mara Lind", EMAIL: "mara@example.org" };
  const env = {
    TONGS_CONFIG_DIR: config,
    XDG_STATE_HOME: join(home, "state"),
    TONGS_REPO: "mara/harbor",
    HOME: cwd,
    PATH: `${join(home, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${url}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: token ${token}`,
    ...Object.fromEntries(Object.entries(prepared.env ?? {}).map(([name, value]) => [name, fill(value)])),
  };
  return { cwd, env, sandbox, fill };
}

/** Runs a line: in this process, or in bash with the built program if it is more than one command of tongs. */
export async function run(line: string, around: Surroundings, prepared: Preparation): Promise<Ended> {
  const collectd = prepared.collectd ? serving([]) : undefined;
  const socket = prepared.unixsock ? join(around.cwd, "unixsock") : undefined;
  const closeSocket = socket && (await startUnixsock(socket, oneValue));
  const engine = prepared.engine ? await startEngine() : undefined;
  try {
    const ports = {
      ...(collectd && { ":50051": `:${await collectd.port}` }),
      ...(socket && { "unix:/var/run/collectd-unixsock": "unix:unixsock" }),
      ...(engine && { ":8428/api/v1/write": `:${engine.port}/remote-write` }),
    };
    return await runWith(line, around, { ...prepared, words: { ...prepared.words, ...ports } });
  } finally {
    if (closeSocket) await closeSocket();
    await engine?.close();
    collectd?.stop();
    await collectd?.ended;
  }
}

async function runWith(line: string, around: Surroundings, prepared: Preparation): Promise<Ended> {
  const { cwd, env, fill, sandbox } = around;
  const typed = fill(replaced(line, { ...prepared.words, ...(await hashes(sandbox, prepared, line)) }));
  if (needsShell(typed) || prepared.inShell) {
    const started = startBuilt(typed, { cwd, env });
    const code = (await started.ended) ?? -1;
    return { code, stdout: started.stdout(), stderr: started.stderr() };
  }
  const stop = new AbortController();
  const { answers, until } = prepared;
  const ran = await tongs(wordsOf(typed), {
    cwd,
    env,
    signal: stop.signal,
    onSleep: () => setTimeout(5),
    ...(answers === undefined
      ? {}
      : { answers: answers.map((one) => (typeof one === "string" ? fill(one) : one)), terminal: true }),
    ...(until === undefined
      ? {}
      : { onStderr: (text) => text.includes(until) && stop.abort(new Interruption("SIGINT")) }),
  });
  return until === undefined || ran.code !== 130 ? ran : { ...ran, code: 0 };
}

const replaced = (text: string, words: Readonly<Record<string, string>>) =>
  Object.entries(words).reduce((all, [word, other]) => all.replaceAll(word, other), text);

/** The hashes of commits in place of those that a line names. */
async function hashes(
  sandbox: TestSandbox,
  { commits = {} }: Preparation,
  line: string,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [hash, branch] of Object.entries(commits)) {
    if (!line.includes(hash)) continue;
    const { body } = await sandbox.ask("GET", `/repos/mara/harbor/branches/${branch}`, "harbormaster");
    found[hash] = (body as { readonly commit: { readonly id: string } }).commit.id.slice(0, 7);
  }
  return found;
}

/** Whether a line has another program, a pipe, a redirection, a variable, several commands or a `~`. */
export function needsShell(line: string): boolean {
  return !line.startsWith("tongs ") || /[|<>;&$~]/.test(line.replace(/'[^']*'|"[^"]*"/g, ""));
}

/** The words after `tongs`. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)];
  return words.slice(1).map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}
