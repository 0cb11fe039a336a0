import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder, startBuilt } from "./built.ts";

import { keys, missing, onTerminal, type Terminal } from "./terminal.ts";

const sandbox = await testSandbox();

/**
 * A program that goes on after Ctrl-C, until it reads a line. Not a shell: one that gets Ctrl-C just before it waits for
 * the line says so only after it.
 */
const survivor = join(emptyFolder(), "survivor.mjs");
writeFileSync(
  survivor,
  `import { createInterface } from "node:readline";
let count = 0;
process.on("SIGINT", () => console.log(\`Ctrl-C \${++count}\`));
createInterface({ input: process.stdin, terminal: false }).once("line", (line) => {
  console.log(\`read \${line}\`);
  process.exit();
});
console.log("ready");
`,
);
const survive = `trap : INT\n'${process.execPath}' '${survivor}'`;

function script(name: string, content: string): string {
  const path = join(emptyFolder(), name);
  writeFileSync(path, `#!/bin/sh\n${content}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Presses Ctrl-C twice, then ends the program with a line. Returns the exit code. */
async function interruptedTwice(terminal: Terminal): Promise<number> {
  await terminal.until("ready");
  for (const count of [1, 2]) {
    terminal.type(keys.interrupt);
    await terminal.until(`Ctrl-C ${count}`);
  }
  terminal.type(`the end${keys.enter}`);
  await terminal.until("read the end");
  return terminal.ended;
}

const signedIn = () => ({ TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara"), TONGS_REPO: "mara/harbor" });

describe(`a program that tongs starts on a terminal${missing}`, { skip: missing !== "" }, () => {
  it("gets Ctrl-C as an extension, and its exit code is that of tongs", async () => {
    const PATH = [join(script("tongs-survivor", `${survive}\nexit 7`), ".."), process.env["PATH"]].join(delimiter);
    expect(await interruptedTwice(await onTerminal(["survivor"], { env: { PATH } }))).toBe(7);
  });

  it("gets Ctrl-C as an editor, whose text is used", async () => {
    const TONGS_EDITOR = script("editor", `${survive}\nprintf 'the text' > "$1"`);
    const before = await sandbox.ask("GET", "/repos/mara/harbor/issues/1/comments", "mara");
    const comment = await onTerminal(["issue", "comment", "1"], { env: { ...signedIn(), TONGS_EDITOR } });
    expect(await interruptedTwice(comment)).toBe(0);
    const after = await sandbox.ask("GET", "/repos/mara/harbor/issues/1/comments", "mara");
    expect([before, after].map(({ body }) => JSON.stringify(body).includes("the text"))).toEqual([false, true]);
  });

  it("gets Ctrl-C as a pager", async () => {
    const TONGS_PAGER = script("pager", `cat > /dev/null\nexec < /dev/tty\n${survive}`);
    const long = { title: "Log of the tides", body: "high\n\n".repeat(60) };
    const { body } = await sandbox.ask("POST", "/repos/mara/harbor/issues", "mara", long);
    const { number } = body as { readonly number: number };
    const view = await onTerminal(["issue", "view", `${number}`], { env: { ...signedIn(), TONGS_PAGER } });
    expect(await interruptedTwice(view)).toBe(0);
  });
});

it("an extension gets the SIGTERM that tongs gets", async () => {
  const loop = "trap 'exit 9' TERM\necho ready\nwhile :; do sleep 0.1; done";
  const PATH = [join(script("tongs-loop", loop), ".."), process.env["PATH"]].join(delimiter);
  const started = startBuilt(["loop"], { env: { PATH } });
  await started.until("ready");
  started.kill("SIGTERM");
  expect(await started.ended).toBe(9);
});
