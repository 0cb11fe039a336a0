import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/failure/failure.ts";
import { tokenFromCommand } from "../../src/profiles/token-command.ts";
import { emptyFolder } from "../support/tongs.ts";

const env = { PATH: process.env["PATH"] ?? "", HOME: emptyFolder() };
const node = (script: string, ...args: readonly string[]) => [process.execPath, "-e", script, ...args];
const run = (command: readonly string[], more: { readonly limit?: number; readonly signal?: AbortSignal } = {}) =>
  tokenFromCommand(command, { profile: "work", env, ...more });
const failure = (command: readonly string[], more = {}): Promise<Failure> =>
  run(command, more).then(
    () => Promise.reject(new Error("It did not fail")),
    (error: Failure) => error,
  );

/** A program that prints a text, which its command line does not show. */
const prints = (text: string, times = 1) =>
  node(
    "process.stdout.write(Buffer.from(process.argv[1],'base64').toString().repeat(Number(process.argv[2])))",
    Buffer.from(text).toString("base64"),
    String(times),
  );

describe("a token command", () => {
  it("gives the first line of its output, without spaces around it", async () => {
    expect(await run(node("console.log('  not-a-secret-1 \\r\\nuser: mara')"))).toBe("not-a-secret-1");
    expect(await run(node("process.stdout.write('not-a-secret-2')"))).toBe("not-a-secret-2");
  });

  it("gets its arguments as they are, with no shell", async () => {
    const file = join(env.HOME, "made-by-a-shell");
    const hostile = [`$(touch ${file})`, "`id`", "; touch x", "a b", '"', "*"];
    const script =
      "require('fs').writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)));console.log('t')";
    await run(node(script, join(env.HOME, "args.json"), ...hostile));
    expect(JSON.parse(readFileSync(join(env.HOME, "args.json"), "utf8"))).toEqual(hostile);
  });

  it("runs in the home directory, whatever the current one is", async () => {
    expect(realpathSync(await run(node("console.log(process.cwd())")))).toBe(realpathSync(env.HOME));
  });

  it.each<[string, readonly string[], string]>([
    ["fails", node("console.error('gpg: no secret key');process.exit(7)"), "failed (exit code 7)"],
    ["is ended by a signal", node("process.kill(process.pid,'SIGTERM');setInterval(()=>0,9)"), "ended by a signal"],
    ["prints nothing", node("0"), "printed no token"],
    ["prints an empty line first", prints("\nnot-a-secret"), "printed no token"],
    ["prints a sentence", prints("not-a-secret and more"), "did not print a token"],
    ["prints control characters", prints("not-a-secret\u001b[31m"), "did not print a token"],
    ["prints too much", prints("not-a-secret", 9999), "prints more than 64 KiB"],
    ["does not exist", ["no-such-program-at-all"], "no-such-program-at-all: program not found"],
  ])("that %s is a failure with exit 4 and a hint, without what it printed", async (_what, command, words) => {
    const error = await failure(command);
    expect(error).toMatchObject({ code: "token_command", exit: "denied", message: expect.stringContaining(words) });
    expect(error.message).toContain("profile 'work'");
    expect(error.hint).toContain("tongs profile set work token_command COMMAND");
    expect(`${error.message}${error.hint}`).not.toContain("not-a-secret");
  });

  it("shows the last lines of its errors", async () => {
    const error = await failure(node("console.error('one\\ntwo\\nthree\\ngpg: no secret key');process.exit(2)"));
    expect(error.hint).toMatch(/^two\nthree\ngpg: no secret key\n/);
  });

  it("that takes too long is ended, also if what it started keeps its output open", async () => {
    const pid = join(env.HOME, "pid");
    const error = await failure(["sh", "-c", 'sleep 600 & echo $! > "$0"; wait', pid], { limit: 1500 });
    process.kill(Number(readFileSync(pid, "utf8")));
    expect(error).toMatchObject({ exit: "denied", message: expect.stringContaining("took longer than 1.5 s") });
  });

  it("ends with the reason of the signal on Ctrl-C", async () => {
    const stop = new AbortController();
    const running = run(node("setInterval(()=>0,1000)"), { signal: stop.signal });
    const reason = new Error("interrupted");
    setTimeout(() => stop.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
  });

  it("is not searched in the current directory", async () => {
    const here = emptyFolder();
    mkdirSync(join(here, "bin"));
    writeFileSync(join(here, "only-here"), "#!/bin/sh\necho not-a-secret\n", { mode: 0o755 });
    const before = process.env["PWD"];
    expect(before).not.toBe(here);
    expect((await failure(["only-here"])).message).toContain("program not found");
  });
});
