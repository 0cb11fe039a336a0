import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { docFiles } from "../../src/docs/files.ts";
import { sampleAliases, sampleTable } from "./sample.ts";

/** Whether a program is installed. */
export function installed(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** A new directory with the completion scripts of the sample table, two files and a directory. */
export async function completionFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tongs-completions-"));
  const files = await docFiles(sampleTable, sampleAliases, "1.2.3");
  for (const path of Object.keys(files).filter((name) => name.startsWith("completions/")))
    writeFileSync(join(folder, path.replace("completions/", "")), files[path] ?? "");
  for (const name of ["quay one.txt", "quay-two.txt"]) writeFileSync(join(folder, name), "");
  mkdirSync(join(folder, "quarter"));
  return folder;
}

/** Runs a script in a shell and returns its stdout. Output on stderr fails the test. */
export function shell(program: string, args: readonly string[], cwd: string, input = ""): string {
  const ran = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    timeout: 60_000,
    input,
    env: { PATH: process.env["PATH"], HOME: cwd },
  });
  if (ran.stderr !== "") throw new Error(ran.stderr);
  return ran.stdout;
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
