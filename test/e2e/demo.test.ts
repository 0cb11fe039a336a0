import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, surroundings } from "./built.ts";

/** Runs the demo on the built program with a separate temporary folder. */
function demo(
  args: readonly string[],
  onText: (text: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
) {
  const temporary = emptyFolder();
  const { env, cwd } = surroundings({ env: { TMPDIR: temporary } });
  const script = join(import.meta.dirname, "../../scripts/demo.mjs");
  const child = spawn(process.execPath, [script, "--built", ...args], { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      texts[name] += chunk;
      onText(texts.stdout, (signal) => child.kill(signal));
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { ended, texts, temporary };
}

/** Whether the sandbox printed by the demo responds. */
function answers(text: string): Promise<boolean> {
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? "";
  return fetch(`${url}/api/v1/version`).then(
    (response) => response.ok,
    () => false,
  );
}

describe("npm run demo", () => {
  it("runs the main workflow and leaves nothing behind", async () => {
    const { ended, texts, temporary } = demo([]);
    expect(await ended, texts.stderr).toBe(0);
    for (const line of [
      "tongs pr create --fill",
      "tongs pr update 1 --style rebase",
      "tongs pr merge 1 --style rebase",
    ])
      expect(texts.stdout).toContain(`\n$ ${line}\n`);
    expect(texts.stdout).toContain('"state":"closed","merged":true,"merged_by":{"login":"mara"}}');
    expect(readdirSync(temporary)).toEqual([]);
    expect(await answers(texts.stdout)).toBe(false);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("leaves nothing behind on %s halfway", async (signal, code) => {
    const { ended, texts, temporary } = demo([], (text, kill) => {
      if (text.includes("$ git clone")) kill(signal);
    });
    expect(await ended).toBe(code);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await answers(texts.stdout)).toBe(false);
  });

  it("leaves nothing behind when a step fails, and reports the step", async () => {
    const { ended, texts, temporary } = demo(["--keep"], () => {
      for (const name of readdirSync(temporary)) {
        const link = join(temporary, name, "bin", "tongs");
        // A tongs that is installed would be found instead of a missing one.
        rmSync(link, { force: true });
        if (existsSync(dirname(link))) writeFileSync(link, "#!/bin/sh\nexit 3\n", { mode: 0o755 });
      }
    });
    expect(await ended).toBe(1);
    expect(texts.stderr).toMatch(/The demo failed: '.*tongs .*' exited with \d+/);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await answers(texts.stdout)).toBe(false);
  });

  it("keeps the sandbox running with --keep, and prints a command that stops it", async () => {
    const { ended, texts, temporary } = demo(["--keep"]);
    expect(await ended, texts.stderr).toBe(0);
    expect(await answers(texts.stdout)).toBe(true);
    const [, pid, folder] = /\nkill (\d+); rm -r "(.*)"\n$/.exec(texts.stdout) ?? [];
    expect(folder?.startsWith(temporary)).toBe(true);
    process.kill(Number(pid), "SIGTERM");
    await expect.poll(() => answers(texts.stdout)).toBe(false);
    rmSync(folder ?? "", { recursive: true });
  });
});
