import { spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import type { CommandTable } from "../../src/app/context.ts";
import { complete } from "../../src/commands/complete/complete.ts";
import { aliases, table } from "../../src/commands/index.ts";
import { streamed } from "../../src/system/output-stream.ts";
import { serve, type TestServer } from "../support/server.ts";
import { quietSignal } from "../support/tongs.ts";
import { sampleAliases, sampleTable } from "./sample.ts";

/** Whether a program is installed. */
export function installed(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** What `tongs __complete` prints for these words. */
export async function completed(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  time = 600_000,
  commands: CommandTable = { table, aliases },
): Promise<string> {
  let printed = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      printed += chunk.toString("utf8");
      done();
    },
  });
  const system = {
    stdin: new PassThrough(),
    stdout: streamed(stream),
    stderr: streamed(stream),
    platform: process.platform,
    env: { PATH: process.env["PATH"], ...env },
    cwd: tmpdir(),
    now: () => new Date(),
    random: () => 0.5,
    signal: quietSignal(),
    sleep: async () => undefined,
  };
  await complete(words, system, commands, time);
  return printed;
}

/** A directory with the completion scripts, some files, and a `tongs` that answers for the sample table. */
export interface CompletionFolder {
  readonly path: string;
  /** Runs a script in a shell and returns its stdout. Output on stderr fails the test. */
  shell(program: string, args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Makes the directory; `env` selects the server for the commands that ask one. */
export async function completionFolder(env: Readonly<Record<string, string>> = {}): Promise<CompletionFolder> {
  const path = mkdtempSync(join(tmpdir(), "tongs-completions-"));
  const scripts = join(import.meta.dirname, "../../completions");
  for (const name of readdirSync(scripts)) copyFileSync(join(scripts, name), join(path, name));
  for (const name of ["quay one.txt", "quay-two.txt"]) writeFileSync(join(path, name), "");
  mkdirSync(join(path, "quarter"));
  mkdirSync(join(path, "bin"));
  const server: TestServer = await serve(async ({ body }) => {
    const [, ...words] = JSON.parse(body) as string[];
    // Names of the server are completed by tongs itself, the rest by the sample.
    const isLive = words.includes("pr") || words.includes("label");
    const sample = { table: sampleTable, aliases: sampleAliases };
    return { body: await completed(words, env, 600_000, isLive ? undefined : sample) };
  });
  const program = join(path, "bin", "tongs");
  const lines = [
    `#!${process.execPath}`,
    `const body = JSON.stringify(process.argv.slice(2));`,
    `const answer = await fetch(${JSON.stringify(server.url)}, { method: "POST", body });`,
    `process.stdout.write(await answer.text());`,
  ];
  writeFileSync(program, `${lines[0]}\n(async () => {\n${lines.slice(1).join("\n")}\n})();\n`);
  chmodSync(program, 0o755);
  const shell = (name: string, args: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(name, [...args], {
        cwd: path,
        env: { PATH: `${join(path, "bin")}:${process.env["PATH"]}`, HOME: path, LC_ALL: "C.UTF-8" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const out: Buffer[] = [];
      const errors: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
      child.on("error", reject);
      child.on("close", () => {
        const said = Buffer.concat(errors).toString("utf8");
        if (said === "") resolve(Buffer.concat(out).toString("utf8"));
        else reject(new Error(said));
      });
    });
  return { path, shell, close: server.close };
}

/** What every shell must offer: the text before the cursor, and the expected words. */
export const promises: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ["tongs ", ["crate", "hoist", "load"]],
  ["tongs cr", ["crate"]],
  ["tongs crate ", ["list", "paint", "side"]],
  ["tongs crate si", ["side"]],
  ["tongs crate side t", ["turn-over"]],
  ["tongs crate ls --st", ["--state"]],
  ["tongs crate list --state ", ["open", "closed", "lost"]],
  ["tongs crate list --state l", ["lost"]],
  ["tongs crate list --no-d", ["--no-draft"]],
  ["tongs crate list --dr", ["--draft", "--dry-run"]],
  ["tongs crate list --json i", ["id"]],
  ["tongs crate list --json id,n", ["id,name", "id,notes"]],
  ["tongs crate paint 7 ", ["red", "green"]],
  ["tongs crate colour 7 r", ["red"]],
  ["tongs -R mara/harbor crate p", ["paint"]],
  ["tongs crate --color al", ["always"]],
  ["tongs hoist ", ["add", "remove"]],
  ["tongs hoist mara/harbor --fr", ["--from"]],
  ["tongs lower --fr", ["--from"]],
  ["tongs help ex", ["exit-codes"]],
  ["tongs help crate pa", ["paint"]],
  ["tongs load quay-", ["quay-two.txt"]],
];

/** The start-up file of the zsh: Ctrl-X completes the line and prints the offered words. */
export const insideZsh = `
PS1= PS2= RPS1=
autoload -Uz compinit
compinit -u -d ./dump
source ./_tongs
compadd() {
  local -a hits
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    builtin compadd -A hits "$@"
    offered+=($hits)
  fi
  builtin compadd "$@"
}
said() {
  typeset -gaU offered=()
  zle complete-word
  BUFFER=
  print -r -- "<\${(j:|:)offered}>"
}
zle -N said
bindkey '^X' said
print ready
`;

/** Runs zsh on a pseudo-terminal and types each argument. */
export const aroundZsh = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'source ./inner.zsh'
zpty -r z out '*ready*'
for typed; do
  zpty -w -n z "$typed"$'\\x18'
  zpty -r z out $'*<*>\\r\\n*'
  out=\${out##*<} out=\${out%%>*}
  print -r -- "$out"
done
zpty -d z
`;
